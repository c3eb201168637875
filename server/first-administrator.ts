import { insertUser } from './stores/sql/users.ts';
import { timestamp } from './services.ts';
import type { SqlServices } from './stores/sql/services.ts';

/** Without letters and digits that are taken for one another. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
/** 32 characters to choose from, 5 bits each: 100 bits. */
const PASSWORD_LENGTH = 20;

/** Someone who can sign in now, with a password that is shown once when it was made up here. */
export interface FirstAdministrator {
  readonly email: string;
  readonly madeUpPassword?: string;
}

/** Makes the first administrator when there is none yet. Returns undefined when there is one. */
export async function addFirstAdministrator(services: SqlServices): Promise<FirstAdministrator | undefined> {
  const { adminEmail, adminName, adminPassword } = services.settings;
  const { db, passwords } = services;
  if (await hasUsers(db)) return undefined;
  const email = adminEmail || 'admin@example.com';
  const password = adminPassword || madeUpPassword(services.randomBytes);
  const passwordHash = await passwords.hash(password);
  const user = { name: adminName, email, passwordHash, isMadeUp: !adminPassword, at: timestamp(services) };
  const isFirst = await db.transaction().execute(async (writing) => {
    // another server, started at the same time, may have been quicker
    if (await hasUsers(writing)) return false;
    await insertUser(writing, user);
    return true;
  });
  if (!isFirst) return undefined;
  return adminPassword ? { email } : { email, madeUpPassword: password };
}

async function hasUsers(db: SqlServices['db']): Promise<boolean> {
  return (await db.selectFrom('users').select('id').executeTakeFirst()) !== undefined;
}

/** A password to read out and type, in groups: `k7fmq-29qxa-…`. */
export function madeUpPassword(randomBytes: (count: number) => Buffer): string {
  const letters = [...randomBytes(PASSWORD_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
  return letters.match(/.{5}/g)?.join('-') ?? letters;
}
