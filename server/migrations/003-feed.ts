import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** One row per thing that ever changed, with the number of its last change. Written by `stores/sqlite/feed-triggers.ts`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE feed (seq INTEGER PRIMARY KEY AUTOINCREMENT, subject TEXT NOT NULL, record_id INTEGER NOT NULL,
    UNIQUE (subject, record_id)) STRICT`.execute(db);
}
