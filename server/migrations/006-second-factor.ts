import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Passkeys, authenticator apps and recovery codes of administrators, and what the owners require of everyone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE passkeys (id TEXT PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    public_key TEXT NOT NULL, counter INTEGER NOT NULL, transports TEXT NOT NULL, name TEXT NOT NULL,
    created_at TEXT NOT NULL, used_at TEXT) STRICT`.execute(db);
  await sql`CREATE INDEX passkeys_of_user ON passkeys (user_id)`.execute(db);
  await sql`CREATE TABLE authenticators (user_id INTEGER NOT NULL UNIQUE REFERENCES users (id) ON DELETE CASCADE,
    secret TEXT NOT NULL, last_step INTEGER NOT NULL, failures INTEGER NOT NULL, failed_at TEXT, created_at TEXT NOT NULL) STRICT`.execute(
    db,
  );
  await sql`CREATE TABLE recovery_codes (hash TEXT PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE) STRICT`.execute(db);
  await sql`CREATE INDEX recovery_codes_of_user ON recovery_codes (user_id)`.execute(db);
  await sql`CREATE TABLE requirements (name TEXT PRIMARY KEY, since TEXT NOT NULL) STRICT`.execute(db);
}
