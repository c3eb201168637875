import { addUser } from './stores/sql/users.ts';
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
  const anyone = await services.db.selectFrom('users').select('id').executeTakeFirst();
  if (anyone !== undefined) return undefined;
  const email = adminEmail || 'admin@example.com';
  const password = adminPassword || madeUpPassword(services.randomBytes);
  await addUser(services, { name: adminName, email, password, isMadeUp: !adminPassword, at: timestamp(services) });
  return adminPassword ? { email } : { email, madeUpPassword: password };
}

/** A password to read out and type, in groups: `k7fmq-29qxa-…`. */
export function madeUpPassword(randomBytes: (count: number) => Buffer): string {
  const letters = [...randomBytes(PASSWORD_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
  return letters.match(/.{5}/g)?.join('-') ?? letters;
}
