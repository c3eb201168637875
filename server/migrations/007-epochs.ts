import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** The feed's epochs, the first of which continues earlier cursors, and the files that no record names. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE epochs (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, begins_after INTEGER NOT NULL,
    begun_at TEXT NOT NULL) STRICT`.execute(db);
  await sql`CREATE TABLE unnamed_files (name TEXT PRIMARY KEY, since TEXT NOT NULL) STRICT`.execute(db);
  const { rows } = await sql<{ value: string }>`SELECT value FROM secrets WHERE name = 'life'`.execute(db);
  for (const { value } of rows) {
    const name = Buffer.from(value, 'hex').subarray(0, 9).toString('base64url');
    await sql`INSERT INTO epochs (name, begins_after, begun_at) VALUES (${name}, 0, strftime('%FT%TZ', 'now'))`.execute(
      db,
    );
  }
  await sql`DELETE FROM secrets WHERE name = 'life'`.execute(db);
}
