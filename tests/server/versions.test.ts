import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { historyPath } from '../../src/domain/history.ts';
import { projects } from '../../src/domain/resources/projects.ts';
import { siteMeta } from '../../src/domain/resources/site-meta.ts';
import { formOf, startServer, openBeside } from './harness.ts';
import { filesFor, valuesFor } from './samples.ts';

async function withProject() {
  const server = await startServer();
  const admin = await server.client();
  await admin.signIn();
  const form = formOf(valuesFor(projects.fields), await filesFor(projects));
  const { id, version } = (await admin.post(projects.endpoints.create, form)).json();
  return { ...server, admin, id, version, single: `${projects.endpoints.single}/${id}` };
}

test('refuses an update and a delete based on an older version', async () => {
  const { admin, single, version, id } = await withProject();
  const form = () => formOf(valuesFor(projects.fields, 'two'));
  const current = (await admin.post(single, form(), { 'if-match': `"${version}"` })).json().version;
  for (const url of [single, `${projects.endpoints.delete}/${id}`]) {
    const refused = await admin.post(url, url === single ? form() : undefined, { 'if-match': `"${version}"` });
    expect(refused.statusCode).toBe(412);
    expect(refused.json()).toMatchObject({ code: 'version-mismatch', version: current });
  }
  expect((await admin.get(single)).json().version).toBe(current);
});

test('accepts an update and a delete without a version', async () => {
  const { admin, single, id } = await withProject();
  expect((await admin.post(single, formOf(valuesFor(projects.fields)))).statusCode).toBe(200);
  expect((await admin.post(`${projects.endpoints.delete}/${id}`, undefined)).statusCode).toBe(200);
});

test('reports a missing record before an invalid form', async () => {
  const { admin } = await withProject();
  expect((await admin.post(`${projects.endpoints.single}/999`, formOf({}))).statusCode).toBe(404);
  expect((await admin.post(`${projects.endpoints.delete}/999`, undefined)).statusCode).toBe(404);
  expect((await admin.post('/api/delete-image/999', undefined)).statusCode).toBe(404);
});

test('gives a record a new version when an image is removed', async () => {
  const { admin, single, version } = await withProject();
  const [image] = (await admin.get(single)).json().images;
  const answer = (await admin.post(`/api/delete-image/${image.id}`, undefined)).json();
  expect(answer.message).toBe('Image Deleted Successfully');
  expect(answer.version).not.toBe(version);
  expect((await admin.get(single)).json().version).toBe(answer.version);
});

test('answers 304 to a reader who already has the record, the list or the settings', async () => {
  const { admin, single } = await withProject();
  for (const url of [single, projects.endpoints.list, `${projects.endpoints.list}?full=1`, siteMeta.endpoints.single]) {
    const first = await admin.get(url);
    const etag = String(first.headers.etag);
    const again = await admin.get(url, { 'if-none-match': etag });
    expect(again.statusCode).toBe(304);
    expect(again.body).toBe('');
    // as an intermediate cache may send it: among others, and weak or not
    const others = { 'if-none-match': `"x", ${etag.startsWith('W/') ? etag.slice(2) : `W/${etag}`}` };
    expect((await admin.get(url, others)).statusCode).toBe(304);
    expect(first.headers['content-type']).toBe('application/json; charset=utf-8');
  }
});

test('gives a list a new ETag when a record changes', async () => {
  const { admin, single } = await withProject();
  const etag = String((await admin.get(projects.endpoints.list)).headers.etag);
  await admin.post(single, formOf(valuesFor(projects.fields, 'other')));
  expect((await admin.get(projects.endpoints.list, { 'if-none-match': etag })).statusCode).toBe(200);
});

test('lists whole records on request', async () => {
  const { admin, single } = await withProject();
  const { files: _files, ...record } = (await admin.get(single)).json();
  expect((await admin.get(`${projects.endpoints.list}?full=1`)).json()).toEqual([record]);
  const [row] = (await admin.get(`${projects.endpoints.list}?full=0`)).json();
  expect(Object.keys(row).length).toBeLessThan(Object.keys(record).length);
});

test('tags a record with its version, and reports what no longer exists', async () => {
  const { admin, single } = await withProject();
  const answer = await admin.get(single);
  expect(answer.headers.etag).toBe(`"${answer.json().version}"`);
  const gone = [
    await admin.get(`${projects.endpoints.single}/none`),
    await admin.post(`${projects.endpoints.single}/none`, undefined),
    await admin.post(`${projects.endpoints.delete}/0`, undefined),
    await admin.post('/api/delete-image/x', undefined),
  ];
  expect(gone.map((one) => [one.statusCode, one.json().message])).toEqual([
    [404, 'This Project no longer exists.'],
    [404, 'This Project no longer exists.'],
    [404, 'This Project no longer exists.'],
    [404, 'This image no longer exists.'],
  ]);
});

test('returns paged lists page by page, and an empty one at the end', async () => {
  const { admin, app } = await withProject();
  const row = { version: 'v', created_at: '', updated_at: '' };
  await app.services.db
    .insertInto('projects' as 'records')
    .values(Array.from({ length: 120 }, () => row))
    .execute();
  const ids = async (page: number) =>
    (await admin.get(`${projects.endpoints.list}?page=${page}`)).json().map((one: { id: number }) => one.id);
  const [first, second, third] = [await ids(1), await ids(2), await ids(3)];
  expect(first).toHaveLength(100);
  expect(new Set([...first, ...second]).size).toBe(121);
  expect(third).toEqual([]);
  // there is no page before the first
  for (const page of [0, -1, -5]) expect(await ids(page)).toEqual(first);
});

test('saves the site settings only on the version that was seen', async () => {
  const { admin } = await withProject();
  const { version } = (await admin.get(siteMeta.endpoints.single)).json();
  const values = valuesFor(siteMeta.fields);
  const saved = await admin.post(siteMeta.endpoints.single, formOf(values), { 'if-match': `"${version}"` });
  expect(saved.json()).toEqual({ message: 'Site Meta Updated Successfully', version: expect.any(String) });
  expect((await admin.get(siteMeta.endpoints.single)).json()).toMatchObject({ id: 1, ...values });
  const stale = await admin.post(siteMeta.endpoints.single, formOf(values), { 'if-match': `"${version}"` });
  expect(stale.statusCode).toBe(412);
});

test('records who changed what and when, with the values before', async () => {
  const { admin, single, id } = await withProject();
  await admin.post(single, formOf({ ...valuesFor(projects.fields), client_name: 'Another' }));
  const history = (await admin.get(`/api/history/projects/${id}`)).json();
  expect(history.map((one: { action: string }) => one.action)).toEqual(['update', 'create']);
  expect(history[0]).toMatchObject({
    administrator: 'Administrator',
    changes: [{ field: 'client_name', before: 'Client name one', after: 'Another' }],
  });
  const { images } = (await admin.get(single)).json();
  for (const image of images) await admin.post(`/api/delete-image/${image.id}`, undefined);
  await admin.post(`${projects.endpoints.delete}/${id}`, undefined);
  const [deleted, last, removed] = (await admin.get(`/api/history/projects/${id}`)).json();
  expect(last.changes).toEqual([{ field: 'images', before: 'one.jpg', after: null }]);
  expect(removed).toMatchObject({
    action: 'delete-image',
    changes: [{ field: 'images', before: 'one.png, one.jpg', after: 'one.jpg' }],
  });
  expect(deleted.action).toBe('delete');
  expect(deleted.changes).toContainEqual({ field: 'image', before: 'one.png', after: null });
});

test('records who changed the site settings', async () => {
  const { admin } = await withProject();
  await admin.post(siteMeta.endpoints.single, formOf(valuesFor(siteMeta.fields)));
  const form = formOf({ ...valuesFor(siteMeta.fields), metaTag: '' });
  await admin.post(siteMeta.endpoints.single, form);
  const [last, first] = (await admin.get(historyPath(siteMeta, siteMeta.only))).json();
  expect(last).toMatchObject({
    administrator: 'Administrator',
    action: 'update',
    changes: [{ field: 'metaTag', before: 'Meta tag one', after: null }],
  });
  expect(first.changes).toHaveLength(siteMeta.fields.length);
});

test('shows in lists what another process changed', async () => {
  const { admin, dataDir } = await withProject();
  const names = async () =>
    (await admin.get(projects.endpoints.list)).json().map((row: { project_name: string }) => row.project_name);
  expect(await names()).toEqual(['Project name one']);
  const other = await openBeside(dataDir);
  await other
    .updateTable('projects' as 'records')
    .set({ project_name: 'Changed elsewhere' } as never)
    .execute();
  await other.destroy();
  expect(await names()).toEqual(['Changed elsewhere']);
});

test('returns a list after a failed read', async () => {
  const { app } = await withProject();
  const { lists } = app.services;
  await expect(lists('a list', () => Promise.reject(new Error('not now')))).rejects.toThrow('not now');
  expect(await lists('a list', async () => 'there' as never)).toBe('there');
});

test('compresses lists as the browser accepts', async () => {
  const { admin } = await withProject();
  const url = `${projects.endpoints.list}?full=1`;
  const long = formOf({ ...valuesFor(projects.fields), description: 'words '.repeat(1000) }, await filesFor(projects));
  await admin.post(projects.endpoints.create, long);
  const plain = await admin.get(url);
  const [br, gzip] = await Promise.all(
    ['br, gzip', 'gzip'].map((encoding) => admin.get(url, { 'accept-encoding': encoding })),
  );
  expect(br?.headers['content-encoding']).toBe('br');
  expect(brotliDecompressSync(br?.rawPayload ?? '').toString()).toBe(plain.body);
  expect(gunzipSync(gzip?.rawPayload ?? '').toString()).toBe(plain.body);
});
