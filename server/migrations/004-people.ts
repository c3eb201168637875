import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Roles, and the links for invitations and new passwords. Existing administrators keep all their rights. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE users ADD COLUMN role TEXT NOT NULL DEFAULT 'owner'`.execute(db);
  await sql`CREATE TABLE links (hash TEXT PRIMARY KEY, purpose TEXT NOT NULL, user_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
    name TEXT NOT NULL, email TEXT NOT NULL, role TEXT NOT NULL, created_at TEXT NOT NULL, expires_at TEXT NOT NULL)`.execute(
    db,
  );
  await sql`CREATE INDEX links_of_email ON links (email)`.execute(db);
}
