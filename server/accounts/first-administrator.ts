import { ownWordsOf } from '../security/new-password.ts';
import { passwordProblem } from '../security/password-rules.ts';
import { SettingsError } from '../settings/settings.ts';
import { insertUser } from '../stores/sql/users.ts';
import { timestamp } from '../services.ts';
import type { SqlServices } from '../stores/sql/services.ts';

/** No letters or digits that are easily confused. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
/** Characters of 5 bits each: 100 bits. */
const PASSWORD_LENGTH = 20;

/** The new administrator. A generated password is shown once. */
export interface FirstAdministrator {
  readonly email: string;
  readonly madeUpPassword?: string;
}

/** Creates the first administrator. Returns undefined if there already is one. Throws a SettingsError for a guessable password. */
export async function addFirstAdministrator(services: SqlServices): Promise<FirstAdministrator | undefined> {
  const { adminEmail, adminName, adminPassword } = services.settings;
  const { db, passwords } = services;
  if (await hasUsers(db)) return undefined;
  const email = adminEmail || 'admin@example.com';
  const problem =
    adminPassword && (await passwordProblem(adminPassword, [email, adminName, ...ownWordsOf(services.settings)]));
  if (problem) throw new SettingsError(`These settings cannot be used:\n  ADMIN_PASSWORD: ${problem}`);
  const password = adminPassword || madeUpPassword(services.randomBytes);
  const passwordHash = await passwords.hash(password);
  const user = { name: adminName, email, passwordHash, isMadeUp: !adminPassword, at: timestamp(services) };
  const isFirst = await db.transaction().execute(async (writing) => {
    // another server may have started at the same time
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

/** A generated password in groups that are easy to read and type: `k7fmq-29qxa-…`. */
export function madeUpPassword(randomBytes: (count: number) => Buffer): string {
  const letters = [...randomBytes(PASSWORD_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
  return letters.match(/.{5}/g)?.join('-') ?? letters;
}
