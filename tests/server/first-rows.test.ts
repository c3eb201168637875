import { expect, test } from 'vitest';
import { FIRST_ROWS } from '../../src/domain/limits.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { projects } from '../../src/domain/resources/projects.ts';
import { type Resource, firstRowsAddress } from '../../src/domain/resource.ts';
import { startServer } from './harness.ts';

/** Rows of which the first was changed last. */
async function withRows(resource: Resource, count: number) {
  const { app, client } = await startServer();
  const { db } = app.services;
  const table = resource.name as 'records';
  const row = { version: 'v', created_at: '', updated_at: '' };
  await db
    .insertInto(table)
    .values(Array.from({ length: count }, () => row))
    .execute();
  await db.updateTable(table).set({ version: 'w' }).where('id', '=', 1).execute();
  const admin = await client();
  await admin.signIn();
  return async (path: string) => (await admin.get(path)).json() as { id: number }[];
}

test('returns only the first rows of a long list on request, and otherwise the whole list', async () => {
  const get = await withRows(generators, FIRST_ROWS + 20);
  const whole = await get(generators.endpoints.list);
  expect(whole).toHaveLength(FIRST_ROWS + 20);
  expect(await get(firstRowsAddress(generators))).toEqual(whole.slice(0, FIRST_ROWS));
  // no device asks with another number
  expect(await get(`${generators.endpoints.list}?first=7`)).toEqual(whole);
});

test('returns a short list whole', async () => {
  const get = await withRows(generators, 3);
  expect(await get(firstRowsAddress(generators))).toEqual(await get(generators.endpoints.list));
});

test('returns the first page as the first rows of a paged list', async () => {
  const get = await withRows(projects, FIRST_ROWS + 20);
  expect(await get(firstRowsAddress(projects))).toHaveLength(FIRST_ROWS);
});

test('returns a paged list page by page, each row once, and nothing past its end', async () => {
  const get = await withRows(projects, 250);
  const ids: number[] = [];
  for (const page of [1, 2, 3, 4]) {
    ids.push(...(await get(`${projects.endpoints.list}?page=${page}`)).map(({ id }) => id));
  }
  expect(ids).toEqual(Array.from({ length: 250 }, (_, index) => index + 1));
  const first = await get(projects.endpoints.list);
  for (const page of ['0', '-1', 'none', ''])
    expect(await get(`${projects.endpoints.list}?page=${page}`)).toEqual(first);
});

test('returns whole records of a paged list page by page too', async () => {
  const get = await withRows(projects, 130);
  const pages = await Promise.all([1, 2, 3].map((page) => get(`${projects.endpoints.list}?full=1&page=${page}`)));
  expect(pages.map((rows) => rows.length)).toEqual([100, 30, 0]);
  expect(pages.flat().map(({ id }) => id)).toEqual(Array.from({ length: 130 }, (_, index) => index + 1));
});

test('returns pages past the hundredth of a paged list too', async () => {
  const get = await withRows(projects, 10_001);
  expect((await get(`${projects.endpoints.list}?page=101`)).map(({ id }) => id)).toEqual([10_001]);
});
