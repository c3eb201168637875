import 'fake-indexeddb/auto';
import { afterEach, expect, test, vi } from 'vitest';
import { type DraftFile, draftStore } from '../../src/offline/drafts/drafts.ts';
import { forgetShared, keepShared, readShared } from '../../src/offline/drafts/shared-photos.ts';
import { draftsDatabase } from '../../src/offline/storage/drafts-database.ts';

const database = draftsDatabase('drafts-test');
const file = (key: string, text: string): DraftFile => ({
  key,
  field: 'images',
  blob: new Blob([text], { type: 'image/png' }),
  name: `${key}.png`,
  type: 'image/png',
});

afterEach(async () => {
  await database.drafts.clear();
  await database.files.clear();
});

test.each([true, false])(
  'restores an unfinished form with its files in order (stored as blobs: %s)',
  async (keepsBlobs) => {
    const store = draftStore(database, keepsBlobs);
    const files = [file('b', 'second'), file('a', 'first')];
    await store.write('1/generators/new', { values: { brand: 'Perkins' }, files, savedAt: 5 });
    const draft = await store.read('1/generators/new');
    expect(draft).toMatchObject({ values: { brand: 'Perkins' }, savedAt: 5 });
    expect(draft?.files.map(({ key, name, field }) => [key, name, field])).toEqual([
      ['b', 'b.png', 'images'],
      ['a', 'a.png', 'images'],
    ]);
    expect(await draft?.files[0]?.blob.text()).toBe('second');
    expect(draft?.files[0]?.blob.type).toBe('image/png');
  },
);

test('does not rewrite stored files, and deletes removed ones', async () => {
  const store = draftStore(database, true);
  await store.write('k', { values: {}, files: [file('a', 'first'), file('b', 'second')], savedAt: 1 });
  await store.write('k', {
    values: {},
    files: [file('a', 'other bytes under a known key'), file('c', 'third')],
    savedAt: 2,
  });
  const draft = await store.read('k');
  expect(await Promise.all(draft?.files.map(({ blob }) => blob.text()) ?? [])).toEqual(['first', 'third']);
  expect(await database.files.count()).toBe(2);
});

test('removes a draft completely and leaves others alone', async () => {
  const store = draftStore(database, true);
  await store.write('mine', { values: {}, files: [file('a', 'x')], savedAt: 1 });
  await store.write('other', { values: { name: 'kept' }, files: [file('b', 'y')], savedAt: 1 });
  await store.remove('mine');
  expect(await store.read('mine')).toBeUndefined();
  expect((await store.read('other'))?.files).toHaveLength(1);
  expect(await database.files.count()).toBe(1);
});

test('collects photos shared one after the other, under their own names', async () => {
  vi.stubGlobal('location', { origin: 'https://voltdesk.test' });
  await keepShared([new File(['roof'], 'roof.png', { type: 'image/png' })], 1);
  await keepShared([new File(['hall'], 'hall.png', { type: 'image/png' })], 2);
  const shared = await readShared();
  expect(shared?.files.map(({ name }) => name)).toEqual(['roof.png', 'hall.png']);
  expect(await Promise.all(shared?.files.map(({ blob }) => blob.text()) ?? [])).toEqual(['roof', 'hall']);
  await forgetShared(shared?.files.map(({ key }) => key) ?? []);
  expect(await readShared()).toBeUndefined();
  vi.unstubAllGlobals();
});

test('photos that are shared at the same time, while others are used, all stay', async () => {
  vi.stubGlobal('location', { origin: 'https://voltdesk.test' });
  const share = (name: string) => keepShared([new File([name], name, { type: 'image/png' })], 1);
  await share('used.png');
  const used = (await readShared())?.files.map(({ key }) => key) ?? [];
  await Promise.all([share('roof.png'), forgetShared(used), share('hall.png')]);
  const left = await readShared();
  expect(left?.files.map(({ name }) => name).toSorted()).toEqual(['hall.png', 'roof.png']);
  await forgetShared(left?.files.map(({ key }) => key) ?? []);
  vi.unstubAllGlobals();
});

test('keeps photos that are shared while earlier ones are used', async () => {
  vi.stubGlobal('location', { origin: 'https://voltdesk.test' });
  await keepShared([new File(['roof'], 'roof.png', { type: 'image/png' })], 1);
  const used = (await readShared())?.files.map(({ key }) => key) ?? [];
  await keepShared([new File(['hall'], 'hall.png', { type: 'image/png' })], 2);
  await forgetShared(used);
  const left = await readShared();
  expect(left?.files.map(({ name }) => name)).toEqual(['hall.png']);
  expect(await left?.files[0]?.blob.text()).toBe('hall');
  vi.unstubAllGlobals();
});
