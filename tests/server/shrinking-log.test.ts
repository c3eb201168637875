import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqlite } from '../../server/stores/sqlite/sqlite.ts';
import { freshFolder } from './harness.ts';

const MEGABYTE = 1024 * 1024;

test('shrinks its log after a long reader, such as a backup, has made it grow', async () => {
  const path = join(await freshFolder(), 'one.sqlite');
  const [database, reader] = [openSqlite(path), openSqlite(path)];
  database.exec('PRAGMA synchronous = OFF; CREATE TABLE a (b)');
  reader.exec('BEGIN; SELECT count(*) FROM a');
  const write = () => database.exec('INSERT INTO a VALUES (randomblob(1000000))');
  for (let time = 0; time < 12; time += 1) write();
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(10 * MEGABYTE);
  reader.exec('COMMIT');
  reader.close();
  for (let time = 0; time < 3; time += 1) write();
  expect(statSync(`${path}-wal`).size).toBeLessThan(6 * MEGABYTE);
  database.close();
});
