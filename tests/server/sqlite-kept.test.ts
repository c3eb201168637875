import { stat } from 'node:fs/promises';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { backUp } from '../../server/commands/backup.ts';
import { restore } from '../../server/commands/restore.ts';
import type { Database } from '../../server/stores/sql/tables.ts';
import { differencesOf } from '../../server/stores/sql/differences.ts';
import { assertSameTables, copyRows, tablesOf } from '../../server/stores/sql/whole.ts';
import { databasePath } from '../../server/stores/sqlite/database-file.ts';
import { openDatabase } from '../../server/stores/sqlite/open.ts';
import { openSqlite } from '../../server/stores/sqlite/sqlite.ts';
import { nodeSqliteDialect } from '../../server/stores/sqlite/sqlite-dialect.ts';
import { revisionOf } from '../../server/stores/sqlite/sqlite-revision.ts';
import { raiseIds } from '../../server/stores/sqlite/sqlite-ids.ts';
import { wholeSqlite } from '../../server/stores/sqlite/whole-sqlite.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { create, cursorNow, page } from './feed-client.ts';
import { freshFolder, signedIn } from './harness.ts';

const row = { version: 'v', created_at: '', updated_at: '' };

/** The database of a fresh data folder. */
async function fresh() {
  const folder = await freshFolder();
  const db = await openDatabase(folder);
  onTestFinished(() => db.destroy());
  return { folder, db };
}

/** Works beside the process that has a folder's database open. */
function beside<T>(path: string, task: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    return task(database);
  } finally {
    database.close();
  }
}

/** Adds choices that fill several pages of the database. */
async function addLookups(db: Database): Promise<void> {
  const rows = Array.from({ length: 500 }, (_, i) => ({ lookup: 'x', parent: '', value: `${i}` }));
  await db.insertInto('lookups').values(rows).execute();
}

/** Overwrites the beginning of a page of a database file. */
function damagePage(path: string): void {
  const bytes = readFileSync(path);
  const at = bytes.indexOf('ups-types');
  bytes.fill(0xff, at - (at % 4096), at - (at % 4096) + 200);
  writeFileSync(path, bytes);
}

test('locks out other writers from the first read of a transaction on, so that what it read stays true', async () => {
  const { folder, db } = await fresh();
  await db.transaction().execute(async (writing) => {
    await writing.selectFrom('users').selectAll().execute();
    const write = () => beside(databasePath(folder), (other) => other.exec('DELETE FROM lookups'));
    expect(write).toThrow('locked');
  });
});

test('caches at most two hundred prepared statements', async () => {
  const database = new DatabaseSync(':memory:');
  const prepare = vi.spyOn(database, 'prepare');
  const db = new Kysely({ dialect: nodeSqliteDialect(database) });
  onTestFinished(() => db.destroy());
  const ask = (number: number) => sql`SELECT ${sql.lit(number)}`.execute(db);
  for (let number = 0; number < 200; number += 1) await ask(number);
  await ask(0);
  expect(prepare).toHaveBeenCalledTimes(200);
  await ask(200);
  await ask(0);
  expect(prepare).toHaveBeenCalledTimes(202);
});

test('refuses a database used by a newer program with an explanation, and closes it', async () => {
  const { folder, db } = await fresh();
  await sql`INSERT INTO kysely_migration (name, timestamp) VALUES ('999-of-tomorrow', '')`.execute(db);
  const opened: DatabaseSync[] = [];
  const open = (path: string) => {
    const database = openSqlite(path);
    opened.push(database);
    return database;
  };
  await expect(openDatabase(folder, open)).rejects.toThrow('Was it used by a newer Voltdesk?');
  expect(opened.map(({ isOpen }) => isOpen)).toEqual([false]);
});

test('numbers a kind of record new to a database from then on, including its existing rows', async () => {
  const { folder, db } = await fresh();
  await db
    .insertInto('partners' as 'records')
    .values(row)
    .execute();
  for (const event of ['insert', 'update', 'delete'])
    await sql.raw(`DROP TRIGGER feed_of_partners_${event}`).execute(db);
  await sql`DELETE FROM feed WHERE subject = 'partners'`.execute(db);
  const again = await openDatabase(folder);
  onTestFinished(() => again.destroy());
  await again
    .insertInto('partners' as 'records')
    .values(row)
    .execute();
  const rows = await again.selectFrom('feed').select('record_id').where('subject', '=', 'partners').execute();
  expect(rows.map(({ record_id }) => record_id)).toEqual([1, 2]);
});

test('keeps links, sessions and holds on files out of backups and restored data', async () => {
  const { app, dataDir } = await signedIn();
  const { db } = app.services;
  const link = {
    purpose: 'invitation',
    name: 'a',
    email: 'a',
    role: 'viewer',
    created_at: '',
    expires_at: '9',
  } as const;
  await db
    .insertInto('links')
    .values({ ...link, hash: 'h', user_id: null })
    .execute();
  const file = join(await freshFolder(), 'one.voltdesk');
  await backUp(dataDir, file);
  const rowsIn = (database: DatabaseSync) =>
    ['links', 'tokens', 'file_holds'].map((table) => database.prepare(`SELECT * FROM ${table}`).all().length);
  expect(beside(file, rowsIn)).toEqual([0, 0, 0]);
  // older versions included sessions
  beside(file, (database) =>
    database.exec("INSERT INTO tokens (hash, user_id, created_at, used_at) VALUES ('h', 1, '2026', '2026')"),
  );
  const elsewhere = await freshFolder();
  await restore({ dataDir: elsewhere, file, now: 0 });
  expect(beside(databasePath(elsewhere), rowsIn)).toEqual([0, 0, 0]);
  for (const path of [file, databasePath(elsewhere)]) expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('invalidates earlier cursors after a restore, however high the numbers are by then', async () => {
  const { admin, app, dataDir } = await signedIn();
  const file = join(await freshFolder(), 'one.voltdesk');
  await backUp(dataDir, file);
  await create(admin, partners, 'lost');
  const before = await cursorNow(admin);
  await app.close();
  await restore({ dataDir, file, now: 0 });
  const restored = await signedIn({ DATA_DIR: dataDir });
  await create(restored.admin, partners, 'new');
  const told = await page(restored.admin, before);
  expect([told.snapshot, told.changed.partners?.length]).toEqual([true, 1]);
});

test('refuses to restore a database that is not a backup, and says so', async () => {
  const { app, dataDir } = await signedIn();
  await app.close();
  const elsewhere = await freshFolder();
  await expect(restore({ dataDir: elsewhere, file: databasePath(dataDir), now: 0 })).rejects.toThrow(
    'is no backup of Voltdesk',
  );
});

test('refuses to restore a backup with a damaged page, and says so', async () => {
  const { folder, db } = await fresh();
  await addLookups(db);
  const file = join(await freshFolder(), 'one.voltdesk');
  await backUp(folder, file);
  damagePage(file);
  await expect(restore({ dataDir: await freshFolder(), file, now: 0 })).rejects.toThrow(
    /^The backup .+ is damaged \(.+\)\.$/s,
  );
});

test('continues after a restore from the higher of the backup’s own ids and those already used', async () => {
  const { folder, db } = await fresh();
  for (const kind of ['partners', 'sliders', 'ups'] as const)
    await db
      .insertInto(kind as 'records')
      .values({ ...row, id: 5 })
      .execute();
  const last = beside(databasePath(folder), (database) => {
    raiseIds(
      database,
      new Map([
        ['partners', 2],
        ['sliders', 9],
      ]),
    );
    return new Map(
      database
        .prepare('SELECT name, seq FROM sqlite_sequence')
        .all()
        .map((one) => [one['name'], one['seq']]),
    );
  });
  expect(['partners', 'sliders', 'ups'].map((kind) => last.get(kind))).toEqual([5, 9, 5]);
});

test('leaves a wide gap above the ids of the backup when restored over a file that is not a database', async () => {
  const { admin, app, dataDir } = await signedIn();
  await create(admin, partners, 'kept');
  const file = join(await freshFolder(), 'one.voltdesk');
  await backUp(dataDir, file);
  await app.close();
  const elsewhere = await freshFolder();
  writeFileSync(databasePath(elsewhere), 'no database at all');
  await restore({ dataDir: elsewhere, file, now: 0 });
  const restored = await signedIn({ DATA_DIR: elsewhere });
  expect(await create(restored.admin, partners, 'next')).toBe(1_000_002);
});

test('copies every row of a long table, and names at most ten differences', async () => {
  const { db: from } = await fresh();
  const { db: to } = await fresh();
  const rows = Array.from({ length: 1001 }, (_, i) => ({ ...row, id: i + 1 }));
  await from
    .insertInto('partners' as 'records')
    .values(rows)
    .execute();
  const copied = await to
    .transaction()
    .execute((writing) => copyRows(wholeSqlite(from), from, wholeSqlite(to), writing));
  const tables = [...(await tablesOf(wholeSqlite(to), to)).keys()];
  const counts = await Promise.all(
    tables.map((table) => sql<{ count: number }>`SELECT count(*) AS count FROM ${sql.table(table)}`.execute(to)),
  );
  expect(copied).toBe(counts.reduce((sum, { rows: [found] }) => sum + (found?.count ?? 0), 0));
  const names = await to
    .selectFrom('partners' as 'records')
    .select('id')
    .execute();
  expect(names).toHaveLength(1001);
  const differences = async () => {
    const found = await differencesOf(
      { whole: wholeSqlite(from), reading: from },
      { whole: wholeSqlite(to), reading: to },
    );
    return found.filter((one) => !one.startsWith('feed: '));
  };
  expect(await differences()).toEqual([]);
  const ids = [990, 991, 992, 993, 994, 995, 996, 997, 998, 999];
  const remove = (first: number) =>
    to
      .deleteFrom('partners' as 'records')
      .where('id', '>=', first)
      .where('id', '<', 1000)
      .execute();
  await remove(990);
  const named = ids.map((id) => `id ${id}`).join(', ');
  expect(await differences()).toEqual([`partners: not there, or otherwise: 10 rows (${named})`]);
  await remove(989);
  expect(await differences()).toEqual([
    `partners: not there, or otherwise: 11 rows (id 989, ${named.replace(', id 999', '')}, …)`,
  ]);
});

test('names columns that only one of two databases has, in either direction', () => {
  const [less, more] = [new Map([['ups', ['id']]]), new Map([['ups', ['id', 'brand']]])];
  expect(() => assertSameTables(less, less)).not.toThrow();
  expect(() => assertSameTables(less, more)).toThrow('Only one of the two databases has ups.brand.');
  expect(() => assertSameTables(more, less)).toThrow('Only one of the two databases has ups.brand.');
});

test('makes a database unreadable for other users of the machine when it is opened', async () => {
  const folder = await freshFolder();
  (await openDatabase(folder)).destroy();
  chmodSync(databasePath(folder), 0o644);
  const db = await openDatabase(folder);
  onTestFinished(() => db.destroy());
  expect(statSync(databasePath(folder)).mode & 0o777).toBe(0o600);
});

test('refuses a database with a damaged page with an explanation, before anyone works on it', async () => {
  const folder = await freshFolder();
  const db = await openDatabase(folder);
  await addLookups(db);
  await db.destroy();
  damagePage(databasePath(folder));
  await expect(openDatabase(folder)).rejects.toThrow(
    /is damaged \(.+\)\. Restore the last backup: npm run restore -- FILE/s,
  );
});

describe('the revision of a database', () => {
  /** A database whose revision is followed. */
  async function followed() {
    const path = join(await freshFolder(), 'one.sqlite');
    const database = openSqlite(path);
    const revision = revisionOf(database);
    const db = new Kysely<{ a: { b: number } }>({
      dialect: nodeSqliteDialect(database, { afterWriting: revision.written }),
    });
    onTestFinished(() => db.destroy());
    await sql`CREATE TABLE a (b)`.execute(db);
    return { path, db, revision };
  }
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  test('stays the same while nothing is written', async () => {
    const { db, revision } = await followed();
    const before = revision.now();
    await db.selectFrom('a').selectAll().execute();
    await turn();
    expect(revision.now()).toBe(before);
  });

  test.each([
    ['a statement', async (db: Kysely<{ a: { b: number } }>) => void (await sql`INSERT INTO a VALUES (1)`.execute(db))],
    [
      'one that returns rows',
      async (db: Kysely<{ a: { b: number } }>) => void (await sql`INSERT INTO a VALUES (1) RETURNING b`.execute(db)),
    ],
    [
      'one that begins with a query',
      async (db: Kysely<{ a: { b: number } }>) =>
        void (await sql`WITH c AS (SELECT 1 AS b) INSERT INTO a SELECT b FROM c`.execute(db)),
    ],
  ])('changes at once with %s of this process', async (_which, write) => {
    const { db, revision } = await followed();
    const before = revision.now();
    await write(db);
    expect(revision.now()).not.toBe(before);
  });

  test('changes with a transaction that has not ended', async () => {
    const { db, revision } = await followed();
    await db.transaction().execute(async (writing) => {
      const before = revision.now();
      await sql`INSERT INTO a VALUES (1)`.execute(writing);
      expect(revision.now()).not.toBe(before);
    });
  });

  test('changes with another process, for requests that arrive afterwards', async () => {
    const { path, revision } = await followed();
    const before = revision.now();
    beside(path, (other) => other.exec('INSERT INTO a VALUES (1)'));
    await turn();
    expect(revision.now()).not.toBe(before);
  });
});
