import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * The feed's epochs, the first of which continues earlier cursors, and the files that no record names. Names of files lose their NUL
 * characters, which only SQLite can store.
 */
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
  await cleanNames(db);
}

const ROWS_AT_ONCE = 500;

async function cleanNames(db: Kysely<unknown>): Promise<void> {
  for (let last = ''; ; ) {
    const { rows } = await sql<{ name: string; original_name: string }>`SELECT name, original_name FROM files
      WHERE name > ${last} ORDER BY name LIMIT ${sql.lit(ROWS_AT_ONCE)}`.execute(db);
    for (const { name, original_name } of rows.filter((row) => row.original_name.includes('\0'))) {
      const clean = original_name.replaceAll('\0', '');
      await sql`UPDATE files SET original_name = ${clean} WHERE name = ${name}`.execute(db);
    }
    if (rows.length < ROWS_AT_ONCE) return;
    last = rows.at(-1)?.name ?? last;
  }
}
