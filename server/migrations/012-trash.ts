import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Deleted records that can be restored, each as one row of JSON, and the stored files that are kept for them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE trash (id INTEGER PRIMARY KEY AUTOINCREMENT, resource TEXT NOT NULL, record_id INTEGER NOT NULL,
    content TEXT NOT NULL, title TEXT NOT NULL, words TEXT NOT NULL, deleted_at TEXT NOT NULL, user_id INTEGER NOT NULL,
    user_name TEXT NOT NULL, UNIQUE (resource, record_id)) STRICT`.execute(db);
  await sql`CREATE INDEX trash_by_time ON trash (deleted_at)`.execute(db);
  await sql`CREATE TABLE trashed_files (name TEXT PRIMARY KEY REFERENCES files (name), resource TEXT NOT NULL,
    record_id INTEGER NOT NULL, since TEXT NOT NULL) STRICT`.execute(db);
  await sql`CREATE INDEX trashed_files_of_record ON trashed_files (resource, record_id)`.execute(db);
  await sql`CREATE INDEX trashed_files_by_time ON trashed_files (since)`.execute(db);
}
