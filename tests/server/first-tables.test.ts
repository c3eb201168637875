import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { readMigrations } from '../../server/migrations/index.ts';
import { openDatabase } from '../../server/stores/sqlite/open.ts';
import { RESOURCES } from '../../src/domain/resources/index.ts';
import { isManyFiles } from '../../src/domain/fields.ts';
import { freshFolder } from './harness.ts';

/** What the tables of a fresh installation enforce by themselves. */

async function freshDatabase() {
  const db = await openDatabase(await freshFolder());
  onTestFinished(() => db.destroy());
  return db;
}

type Database = Awaited<ReturnType<typeof freshDatabase>>;

const run = (db: Database, text: string) => sql.raw(text).execute(db);
const addUser = (db: Database, email: string) =>
  sql`INSERT INTO users (name, email, password_hash, created_at, updated_at) VALUES ('', ${email}, '', '', '')`.execute(
    db,
  );
const count = async (db: Database, table: string) => {
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM ${sql.table(table)}`.execute(db);
  return rows[0]?.count;
};

test('loads migrations from files numbered with three digits, in order', async () => {
  const folder = join(await freshFolder(), 'steps');
  await mkdir(folder);
  for (const name of ['010-b.ts', '002-a.ts', '1-c.ts', '0003-d.ts', 'index.ts', '004-e.txt', '005-f.ts.part'])
    await writeFile(join(folder, name), 'export async function up() {}\n');
  expect(Object.keys(await readMigrations(pathToFileURL(`${folder}/`)))).toEqual(['002-a', '010-b']);
});

test('refuses two users whose addresses differ only in case', async () => {
  const db = await freshDatabase();
  await addUser(db, 'anna@example.com');
  await expect(addUser(db, 'Anna@Example.com')).rejects.toThrow('UNIQUE');
});

test('removes sessions, links, passkeys, codes and authenticator together with their user', async () => {
  const db = await freshDatabase();
  for (const email of ['anna@example.com', 'other@example.com']) await addUser(db, email);
  for (const id of [1, 2]) {
    await run(db, `INSERT INTO tokens (hash, user_id, created_at, used_at) VALUES ('${id}', ${id}, '', '')`);
    await run(db, `INSERT INTO links VALUES ('${id}', 'invitation', ${id}, '', '', 'owner', '', '')`);
    await run(db, `INSERT INTO passkeys VALUES ('${id}', ${id}, '', 0, '', '', '', NULL)`);
    await run(db, `INSERT INTO authenticators VALUES (${id}, '', 0, 0, NULL, '')`);
    await run(db, `INSERT INTO recovery_codes VALUES ('${id}', ${id})`);
  }
  await run(db, 'DELETE FROM users WHERE id = 1');
  for (const table of ['users', 'tokens', 'links', 'passkeys', 'authenticators', 'recovery_codes'])
    expect(await count(db, table), table).toBe(1);
  await expect(run(db, `INSERT INTO authenticators VALUES (2, '', 0, 0, NULL, '')`)).rejects.toThrow('UNIQUE');
});

test('never reuses an id, even when the last record was deleted', async () => {
  const db = await freshDatabase();
  for (const table of [
    ...RESOURCES.map(({ name }) => name.replaceAll('-', '_')),
    'users',
    'images',
    'changes',
    'feed',
  ]) {
    const { rows } = await sql<{ sql: string }>`SELECT sql FROM sqlite_master WHERE name = ${table}`.execute(db);
    expect(rows[0]?.sql, table).toContain('INTEGER PRIMARY KEY AUTOINCREMENT');
  }
});

test('refuses a row with a file that is not stored, and keeps a stored file while a row names it', async () => {
  const db = await freshDatabase();
  await sql`INSERT INTO files VALUES ('kept.jpg', 'image/jpeg', 1, '', 1, '', '', '')`.execute(db);
  for (const { name, fields } of RESOURCES) {
    const table = name.replaceAll('-', '_');
    for (const field of fields.filter(({ kind }) => kind === 'file' || kind === 'image')) {
      const insert = (file: string) =>
        run(db, `INSERT INTO ${table} (version, created_at, updated_at, ${field.name}) VALUES ('', '', '', '${file}')`);
      await expect(insert('none.jpg'), table).rejects.toThrow('FOREIGN KEY');
      await insert('kept.jpg');
      await expect(run(db, `DELETE FROM files`), table).rejects.toThrow('FOREIGN KEY');
      await run(db, `DELETE FROM ${table}`);
    }
    if (!fields.some(isManyFiles)) continue;
    const add = `INSERT INTO images (resource, record_id, image) VALUES ('${name}', 1, 'none.jpg')`;
    await expect(run(db, add)).rejects.toThrow('FOREIGN KEY');
  }
});

test('refuses values of a wrong type, and a second row with the same key', async () => {
  const db = await freshDatabase();
  const slider = (serial: string) =>
    run(db, `INSERT INTO sliders (version, created_at, updated_at, serial) VALUES ('', '', '', ${serial})`);
  await slider('7');
  await expect(slider(`'seven'`)).rejects.toThrow('cannot store TEXT value in INTEGER column');
  const key = `INSERT INTO idempotency_keys VALUES (1, 'key', '', 200, '', '', 0)`;
  await run(db, key);
  await run(db, key.replace('(1,', '(2,'));
  await expect(run(db, key)).rejects.toThrow('UNIQUE');
  const feed = `INSERT INTO feed (subject, record_id) VALUES ('partners', 77)`;
  await run(db, feed);
  await run(db, feed.replace('77', '78'));
  await expect(run(db, feed)).rejects.toThrow('UNIQUE');
});

test('gives a fresh site its first row, unchanged so far', async () => {
  const db = await freshDatabase();
  const { rows } = await sql<{ created_at: string; version: string; id: number }>`SELECT * FROM site_meta`.execute(db);
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({ id: 1, version: 'first' });
  expect(rows[0]?.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  expect(Math.abs(Date.now() - Date.parse(rows[0]?.created_at ?? ''))).toBeLessThan(60_000);
});
