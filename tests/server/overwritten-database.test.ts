import { copyFileSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { databasePath } from '../../server/stores/sqlite/database-file.ts';
import { openSqlite } from '../../server/stores/sqlite/sqlite.ts';
import { nodeSqliteDialect } from '../../server/stores/sqlite/sqlite-dialect.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { formOf, freshFolder, signedIn, startServer } from './harness.ts';
import { filesFor, valuesFor } from './samples.ts';

/** A database of a Voltdesk that is not this one. */
async function otherDatabase(): Promise<string> {
  const { app, dataDir } = await startServer();
  await app.close();
  return databasePath(dataDir);
}

test.each([
  ['is overwritten', (path: string) => writeFileSync(path, 'no database '.repeat(2000))],
  ['is overwritten with zeros', (path: string) => writeFileSync(path, Buffer.alloc(readFileSync(path).length))],
  ['is emptied', (path: string) => truncateSync(path)],
  ['is removed', (path: string) => rmSync(path)],
  ['is moved away', (path: string) => renameSync(path, `${path}.away`)],
  [
    'is replaced by a copy',
    (path: string) => {
      copyFileSync(path, `${path}.copy`);
      renameSync(`${path}.copy`, path);
    },
  ],
  ['is overwritten with another one', async (path: string) => copyFileSync(await otherDatabase(), path)],
])('is not ready any more when its database %s, names it and takes no change', async (_what, harm) => {
  const { app, admin, dataDir } = await signedIn();
  const form = formOf(valuesFor(partners.fields), await filesFor(partners));
  expect((await app.inject('/readyz')).statusCode).toBe(200);
  expect((await admin.post(partners.endpoints.create, form)).statusCode).toBe(200);
  await harm(databasePath(dataDir));
  const answer = await app.inject('/readyz');
  expect([answer.statusCode, answer.json().message]).toEqual([503, expect.stringContaining(databasePath(dataDir))]);
  expect((await admin.post(partners.endpoints.create, form)).statusCode).toBe(503);
});

test('stays ready beside a backup that began before it', async () => {
  const { app, dataDir } = await startServer();
  await app.close();
  const reader = openSqlite(databasePath(dataDir));
  reader.exec('BEGIN; SELECT count(*) FROM users');
  const second = await startServer({ DATA_DIR: dataDir });
  expect((await second.app.inject('/readyz')).statusCode).toBe(200);
  reader.close();
});

test('names the database whose file is none when a statement fails', async () => {
  const path = join(await freshFolder(), 'one.sqlite');
  const db = new Kysely({ dialect: nodeSqliteDialect(openSqlite(path)) });
  await sql`CREATE TABLE a (b)`.execute(db);
  await sql`PRAGMA wal_checkpoint(TRUNCATE)`.execute(db);
  await sql`PRAGMA cache_size = 0`.execute(db);
  writeFileSync(path, 'no database '.repeat(2000));
  await expect(sql`SELECT * FROM a`.execute(db)).rejects.toThrow(`The database ${path} is damaged`);
  await db.destroy();
});
