import { sql } from 'kysely';
import type { Role } from '../../../src/domain/roles.ts';
import type { Passwords } from '../../security/passwords.ts';
import type { Database, StoredUser, Writing } from './tables.ts';

interface World {
  readonly db: Database;
  readonly passwords: Passwords;
}

/** A new administrator. */
interface NewUser {
  readonly name: string;
  readonly email: string;
  /** Defaults to owner. */
  readonly role?: Role;
  /** The password is generated and must be changed at the first sign-in. */
  readonly isMadeUp?: boolean;
  /** ISO 8601. */
  readonly at: string;
}

/** For a row of `users`: 1 if the user has no second factor although everyone must, else 0. */
export const owesFactor = sql<number>`CASE WHEN EXISTS (SELECT 1 FROM requirements WHERE name = 'second-factor')
  AND NOT EXISTS (SELECT 1 FROM passkeys WHERE user_id = users.id)
  AND NOT EXISTS (SELECT 1 FROM authenticators WHERE user_id = users.id) THEN 1 ELSE 0 END`.as('owes_factor');

/** For a row of `users`: matches its address, ignoring the case of A to Z. */
export function sameEmail(email: string) {
  // PostgreSQL lowers a parameter as the language of its database does, and the column as its index
  const lowered = email.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  return sql<boolean>`lower(email) = ${lowered}`;
}

/** The administrator with the address, ignoring case. */
export function userByEmail(db: Database, email: string): Promise<StoredUser | undefined> {
  return db.selectFrom('users').selectAll().where(sameEmail(email)).executeTakeFirst();
}

/** Adds an administrator. Throws if the address is in use. */
export async function addUser(
  { db, passwords }: World,
  { password, ...user }: NewUser & { readonly password: string },
): Promise<void> {
  await insertUser(db, { ...user, passwordHash: await passwords.hash(password) });
}

/** Adds an administrator with a hashed password. */
export async function insertUser(db: Database, user: NewUser & { readonly passwordHash: string }): Promise<void> {
  const { name, email, role = 'owner', passwordHash: password_hash, isMadeUp = false, at } = user;
  const made_up_password_at = isMadeUp ? at : null;
  const row = { name, email, role, password_hash, made_up_password_at, created_at: at, updated_at: at };
  await db.insertInto('users').values(row).execute();
}

/** Sets a password and ends the user's sessions, except the one to keep. */
export async function setPassword(
  { db, passwords }: World,
  userId: number,
  password: string,
  set: { readonly keepToken?: string; readonly isMadeUp?: boolean; readonly at: string },
): Promise<void> {
  const passwordHash = await passwords.hash(password);
  await db.transaction().execute((writing) => writePassword(writing, userId, { ...set, passwordHash }));
}

/** Sets a hashed password and ends the user's other sessions and links to set one, in the caller's transaction. */
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
  await writing.deleteFrom('links').where('user_id', '=', userId).execute();
}
