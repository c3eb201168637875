import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Tokens with which programs read the content API. Only their hashes are stored. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE content_tokens (hash TEXT PRIMARY KEY, name TEXT NOT NULL, created_at TEXT NOT NULL,
    used_at TEXT) STRICT`.execute(db);
}
