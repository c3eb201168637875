import '../on-postgres.ts';
import { expect, test } from 'vitest';
import { generators } from '../../../src/domain/resources/generators.ts';
import { create, cursorNow, page } from '../feed-client.ts';
import { formOf, signedIn, startServer, withKey } from '../harness.ts';
import { filesFor, valuesFor } from '../samples.ts';

const { endpoints, fields } = generators;

test('creates, edits and deletes a record with files on PostgreSQL, and tells each once in the feed', async () => {
  const { admin } = await signedIn();
  const start = await cursorNow(admin);
  const id = await create(admin, generators, 'one');
  const created = (await admin.get(`${endpoints.single}/${id}`)).json();
  expect(created).toMatchObject({ id, brand: 'Brand one', images: [expect.anything(), expect.anything()] });
  const told = await page(admin, start);
  expect(told.changed).toMatchObject({ generators: [{ id, version: created.version }] });
  const on = { 'if-match': `"${created.version}"` };
  const edit = (mark: string) => admin.post(`${endpoints.single}/${id}`, formOf(valuesFor(fields, mark)), on);
  expect((await edit('two')).statusCode).toBe(200);
  expect((await edit('three')).json()).toMatchObject({ code: 'version-mismatch' });
  expect((await admin.get(endpoints.list)).json()).toMatchObject([{ id, brand: 'Brand two' }]);
  expect((await admin.post(`${endpoints.delete}/${id}`, undefined)).statusCode).toBe(200);
  expect((await page(admin, told.cursor)).deleted).toEqual({ generators: [id] });
});

test('executes a repeated request once on PostgreSQL, also after a restart', async () => {
  const { app, admin, dataDir } = await signedIn();
  const key = withKey();
  const files = await filesFor(generators);
  const send = (client: typeof admin) => client.post(endpoints.create, formOf(valuesFor(fields), files), key);
  const first = await send(admin);
  expect((await send(admin)).json()).toEqual(first.json());
  await app.close();
  const { client } = await startServer({ DATA_DIR: dataDir });
  const again = await client();
  await again.signIn();
  expect((await send(again)).json()).toEqual(first.json());
  expect((await again.get(endpoints.list)).json()).toHaveLength(1);
});
