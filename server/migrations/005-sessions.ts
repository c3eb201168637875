import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Details by which people tell their sessions apart, and the time when a generated password was set. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE tokens ADD COLUMN device TEXT NOT NULL DEFAULT ''`.execute(db);
  await sql`ALTER TABLE tokens ADD COLUMN address TEXT NOT NULL DEFAULT ''`.execute(db);
  await sql`ALTER TABLE tokens ADD COLUMN waiting INTEGER`.execute(db);
  await sql`ALTER TABLE users ADD COLUMN made_up_password_at TEXT`.execute(db);
}
