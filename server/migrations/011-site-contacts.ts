import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** When the public site last read the content, and when it was last told of a change. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE site_contacts (what TEXT PRIMARY KEY, at TEXT NOT NULL) STRICT`.execute(db);
}
