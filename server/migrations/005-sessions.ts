import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** What tells one session from another for the person whose they are, and since when a password is one that was made up for them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE tokens ADD COLUMN device TEXT NOT NULL DEFAULT ''`.execute(db);
  await sql`ALTER TABLE tokens ADD COLUMN address TEXT NOT NULL DEFAULT ''`.execute(db);
  await sql`ALTER TABLE tokens ADD COLUMN waiting INTEGER`.execute(db);
  await sql`ALTER TABLE users ADD COLUMN made_up_password_at TEXT`.execute(db);
}
