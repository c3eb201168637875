import { expect, test, vi } from 'vitest';
import { sweepTrash } from '../../server/stores/sql/trash.ts';
import { TRASH_PATH } from '../../src/domain/protocol/trash.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { RESOURCES } from '../../src/domain/resources/index.ts';
import { sliders } from '../../src/domain/resources/sliders.ts';
import { cursorNow, page } from './feed-client.ts';
import { formOf, signedIn, withKey } from './harness.ts';
import { withRole } from './people-client.ts';
import { pdf, sha256, valuesFor } from './samples.ts';
import { bytesOf, created, namesOf, rowsOf, trashOf } from './trash-client.ts';

const DAY = 24 * 60 * 60 * 1000;
const NOW = Date.parse('2026-11-20T10:00:00Z');

test('answers a deletion as ever, and everybody but the trash sees the record as gone', async () => {
  const server = await signedIn({ CONTENT: 'public' });
  const { admin, app } = server;
  const { id, single, record, remove } = await created(admin, generators);
  const cursor = await cursorNow(admin);
  const answer = await remove({ 'if-match': `"${record.version}"` });
  expect([answer.statusCode, answer.json()]).toEqual([200, { message: 'Generator Deleted Successfully' }]);
  expect((await admin.get(single)).statusCode).toBe(404);
  expect((await remove()).json()).toEqual({ message: 'This Generator no longer exists.' });
  expect((await admin.post(single, formOf(valuesFor(generators.fields)))).statusCode).toBe(404);
  expect((await admin.post(`/api/delete-image/${record.images[0].id}`, undefined)).statusCode).toBe(404);
  for (const query of ['', '?full=1', '?first=50'])
    expect((await admin.get(`${generators.endpoints.list}${query}`)).json()).toEqual([]);
  expect((await page(admin, cursor)).deleted).toEqual({ generators: [id] });
  expect((await page(admin)).changed).toEqual({});
  expect((await app.inject(`/content/v1/generators/${id}`)).statusCode).toBe(404);
  expect((await app.inject('/content/v1/generators')).json().items).toEqual([]);
  expect((await admin.get('/api/activity')).json()).toMatchObject([{ action: 'delete', isGone: true }]);
});

test('keeps the files of a deleted record, and serves them in the trash only', async () => {
  const { admin, app } = await signedIn();
  const { record, remove, restore } = await created(admin, generators);
  const names = namesOf(record);
  const stored = await bytesOf(admin, names);
  await remove();
  expect(await bytesOf(admin, names)).toEqual(names.map(() => 404));
  expect(await bytesOf(admin, [`${names[1]}?width=100`])).toEqual([404]);
  expect(await bytesOf(admin, names, `${TRASH_PATH}/files`)).toEqual(stored);
  const small = await admin.get(`${TRASH_PATH}/files/${names[1]}?width=100`, { accept: 'image/webp' });
  expect(small.headers).toMatchObject({ 'content-type': 'image/webp', 'cache-control': 'private, max-age=3600' });
  const headers = { accept: 'application/json' };
  expect((await app.inject({ url: `${TRASH_PATH}/files/${names[0]}`, headers })).statusCode).toBe(401);
  await restore();
  expect(await bytesOf(admin, names, `${TRASH_PATH}/files`)).toEqual(names.map(() => 404));
});

test('restores texts, photos with their ids, the catalogue and the history, as a change for every device', async () => {
  const { admin } = await signedIn({ CONTENT: 'public' });
  const { id, single, record, remove, restore } = await created(admin, generators);
  const stored = await bytesOf(admin, namesOf(record));
  await admin.post(single, formOf({ ...valuesFor(generators.fields), brand: 'Later' }));
  const later = (await admin.get(single)).json();
  await remove();
  const cursor = await cursorNow(admin);
  const answer = (await restore()).json();
  const back = (await admin.get(single)).json();
  expect(answer).toEqual({ message: 'Generator Restored Successfully', id, version: back.version });
  expect(back).toEqual({ ...later, version: back.version, updated_at: back.updated_at });
  expect([record.version, later.version]).not.toContain(back.version);
  expect(back.images).toHaveLength(3);
  expect(await bytesOf(admin, namesOf(back))).toEqual(stored);
  const { files: _files, ...listed } = back;
  expect((await page(admin, cursor)).changed).toEqual({ generators: [listed] });
  expect((await admin.get(`/content/v1/generators/${id}`)).json()).toMatchObject({ id, brand: 'Later' });
  const history = (await admin.get(`/api/history/generators/${id}`)).json();
  expect(history.map(({ action }: { action: string }) => action)).toEqual(['restore', 'delete', 'update', 'create']);
  expect(history[0]).toMatchObject({ administrator: 'Administrator', changes: [] });
  expect((await admin.get('/api/activity')).json()).toMatchObject([{ action: 'restore', isGone: false }]);
  expect(await trashOf(admin)).toEqual({ entries: [], total: 0 });
});

test('brings a record of every kind through the trash unchanged', async () => {
  const { admin } = await signedIn();
  for (const resource of RESOURCES) {
    const { id, single, record, remove, restore } = await created(admin, resource);
    await remove();
    const kept = { resource: resource.name, id, files: record.files?.length ?? 0 };
    expect((await trashOf(admin)).entries).toMatchObject([kept]);
    await restore();
    const back = (await admin.get(single)).json();
    expect(back).toEqual({ ...record, version: back.version, updated_at: back.updated_at });
  }
});

test('restores once, under one key or several, and repeats the answer', async () => {
  const server = await signedIn();
  const { admin } = server;
  const { single, remove, restore } = await created(admin, generators);
  await remove();
  const key = withKey();
  const [first, again, other, third] = [await restore(key), await restore(key), await restore(), await restore({})];
  expect(again.json()).toEqual(first.json());
  expect(again.headers['idempotent-replayed']).toBe('true');
  for (const one of [other, third]) expect(one.json()).toEqual(first.json());
  expect((await admin.get(generators.endpoints.list)).json()).toHaveLength(1);
  expect((await admin.get(single)).json().images).toHaveLength(3);
  expect((await admin.get(`/api/changes/${key['idempotency-key']}`)).json()).toEqual(first.json());
  // a repeat that arrives after a later deletion changes nothing
  await remove();
  expect((await restore(key)).json()).toEqual(first.json());
  expect((await admin.get(single)).statusCode).toBe(404);
});

test('restores once when two owners press at the same time', async () => {
  const { admin } = await signedIn();
  const { remove, restore } = await created(admin, generators);
  await remove();
  const answers = await Promise.all([restore(), restore(), restore()]);
  expect(new Set(answers.map((answer) => answer.body)).size).toBe(1);
  expect((await admin.get(generators.endpoints.list)).json()).toHaveLength(1);
});

test('refuses a change that was made before the deletion, and takes it on the restored version', async () => {
  const { admin } = await signedIn();
  const { single, record, remove, restore } = await created(admin, generators);
  await remove();
  const edit = (version: string) =>
    admin.post(single, formOf({ ...valuesFor(generators.fields), brand: 'Edited' }), { 'if-match': `"${version}"` });
  expect((await edit(record.version)).statusCode).toBe(404);
  const { version } = (await restore()).json();
  expect((await edit(record.version)).statusCode).toBe(412);
  expect((await remove({ 'if-match': `"${record.version}"` })).statusCode).toBe(412);
  expect((await edit(version)).statusCode).toBe(200);
  expect((await admin.get(single)).json()).toMatchObject({ brand: 'Edited' });
});

test('lets a new record have the texts of a deleted one, and keeps both apart', async () => {
  const { admin } = await signedIn();
  const first = await created(admin, sliders);
  await first.remove();
  const second = await created(admin, sliders);
  expect(second.id).not.toBe(first.id);
  await first.restore();
  const rows = (await admin.get(sliders.endpoints.list)).json() as { id: number; serial: number }[];
  expect(rows.map(({ id, serial }) => [id, serial])).toEqual([
    [first.id, first.record.serial],
    [second.id, second.record.serial],
  ]);
});

test('goes through the trash again and again', async () => {
  const server = await signedIn();
  const { record, remove, restore, single } = await created(server.admin, generators);
  for (let turn = 0; turn < 3; turn += 1) {
    await remove();
    expect(await rowsOf(server)).toEqual({ trash: 1, trashed_files: 4, files: 4, images: 0, removed_files: 0 });
    await restore();
    expect(await rowsOf(server)).toEqual({ trash: 0, trashed_files: 0, files: 4, images: 3, removed_files: 0 });
  }
  expect((await server.admin.get(single)).json().images).toEqual(record.images);
});

test('says who deleted what and until when it stays, and finds it by kind and text', async () => {
  const { admin } = await signedIn({ TRASH_DAYS: '7' }, { now: () => NOW });
  const [one, other] = [await created(admin, generators, 'Ärger 100%'), await created(admin, sliders, 'two')];
  await one.remove();
  await other.remove();
  const { entries, total } = await trashOf(admin);
  expect(total).toBe(2);
  expect(entries.map(({ resource, id }) => [resource, id])).toEqual([
    ['sliders', other.id],
    ['generators', one.id],
  ]);
  expect(entries[1]).toEqual({
    entry: 1,
    resource: 'generators',
    id: one.id,
    title: expect.stringContaining('Ärger 100%'),
    deletedAt: new Date(NOW).toISOString(),
    deletedBy: 'Administrator',
    until: new Date(NOW + 7 * DAY).toISOString(),
    picture: one.record.images[0].image,
    files: 4,
  });
  const found = async (query: string) => (await trashOf(admin, query)).entries.map(({ id }) => id);
  expect(await found('?kind=generators')).toEqual([one.id]);
  expect(await found('?search=%C3%84RGER')).toEqual([one.id]);
  expect(await found('?search=0%25')).toEqual([one.id]);
  expect(await found('?search=%25')).toEqual([one.id]);
  expect(await found('?search=_')).toEqual([]);
  expect(await found(`?before=${entries[0]?.entry}`)).toEqual([one.id]);
  expect((await admin.get(`${TRASH_PATH}?kind=nothing`)).statusCode).toBe(404);
});

test('lists a large trash in pages', async () => {
  const { admin, app } = await signedIn();
  const at = new Date(NOW).toISOString();
  const content = JSON.stringify({ row: { id: 1, text: 'Slide' }, images: [] });
  const rows = Array.from({ length: 120 }, (_row, at_) => ({ resource: 'sliders', record_id: at_ + 1, content }));
  const rest = { title: 'Slide', words: 'slide', deleted_at: at, user_id: 1, user_name: 'Nadia' };
  await app.services.db
    .insertInto('trash')
    .values(rows.map((row) => ({ ...row, ...rest })))
    .execute();
  const first = await trashOf(admin);
  const second = await trashOf(admin, `?before=${first.entries.at(-1)?.entry}`);
  const third = await trashOf(admin, `?before=${second.entries.at(-1)?.entry}`);
  const all = [first, second, third].flatMap(({ entries }) => entries.map(({ id }) => id));
  expect(all).toEqual(Array.from({ length: 120 }, (_id, at_) => 120 - at_));
  expect(first.total).toBe(120);
});

test('lets viewers look, editors restore and owners delete for good', async () => {
  const server = await signedIn();
  const { admin } = server;
  const [viewer, editor] = [await withRole(server, 'viewer'), await withRole(server, 'editor')];
  const { record, remove, restore, purge } = await created(admin, generators);
  await remove();
  expect((await trashOf(viewer)).total).toBe(1);
  expect((await viewer.get(`${TRASH_PATH}/files/${record.images[0].image}`)).statusCode).toBe(200);
  expect((await restore(withKey(), viewer)).statusCode).toBe(403);
  for (const one of [viewer, editor]) expect((await purge(one)).statusCode).toBe(403);
  expect((await restore(withKey(), editor)).statusCode).toBe(200);
});

test('deletes for good on request, with the files, and nothing of it comes back', async () => {
  const server = await signedIn();
  const { admin, app } = server;
  const { id, record, remove, restore, purge } = await created(admin, generators);
  expect((await purge()).statusCode).toBe(404);
  await remove();
  await app.services.sizes.done();
  expect((await purge()).json()).toEqual({ message: 'Deleted for good' });
  await app.services.removal.done();
  expect(await rowsOf(server)).toEqual({ trash: 0, trashed_files: 0, files: 0, images: 0, removed_files: 0 });
  expect(await bytesOf(admin, namesOf(record), `${TRASH_PATH}/files`)).toEqual([404, 404, 404, 404]);
  for (const answer of [await restore(), await purge()])
    expect([answer.statusCode, answer.json()]).toEqual([404, { message: 'This Generator is no longer in the trash.' }]);
  const history = (await admin.get(`/api/history/generators/${id}`)).json();
  expect(history.map(({ action }: { action: string }) => action)).toEqual(['delete', 'create']);
});

test('deletes at once where nothing is kept, and says so', async () => {
  const server = await signedIn({ TRASH_DAYS: '0' });
  const { remove, restore } = await created(server.admin, generators);
  expect((await server.admin.get('/api/capabilities')).json()).not.toHaveProperty('trash');
  await remove();
  await server.app.services.removal.done();
  expect(await rowsOf(server)).toEqual({ trash: 0, trashed_files: 0, files: 0, images: 0, removed_files: 0 });
  expect((await restore()).statusCode).toBe(404);
});

const isServed = (answer: string | number) => typeof answer === 'string';

test('sweeps at a start what is older than the setting, with its files, and nothing else', async () => {
  let now = NOW;
  const clock = { now: () => now };
  const first = await signedIn({}, clock);
  const { dataDir } = first;
  const [old, young, live] = [
    await created(first.admin, generators, 'old'),
    await created(first.admin, generators, 'young'),
    await created(first.admin, generators, 'live'),
  ];
  await old.remove();
  now += 10 * DAY;
  await first.admin.signIn();
  await young.remove();
  await first.app.close();
  now = NOW + 30 * DAY + 1000;
  const second = await signedIn({ DATA_DIR: dataDir }, clock);
  expect((await trashOf(second.admin)).entries.map(({ id }) => id)).toEqual([young.id]);
  expect(await rowsOf(second)).toEqual({ trash: 1, trashed_files: 4, files: 8, images: 3, removed_files: 0 });
  const statusesOf = async (names: string[], at: string) => (await bytesOf(second.admin, names, at)).map(isServed);
  expect(await statusesOf(namesOf(old.record), `${TRASH_PATH}/files`)).toEqual([false, false, false, false]);
  expect(await statusesOf(namesOf(young.record), `${TRASH_PATH}/files`)).toEqual([true, true, true, true]);
  expect(await statusesOf(namesOf(live.record), '/uploads')).toEqual([true, true, true, true]);
  await second.app.close();
  now = NOW + 40 * DAY + 1000;
  const third = await signedIn({ DATA_DIR: dataDir }, clock);
  expect(await rowsOf(third)).toEqual({ trash: 0, trashed_files: 0, files: 4, images: 3, removed_files: 0 });
});

test('sweeps nothing while the files may be those of another installation', async () => {
  let now = NOW;
  const server = await signedIn({}, { now: () => now });
  const { remove } = await created(server.admin, generators);
  await remove();
  now += 31 * DAY;
  const { db, owner } = server.app.services;
  const foreign = vi.spyOn(owner, 'isConfirmed').mockResolvedValue(false);
  const sweep = () => sweepTrash({ db, owner, now: () => now, days: 30, ending: new AbortController().signal });
  await sweep();
  expect((await rowsOf(server))['trash']).toBe(1);
  foreign.mockRestore();
  await sweep();
  expect(await rowsOf(server)).toMatchObject({ trash: 0, trashed_files: 0, files: 0 });
});

test('keeps for the history what was replaced or removed, out of the public’s reach, until it is stored again', async () => {
  const server = await signedIn();
  const { admin, app } = server;
  const { id, single, record } = await created(admin, generators);
  const [photo] = record.images;
  const catalog = { field: 'catalog', bytes: pdf('new'), name: 'new.pdf', type: 'application/pdf' };
  await admin.post(single, formOf(valuesFor(generators.fields), [catalog]));
  await admin.post(`/api/delete-image/${photo.id}`, undefined);
  const filesOf = async () => {
    const history = (await admin.get(`/api/history/generators/${id}`)).json();
    return history.map(({ files }: { files?: object[] }) => files ?? []);
  };
  const old = { field: 'catalog', file: record.catalog, name: 'one.pdf' };
  const removed = { field: 'images', file: photo.image, name: 'one.png' };
  expect(await filesOf()).toEqual([[], [removed], expect.arrayContaining([old, removed])]);
  expect(await bytesOf(admin, [old.file, removed.file])).toEqual([404, 404]);
  const kept = await admin.get(`${TRASH_PATH}/files/${old.file}`);
  expect(sha256(kept.rawPayload)).toBe(sha256(pdf('one')));
  const again = { field: 'catalog', bytes: pdf('one'), name: 'one.pdf', type: 'application/pdf' };
  await admin.post(single, formOf(valuesFor(generators.fields), [again]));
  const replaced = { field: 'catalog', file: expect.any(String), name: 'new.pdf' };
  expect(await filesOf()).toEqual([[], [replaced], expect.arrayContaining([replaced, removed]), [removed]]);
  const { db, owner } = app.services;
  const ending = new AbortController().signal;
  await sweepTrash({ db, owner, now: () => Date.now() + 31 * DAY, days: 30, ending });
  expect(await filesOf()).toEqual([[], [], [], []]);
  expect(await rowsOf(server)).toMatchObject({ trash: 0, trashed_files: 0, images: 2, files: 3 });
});

test('deletes for good what a record lost before it was deleted, too', async () => {
  const server = await signedIn();
  const { record, remove, restore, purge } = await created(server.admin, generators);
  await server.admin.post(`/api/delete-image/${record.images[0].id}`, undefined);
  await remove();
  await restore();
  expect(await rowsOf(server)).toMatchObject({ trash: 0, trashed_files: 1, images: 2, files: 4 });
  await remove();
  await purge();
  expect(await rowsOf(server)).toMatchObject({ trash: 0, trashed_files: 0, images: 0, files: 0 });
});
