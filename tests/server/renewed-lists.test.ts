import { DatabaseSync } from 'node:sqlite';
import { Kysely, type KyselyConfig, sql } from 'kysely';
import { onTestFinished, expect, test } from 'vitest';
import type { Encodable } from '../../server/protocol/encodable.ts';
import { renewLists } from '../../server/stores/sql/renewed-lists.ts';
import type { Database, Tables } from '../../server/stores/sql/tables.ts';
import { databasePath } from '../../server/stores/sqlite/database-file.ts';
import { openDatabase } from '../../server/stores/sqlite/open.ts';
import { openSqlite } from '../../server/stores/sqlite/sqlite.ts';
import { nodeSqliteDialect } from '../../server/stores/sqlite/sqlite-dialect.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { freshFolder } from './harness.ts';

/** A database that numbers its changes, and the list of partners as it is updated. */
async function world(log?: KyselyConfig['log']) {
  const folder = await freshFolder();
  const db = await openDatabase(folder);
  const reading = new Kysely<Tables>({
    dialect: nodeSqliteDialect(openSqlite(databasePath(folder))),
    ...(log === undefined ? {} : { log }),
  });
  onTestFinished(async () => {
    await db.destroy();
    await reading.destroy();
  });
  const lists = renewLists(reading);
  const names = async () => namesIn(await lists(partners));
  return { db, path: databasePath(folder), names };
}

async function namesIn(answer: Encodable): Promise<string[]> {
  const { bytes } = await answer.encodedFor('');
  return (JSON.parse(bytes.toString()) as { name: string }[]).map(({ name }) => name);
}

const insert = (db: Database, name: string, id?: number) =>
  db
    .insertInto('partners' as 'records')
    .values({ version: 'v', created_at: '', updated_at: '', name, ...(id === undefined ? {} : { id }) } as never)
    .execute();

test('reads a list again with the next request after a failure', async () => {
  const { db, names } = await world();
  await insert(db, 'one');
  expect(await names()).toEqual(['one']);
  await sql`ALTER TABLE partners RENAME TO lost`.execute(db);
  await expect(names()).rejects.toThrow('no such table');
  await sql`ALTER TABLE lost RENAME TO partners`.execute(db);
  expect(await names()).toEqual(['one']);
});

test('updates a list with added, changed and removed rows, in the order of ids', async () => {
  const { db, names } = await world();
  for (const id of [2, 9]) await insert(db, `partner ${id}`, id);
  expect(await names()).toEqual(['partner 2', 'partner 9']);
  await insert(db, 'partner 5', 5);
  await db
    .updateTable('partners' as 'records')
    .set({ name: 'other 9' } as never)
    .where('id', '=', 9)
    .execute();
  expect(await names()).toEqual(['partner 2', 'partner 5', 'other 9']);
  await db
    .deleteFrom('partners' as 'records')
    .where('id', '=', 2)
    .execute();
  expect(await names()).toEqual(['partner 5', 'other 9']);
});

test('includes a row added during the first read of a list in the next request', async () => {
  let meanwhile: (() => void) | undefined;
  const { db, path, names } = await world(() => {
    meanwhile?.();
    meanwhile = undefined;
  });
  await insert(db, 'one');
  const other = new DatabaseSync(path);
  onTestFinished(() => other.close());
  // after the first of the statements that read it
  meanwhile = () =>
    other.exec("INSERT INTO partners (version, created_at, updated_at, name) VALUES ('v', '', '', 'two')");
  await names();
  expect(await names()).toEqual(['one', 'two']);
});
