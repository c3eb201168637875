import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { differencesOf } from '../../server/stores/sql/differences.ts';
import { openDatabase } from '../../server/stores/sqlite/open.ts';
import { wholeSqlite } from '../../server/stores/sqlite/whole-sqlite.ts';
import { realDisk } from '../../server/uploads/disk.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { create, page, readOn } from './feed-client.ts';
import { freshFolder, signedIn } from './harness.ts';

const numbers = (count: number) =>
  sql.raw(`WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${count})`);

test('starts beside more dropped files than a statement takes values, and answers changes at once', async () => {
  const dataDir = join(await freshFolder(), 'data');
  // the files are gone already
  const overrides = { disk: { ...realDisk, remove: async () => undefined } };
  const first = await signedIn({ DATA_DIR: dataDir }, overrides);
  const { db, removal } = first.app.services;
  await sql`INSERT INTO removed_files (name) ${numbers(33_000)} SELECT n || '.png' FROM n`.execute(db);
  const left = async () => (await sql`SELECT 1 FROM removed_files LIMIT 1`.execute(db)).rows.length;
  await create(first.admin, partners, 'one');
  // answered before they are all removed
  expect(await left()).toBe(1);
  await removal.done();
  expect(await left()).toBe(0);
  await sql`INSERT INTO removed_files (name) ${numbers(33_000)} SELECT n || '.png' FROM n`.execute(db);
  await first.app.close();
  await signedIn({ DATA_DIR: dataDir }, overrides);
});

test('sends a new device nothing that was deleted before it came, in few answers', async () => {
  const { admin, app } = await signedIn();
  const gone = await create(admin, partners, 'gone');
  const { db } = app.services;
  await sql`INSERT INTO feed (subject, record_id) ${numbers(20_000)} SELECT 'partners', 1000 + n FROM n`.execute(db);
  await admin.post(`${partners.endpoints.delete}/${gone}`, undefined);
  const left = await create(admin, partners, 'left');
  const first = await page(admin);
  await admin.post(`${partners.endpoints.delete}/${left}`, undefined);
  const rest = await readOn(admin, first.cursor);
  const pages = [first, ...rest];
  expect(pages.flatMap(({ deleted }) => deleted.partners ?? [])).toEqual([left]);
  expect(pages.length).toBeLessThan(5);
  expect(pages.at(-1)?.cursor).toMatch(/^[\w-]+\.\d+$/);
});

test('finds single differences among many rows', async () => {
  const [one, other] = [await openDatabase(await freshFolder()), await openDatabase(await freshFolder())];
  for (const db of [one, other]) {
    await sql`DELETE FROM feed`.execute(db);
    await sql`INSERT INTO idempotency_keys (user_id, key, fingerprint, status, body, created_at) ${numbers(5000)}
      SELECT 1, 'key ' || n, '', 200, '{}', '' FROM n`.execute(db);
  }
  await sql`UPDATE idempotency_keys SET body = '[]' WHERE key = 'key 4000'`.execute(other);
  await sql`DELETE FROM idempotency_keys WHERE key = 'key 17'`.execute(other);
  const found = await differencesOf(
    { whole: wholeSqlite(one), reading: one },
    { whole: wholeSqlite(other), reading: other },
  );
  await Promise.all([one.destroy(), other.destroy()]);
  expect(found.filter((text) => text.startsWith('idempotency_keys'))).toEqual([
    'idempotency_keys: not there, or otherwise: 2 rows',
    'idempotency_keys: too much, or otherwise: 1 row',
  ]);
});
