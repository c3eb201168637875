import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { backUp } from '../../server/commands/backup.ts';
import { restore } from '../../server/commands/restore.ts';
import type { Database } from '../../server/stores/sql/tables.ts';
import { openDatabase } from '../../server/stores/sqlite/open.ts';
import { wholeSqlite } from '../../server/stores/sqlite/whole-sqlite.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { create, cursorNow, page } from './feed-client.ts';
import { freshFolder, signedIn } from './harness.ts';

/** Turns a database into what it was before its changes were numbered. */
async function dropNumbering(db: Database): Promise<void> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM sqlite_schema WHERE type = 'trigger'`.execute(db);
  for (const { name } of rows) await sql`DROP TRIGGER ${sql.id(name)}`.execute(db);
  await sql`DELETE FROM feed`.execute(db);
}

test('numbers changes made after the content was replaced as a whole, and not the replacement itself', async () => {
  const db = await openDatabase(await freshFolder());
  onTestFinished(() => db.destroy());
  const { unnumbered } = wholeSqlite(db);
  const addPartner = (to: Database) =>
    to
      .insertInto('partners' as 'records')
      .values({ version: 'v', created_at: '', updated_at: '' })
      .execute();
  const numbered = async () =>
    (await db.selectFrom('feed').selectAll().execute()).filter(({ subject }) => subject === 'partners').length;
  await db.transaction().execute((writing) => unnumbered(writing, async () => void (await addPartner(writing))));
  expect(await numbered()).toBe(0);
  await addPartner(db);
  expect(await numbered()).toBe(1);
});

test('lists what an older version has stored from the beginning, in order', async () => {
  const { app, dataDir } = await signedIn();
  const { db } = app.services;
  await db
    .insertInto('partners' as 'records')
    .values({ version: 'v', created_at: '', updated_at: '' })
    .execute();
  await dropNumbering(db);
  await app.close();
  const { admin } = await signedIn({ DATA_DIR: dataDir });
  const told = await page(admin);
  expect(told.changed.partners).toMatchObject([{ id: 1 }]);
  expect(told.settings).toMatchObject({ id: 1 });
});

test('starts over after a restore, and reuses no number', async () => {
  const { admin, app, dataDir } = await signedIn();
  const file = join(await freshFolder(), 'backup.voltdesk');
  await create(admin, partners, 'kept');
  await backUp(dataDir, file);
  await create(admin, partners, 'lost');
  const before = await cursorNow(admin);
  await app.close();
  await restore({ dataDir, file, now: 0 });
  const restored = await signedIn({ DATA_DIR: dataDir });
  const again = await page(restored.admin, before);
  expect(again.snapshot).toBe(true);
  expect(again.changed.partners).toHaveLength(1);
  await create(restored.admin, partners, 'new');
  const seqOf = (cursor: string) => Number(cursor.split('.')[1]);
  expect(seqOf(await cursorNow(restored.admin))).toBeGreaterThan(seqOf(before));
});
