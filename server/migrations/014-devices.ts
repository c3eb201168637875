import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** The devices of each person, as their pages last reported them. They outlive their sessions: what waits on one is nowhere else. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE devices (user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE, id TEXT NOT NULL,
    token TEXT NOT NULL, device TEXT NOT NULL, version TEXT NOT NULL, seen_at TEXT NOT NULL, waiting INTEGER, since TEXT,
    used INTEGER, quota INTEGER, UNIQUE (user_id, id)) STRICT`.execute(db);
  await sql`CREATE INDEX devices_of_token ON devices (token)`.execute(db);
}
