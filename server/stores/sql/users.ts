import { sql } from 'kysely';
import type { Role } from '../../../src/domain/roles.ts';
import type { Passwords } from '../../security/passwords.ts';
import type { Database, StoredUser, Writing } from './tables.ts';

interface World {
  readonly db: Database;
  readonly passwords: Passwords;
}

/** An administrator who is to be added. */
interface NewUser {
  readonly name: string;
  readonly email: string;
  /** An owner, unless told. */
  readonly role?: Role;
  /** The password was made up, and is to be changed at the first sign-in. */
  readonly isMadeUp?: boolean;
  /** ISO 8601. */
  readonly at: string;
}

/** Of a row of `users`: 1 where the user has no second factor and everybody is asked for one, else 0. */
export const owesFactor = sql<number>`CASE WHEN EXISTS (SELECT 1 FROM requirements WHERE name = 'second-factor')
  AND NOT EXISTS (SELECT 1 FROM passkeys WHERE user_id = users.id)
  AND NOT EXISTS (SELECT 1 FROM authenticators WHERE user_id = users.id) THEN 1 ELSE 0 END`.as('owes_factor');

/** Of a row of `users`: whether it has that address, whatever the capitals of A to Z. */
export function sameEmail(email: string) {
  return sql<boolean>`lower(email) = lower(${email})`;
}

/** The administrator with that address, whatever its capitals. */
export function userByEmail(db: Database, email: string): Promise<StoredUser | undefined> {
  return db.selectFrom('users').selectAll().where(sameEmail(email)).executeTakeFirst();
}

/** Adds an administrator. Throws when the address is taken. */
export async function addUser(
  { db, passwords }: World,
  { password, ...user }: NewUser & { readonly password: string },
): Promise<void> {
  await insertUser(db, { ...user, passwordHash: await passwords.hash(password) });
}

/** Adds an administrator whose password is hashed already. */
export async function insertUser(db: Database, user: NewUser & { readonly passwordHash: string }): Promise<void> {
  const { name, email, role = 'owner', passwordHash: password_hash, isMadeUp = false, at } = user;
  const made_up_password_at = isMadeUp ? at : null;
  const row = { name, email, role, password_hash, made_up_password_at, created_at: at, updated_at: at };
  await db.insertInto('users').values(row).execute();
}

/** Sets a password and ends the user's sessions, all but the one that is to be kept. */
export async function setPassword(
  { db, passwords }: World,
  userId: number,
  password: string,
  set: { readonly keepToken?: string; readonly isMadeUp?: boolean; readonly at: string },
): Promise<void> {
  const passwordHash = await passwords.hash(password);
  await db.transaction().execute((writing) => writePassword(writing, userId, { ...set, passwordHash }));
}

/** Sets a password that is hashed already and ends the user's other sessions, in a transaction of the caller's. */
export async function writePassword(
  writing: Writing,
  userId: number,
  set: {
    readonly passwordHash: string;
    readonly keepToken?: string;
    readonly isMadeUp?: boolean;
    readonly at: string;
  },
): Promise<void> {
  const { passwordHash: password_hash, keepToken = '', isMadeUp = false, at: updated_at } = set;
  const made_up_password_at = isMadeUp ? updated_at : null;
  await writing
    .updateTable('users')
    .set({ password_hash, made_up_password_at, updated_at })
    .where('id', '=', userId)
    .execute();
  await writing.deleteFrom('tokens').where('user_id', '=', userId).where('hash', '!=', keepToken).execute();
}
