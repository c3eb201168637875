import type { Database, StoredUser } from './tables.ts';
import type { Passwords } from '../../security/passwords.ts';

interface World {
  readonly db: Database;
  readonly passwords: Passwords;
}

/** The administrator with that address, whatever its capitals. */
export function userByEmail(db: Database, email: string): Promise<StoredUser | undefined> {
  return db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
}

/** Adds an administrator. Throws when the address is taken. */
export async function addUser(
  { db, passwords }: World,
  user: { readonly name: string; readonly email: string; readonly password: string; readonly at: string },
): Promise<void> {
  const { name, email, password, at } = user;
  const password_hash = await passwords.hash(password);
  await db.insertInto('users').values({ name, email, password_hash, created_at: at, updated_at: at }).execute();
}

/** Sets a password and ends the user's sessions, all but the one that is to be kept. */
export async function setPassword(
  { db, passwords }: World,
  userId: number,
  password: string,
  { keepToken = '', at }: { readonly keepToken?: string; readonly at: string },
): Promise<void> {
  const password_hash = await passwords.hash(password);
  await db.transaction().execute(async (writing) => {
    await writing.updateTable('users').set({ password_hash, updated_at: at }).where('id', '=', userId).execute();
    await writing.deleteFrom('tokens').where('user_id', '=', userId).where('hash', '!=', keepToken).execute();
  });
}
