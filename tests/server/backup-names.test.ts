import { readdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { backUp, backUpTo } from '../../server/commands/backup.ts';
import { openBeside } from '../../server/commands/installation.ts';
import { databasePath } from '../../server/stores/sqlite/database-file.ts';
import { freshFolder, signedIn } from './harness.ts';

const NOW = Date.parse('2026-11-28T12:00:00Z');
const AHEAD = 'voltdesk-2030-01-01T00-00-00-000Z.voltdesk';

test('keeps the backup just written, and those that a clock ahead has named', async () => {
  const { dataDir } = await signedIn();
  const folder = await freshFolder();
  await writeFile(join(folder, AHEAD), '');
  const kept: string[] = [];
  for (const later of [0, 1000, 2000]) {
    const { file } = await backUpTo(dataDir, { folder, keep: 2, key: '', now: NOW + later });
    kept.push(basename(file));
    expect(await readdir(folder)).toContain(basename(file));
  }
  expect((await readdir(folder)).toSorted()).toEqual([...kept.slice(-2), AHEAD]);
});

test('ends a backup beside a process that never stops writing', async () => {
  const { dataDir } = await signedIn();
  const writer = new DatabaseSync(databasePath(dataDir), { timeout: 10_000 });
  writer.exec('CREATE TABLE ballast (bytes BLOB); INSERT INTO ballast VALUES (zeroblob(8000000))');
  const writing = setInterval(() => writer.exec('INSERT INTO ballast VALUES (zeroblob(10))'), 1);
  onTestFinished(() => {
    clearInterval(writing);
    writer.close();
  });
  expect(await backUp(dataDir, join(await freshFolder(), 'one.voltdesk'))).toMatchObject({ damaged: [] });
});

test('refuses a command on a database of another release, and changes nothing in it', async () => {
  const { dataDir, app } = await signedIn();
  await app.close();
  const settings = { dataDir, databaseUrl: '', uploadsUrl: '' };
  const database = new DatabaseSync(databasePath(dataDir));
  onTestFinished(() => database.close());
  const names = () => database.prepare('SELECT name FROM kysely_migration').all().length;
  const all = names();
  database.exec("DELETE FROM kysely_migration WHERE name >= '007'");
  const fewer = names();
  await expect(openBeside(settings)).rejects.toThrow('The database is that of an older Voltdesk.');
  expect([fewer < all, names()]).toEqual([true, fewer]);
  database.exec("INSERT INTO kysely_migration (name, timestamp) VALUES ('999-later', '')");
  await expect(openBeside(settings)).rejects.toThrow('The database was used by a newer Voltdesk.');
});

test('says what to do about a database whose first start was killed before it had tables', async () => {
  const dataDir = await freshFolder();
  const database = new DatabaseSync(databasePath(dataDir));
  database.exec('PRAGMA journal_mode = WAL');
  database.close();
  const opening = openBeside({ dataDir, databaseUrl: '' });
  await expect(opening).rejects.toThrow('only a start brings a database up to date');
});

test('answers none of the columns that a newer release has added', async () => {
  const { admin, dataDir } = await signedIn();
  const database = new DatabaseSync(databasePath(dataDir), { timeout: 10_000 });
  database.exec("ALTER TABLE site_meta ADD COLUMN later TEXT DEFAULT 'secret'");
  database.close();
  expect((await admin.get('/api/feed')).json().settings).not.toHaveProperty('later');
});
