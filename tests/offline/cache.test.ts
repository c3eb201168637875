import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { FeedPage } from '../../src/domain/protocol/feed.ts';
import {
  forgetRecord,
  readList,
  readLookup,
  readRecord,
  readWhole,
  writeList,
  writeLookup,
  writeRecord,
  writeWhole,
} from '../../src/offline/cache/cache.ts';
import { forgetFeed, readFeed, takeFeedPage } from '../../src/offline/cache/feed.ts';
import { type CacheDatabase, cacheDatabase } from '../../src/offline/storage/cache-database.ts';

let cache: CacheDatabase;

beforeEach(() => {
  cache = cacheDatabase('cache', { indexedDB: new IDBFactory(), IDBKeyRange });
});

const partner = (id: number, name: string) => ({ id, name, link: null, image: null, version: `v-${name}` });

function page(cursor: string, parts: Partial<FeedPage> = {}): FeedPage {
  return { cursor, more: false, changed: {}, deleted: {}, ...parts };
}

/** Applies a page that was requested after the previous one. */
async function take(next: FeedPage, fetchedAt: number) {
  const since = (await readFeed(cache))?.cursor;
  const taken = await takeFeedPage(next, { since, fetchedAt }, cache);
  if (taken === 'overtaken') throw new Error('Another tab has read on.');
  return taken;
}

const begin = (parts: Partial<FeedPage> = {}) => take(page('1', { snapshot: true, ...parts }), 100);
const names = async () => (await readList('partners', cache))?.rows.map((row) => row['name']);
const whole = async () => (await readWhole('partners', cache))?.records.map(({ name }) => name);

describe('the server’s feed', () => {
  test('starts with a snapshot that fills every list, even an empty one', async () => {
    const taken = await begin({ changed: { partners: [partner(8, 'Bolt'), partner(7, 'Acme')] } });
    expect(await names()).toEqual(['Acme', 'Bolt']);
    expect(await whole()).toEqual(['Acme', 'Bolt']);
    expect(await readList('sliders', cache)).toEqual({ rows: [], fetchedAt: 100 });
    expect(taken).toMatchObject({ fetchedAt: 100, settings: true, lookups: true });
    expect(taken.ids).toBeUndefined();
    expect(taken.lists.get('partners')).toEqual((await readList('partners', cache))?.rows);
    expect(await readFeed(cache)).toEqual({ cursor: '1', fetchedAt: 100, complete: true });
  });

  test('keeps the old lists until the last page of the snapshot is there', async () => {
    await writeList('partners', { rows: [{ id: 1, name: 'Old' }], fetchedAt: 50 }, cache);
    const first = await begin({ more: true, changed: { partners: [partner(7, 'Acme'), partner(8, 'Bolt')] } });
    expect([first.lists.size, first.settings, first.lookups, first.fetchedAt]).toEqual([0, false, false, 100]);
    expect([await names(), (await readFeed(cache))?.complete]).toEqual([['Old'], false]);
    const second = { more: true, changed: { partners: [partner(9, 'Cord')] } };
    await take(page('2', second), 200);
    expect(await names()).toEqual(['Old']);
    await take(page('3', { changed: { partners: [partner(7, 'Acme Ltd')] }, deleted: { partners: [8] } }), 300);
    expect(await names()).toEqual(['Acme Ltd', 'Cord']);
    expect(await readFeed(cache)).toEqual({ cursor: '3', fetchedAt: 300, complete: true });
    expect(await cache.values.where('key').startsWith('feed-page/').count()).toBe(0);
  });

  test('applies the pages of a snapshot in order, however many there are', async () => {
    await begin({ more: true });
    for (let number = 2; number <= 12; number += 1)
      await take(page(`${number}`, { more: true, changed: { partners: [partner(7, `Page ${number}`)] } }), 200);
    await take(page('13'), 300);
    expect(await names()).toEqual(['Page 12']);
  });

  test('that starts again uses no page of the earlier snapshot', async () => {
    await begin({ more: true, changed: { partners: [partner(7, 'Acme')] } });
    await take(page('1b', { snapshot: true, more: true, changed: { partners: [partner(8, 'Bolt')] } }), 200);
    await take(page('2b'), 300);
    expect(await names()).toEqual(['Bolt']);
  });

  test('applies deltas and reports the ids of changed records', async () => {
    await begin({ changed: { partners: [partner(7, 'Acme'), partner(8, 'Bolt')] } });
    await writeRecord('partners', { record: { ...partner(7, 'Acme'), images: [] }, fetchedAt: 110 }, cache);
    await writeRecord('partners', { record: { ...partner(9, 'Else'), images: [] }, fetchedAt: 110 }, cache);
    const changes = { changed: { partners: [partner(7, 'Acme Ltd')] }, deleted: { partners: [8] } };
    const taken = await take(page('2', changes), 200);
    expect(await names()).toEqual(['Acme Ltd']);
    expect(await whole()).toEqual(['Acme Ltd']);
    expect([...(taken.ids ?? [])]).toEqual([['partners', [7, 8]]]);
    expect([...taken.lists.keys()]).toEqual(['partners']);
    expect([taken.settings, taken.lookups]).toEqual([false, false]);
    // the separately read record is now older
    expect(await readRecord('partners', 7, cache)).toBeUndefined();
    expect(await readRecord('partners', 9, cache)).toMatchObject({ fetchedAt: 110 });
  });

  test('shows a delta at once while newer pages are still to come', async () => {
    await begin({ changed: { partners: [partner(7, 'Acme')] } });
    await take(page('2', { more: true, changed: { partners: [partner(7, 'Acme Ltd')] } }), 200);
    expect(await names()).toEqual(['Acme Ltd']);
    expect((await readFeed(cache))?.complete).toBe(true);
  });

  test('makes everything that follows it as fresh as its last page', async () => {
    await begin({ changed: { partners: [partner(7, 'Acme')] }, lookups: [LOOKUP] });
    await take(page('2'), 500);
    expect((await readList('partners', cache))?.fetchedAt).toBe(500);
    expect((await readWhole('partners', cache))?.fetchedAt).toBe(500);
    expect((await readLookup('gti-brands', '', cache))?.fetchedAt).toBe(500);
    expect((await readList('sliders', cache))?.fetchedAt).toBe(500);
  });

  test('is not overwritten by the answer to another, possibly older request', async () => {
    await begin({ changed: { partners: [partner(7, 'Acme')] }, lookups: [LOOKUP] });
    await writeList('partners', { rows: [], fetchedAt: 900 }, cache);
    await writeWhole('partners', { records: [], fetchedAt: 900 }, cache);
    await writeLookup('gti-brands', { options: [], fetchedAt: 900 }, '', cache);
    expect([await names(), await whole()]).toEqual([['Acme'], ['Acme']]);
    expect((await readLookup('gti-brands', '', cache))?.options).toEqual(['a']);
  });

  test('ignores a page when another tab has read further', async () => {
    await begin({ changed: { partners: [partner(7, 'Acme')] } });
    const late = page('2', { deleted: { partners: [7] } });
    for (const since of [undefined, '0'])
      expect(await takeFeedPage(late, { since, fetchedAt: 200 }, cache)).toBe('overtaken');
    expect([await names(), (await readFeed(cache))?.cursor]).toEqual([['Acme'], '1']);
  });

  test('brings settings and lookups, and replaces all lookups when one has changed', async () => {
    const settings = { id: 1, metaTag: 'Power', version: 's1' };
    await begin({ settings, lookups: [LOOKUP, { ...LOOKUP, parent: 'x', options: ['b'] }] });
    expect(await readRecord('site-meta', 1, cache)).toMatchObject({ record: settings, fetchedAt: 100 });
    expect((await readLookup('gti-brands', 'x', cache))?.options).toEqual(['b']);
    const taken = await take(page('2', { lookups: [{ ...LOOKUP, options: ['c'] }], settings }), 200);
    expect([taken.settings, taken.lookups]).toEqual([true, true]);
    expect((await readLookup('gti-brands', '', cache))?.options).toEqual(['c']);
    expect(await readLookup('gti-brands', 'x', cache)).toBeUndefined();
  });

  test('that is dropped leaves the lists, which are then read as before', async () => {
    await begin({ changed: { partners: [partner(7, 'Acme')] } });
    await take(page('2', { snapshot: true, more: true }), 200);
    await forgetFeed(cache);
    expect(await readFeed(cache)).toBeUndefined();
    expect(await cache.values.where('key').startsWith('feed-page/').count()).toBe(0);
    expect(await readList('partners', cache)).toMatchObject({ fetchedAt: 100 });
    await writeList('partners', { rows: [], fetchedAt: 900 }, cache);
    expect(await names()).toEqual([]);
  });
});

const LOOKUP = { lookup: 'gti-brands' as const, parent: '', options: ['a'] };

describe('the feed of a gateway', () => {
  const rows = (changed: FeedPage['changed'], deleted: FeedPage['deleted'] = {}) => ({
    rowsOnly: true as const,
    changed,
    deleted,
  });

  test('keeps only lists, and drops whole records older than it', async () => {
    await writeWhole('partners', { records: [{ ...partner(7, 'Old') }], fetchedAt: 50 }, cache);
    await writeRecord('partners', { record: { ...partner(7, 'Old'), images: [] }, fetchedAt: 50 }, cache);
    const taken = await begin(rows({ partners: [partner(7, 'Acme')] }));
    expect([taken.settings, taken.lookups]).toEqual([false, false]);
    expect(await names()).toEqual(['Acme']);
    expect(await whole()).toBeUndefined();
    expect(await readRecord('partners', 7, cache)).toMatchObject({ fetchedAt: 50 });
    expect(await readFeed(cache)).toMatchObject({ rowsOnly: true });
  });

  test('does not affect the age of records and lookups, which are kept as read', async () => {
    await begin(rows({ partners: [partner(7, 'Acme')] }));
    await writeWhole('partners', { records: [partner(7, 'Read')], fetchedAt: 300 }, cache);
    await writeLookup('gti-brands', { options: ['a'], fetchedAt: 300 }, '', cache);
    await take(page('2', rows({})), 500);
    expect(await readWhole('partners', cache)).toMatchObject({ fetchedAt: 300 });
    expect(await readLookup('gti-brands', '', cache)).toMatchObject({ fetchedAt: 300, options: ['a'] });
    expect((await readList('partners', cache))?.fetchedAt).toBe(500);
  });

  test('updates rows and drops deleted records', async () => {
    await begin(rows({ partners: [partner(7, 'Acme'), partner(8, 'Bolt')] }));
    for (const id of [7, 8])
      await writeRecord('partners', { record: { ...partner(id, 'Read'), images: [] }, fetchedAt: 300 }, cache);
    await take(page('2', rows({ partners: [partner(7, 'Acme Ltd')] }, { partners: [8] })), 400);
    expect(await names()).toEqual(['Acme Ltd']);
    expect(await readRecord('partners', 7, cache)).toMatchObject({ fetchedAt: 300 });
    expect(await readRecord('partners', 8, cache)).toBeUndefined();
  });
});

describe('records read without a feed', () => {
  test('are kept by kind and id until they are dropped', async () => {
    const record = { ...partner(7, 'Acme'), images: [] };
    await writeRecord('partners', { record, fetchedAt: 10, etag: '"1"' }, cache);
    expect(await readRecord('partners', '7', cache)).toEqual({ record, fetchedAt: 10, etag: '"1"' });
    expect(await readRecord('sliders', 7, cache)).toBeUndefined();
    await forgetRecord('partners', 7, cache);
    expect(await readRecord('partners', 7, cache)).toBeUndefined();
  });

  test('are not cached when the device is full, without an error', async () => {
    const full = new DOMException('full', 'QuotaExceededError');
    vi.spyOn(cache.values, 'put').mockRejectedValue(full);
    await writeList('partners', { rows: [], fetchedAt: 10 }, cache);
    await writeRecord('partners', { record: { ...partner(7, 'Acme'), images: [] }, fetchedAt: 10 }, cache);
    expect(await readList('partners', cache)).toBeUndefined();
  });

  test('report other storage failures', async () => {
    vi.spyOn(cache.values, 'put').mockRejectedValue(new TypeError('a mistake'));
    await expect(writeList('partners', { rows: [], fetchedAt: 10 }, cache)).rejects.toThrow('a mistake');
  });
});
