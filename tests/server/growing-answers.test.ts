import { expect, test } from 'vitest';
import { feedPage } from '../../server/stores/sql/feed.ts';
import { historyOf, noteChange } from '../../server/stores/sql/history.ts';
import { startServer } from './harness.ts';

const WHO = { user: { id: 1, name: 'Nadia' } };

/** Edits of one record, each with a long text. */
async function edited(count: number, text: string) {
  const { db } = (await startServer()).app.services;
  const happening = { at: '2026-11-20T12:00:00Z', by: WHO, resource: 'partners', recordId: 7 } as const;
  await db.transaction().execute(async (writing) => {
    await noteChange(writing, { ...happening, action: 'create', after: { name: 'first' } });
    for (let edit = 0; edit < count; edit += 1)
      await noteChange(writing, { ...happening, action: 'update', before: { name: `${edit}` }, after: { name: text } });
  });
  return db;
}

test('returns the history of a record in pages of fifty, the newest first', async () => {
  const db = await edited(120, 'short');
  const pages = [];
  for (let before: number | undefined; ; before = pages.at(-1)?.at(-1)?.id) {
    const page = await historyOf(db, 'partners', 7, before);
    if (page.length === 0) break;
    pages.push(page);
  }
  expect(pages.map((page) => page.length)).toEqual([50, 50, 21]);
  const ids = pages.flat().map(({ id }) => id);
  expect(ids).toEqual(ids.toSorted((one, other) => other - one));
  expect(pages.at(-1)?.at(-1)?.action).toBe('create');
});

test('ends a page of long texts early, but never before its first entry', async () => {
  const db = await edited(12, 'x'.repeat(200_000));
  expect(await historyOf(db, 'partners', 7)).toHaveLength(2);
  await db
    .updateTable('changes')
    .set({ after: JSON.stringify({ name: 'x'.repeat(2_000_000) }) })
    .execute();
  expect(await historyOf(db, 'partners', 7)).toHaveLength(1);
});

test('keeps five hundred changes of a record, and its creation', async () => {
  const db = await edited(505, 'short');
  const kept = await db.selectFrom('changes').select('action').orderBy('id').execute();
  expect([kept.length, kept[0]?.action, kept[1]?.action]).toEqual([501, 'create', 'update']);
});

test('ends a page of the feed when its records are long, and continues without a gap', async () => {
  const { db } = (await startServer()).app.services;
  const at = '2026-11-20T12:00:00Z';
  const row = { version: 'v', created_at: at, updated_at: at, description: 'x'.repeat(40_000) };
  await db
    .insertInto('projects' as 'records')
    .values(Array.from({ length: 230 }, () => row as never))
    .execute();
  const ids: number[] = [];
  let since: string | undefined;
  const lengths: number[] = [];
  for (let more = true; more; ) {
    const page = await feedPage(db, since);
    const read = page.changed.projects ?? [];
    lengths.push(read.length);
    ids.push(...read.map(({ id }) => id));
    ({ cursor: since, more } = page);
  }
  expect(Math.max(...lengths)).toBe(100);
  expect(ids).toEqual(Array.from({ length: 230 }, (_, index) => index + 1));
});
