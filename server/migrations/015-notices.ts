import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** What owners are to be told, by its cause: since when, whether they were, and when it was over. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE notices (cause TEXT PRIMARY KEY, text TEXT NOT NULL, since TEXT NOT NULL, seen_at TEXT NOT NULL,
    told_at TEXT, over_at TEXT) STRICT`.execute(db);
}
