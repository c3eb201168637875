import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { beforeEach, expect, test } from 'vitest';
import type { FeedPage } from '../../src/domain/protocol/feed.ts';
import { readList, readRecord, writeList, writeRecord } from '../../src/offline/cache/cache.ts';
import { readFeed, takeFeedPage } from '../../src/offline/cache/feed.ts';
import { type CacheDatabase, cacheDatabase } from '../../src/offline/storage/cache-database.ts';

/** What an earlier version of the app, with other definitions, has left on the device. */

let cache: CacheDatabase;
const acme = { id: 1, name: 'Acme', link: null, image: null, version: 'v1' };

beforeEach(() => {
  cache = cacheDatabase('cache', { indexedDB: new IDBFactory(), IDBKeyRange });
});

const snapshot = (cursor: string): FeedPage => ({
  cursor,
  snapshot: true,
  more: false,
  changed: { partners: [acme] },
  deleted: {},
});

/** As if a version with fewer fields or kinds had written everything. */
const grownOld = () => cache.values.toCollection().modify({ definitions: 'of an earlier version' });

test('a feed that was read with other definitions is begun anew, with everything', async () => {
  await takeFeedPage(snapshot('1'), { since: undefined, fetchedAt: 100 }, cache);
  expect(await readFeed(cache)).toMatchObject({ cursor: '1', complete: true });
  await grownOld();
  expect(await readFeed(cache)).toBeUndefined();
  expect(await takeFeedPage(snapshot('2'), { since: undefined, fetchedAt: 200 }, cache)).not.toBe('overtaken');
  expect(await readFeed(cache)).toMatchObject({ cursor: '2', complete: true });
});

test('a list that was read with other definitions is shown, old, and no tag confirms it', async () => {
  await writeList('partners', { rows: [acme], fetchedAt: 100, etag: '"1"' }, cache);
  expect(await readList('partners', cache)).toMatchObject({ fetchedAt: 100, etag: '"1"' });
  await grownOld();
  expect(await readList('partners', cache)).toEqual({ rows: [acme], fetchedAt: 0 });
  await writeList('partners', { rows: [acme], fetchedAt: 200 }, cache);
  expect((await readList('partners', cache))?.fetchedAt).toBe(200);
});

test('a list that followed such a feed can be fetched by itself meanwhile', async () => {
  await takeFeedPage(snapshot('1'), { since: undefined, fetchedAt: 100 }, cache);
  await grownOld();
  await writeList('partners', { rows: [], fetchedAt: 200 }, cache);
  expect(await readList('partners', cache)).toEqual({ rows: [], fetchedAt: 200 });
});

test('the age of a record from the future is unknown', async () => {
  await writeRecord('partners', { record: acme, fetchedAt: Date.now() + 86_400_000 }, cache);
  expect(await readRecord('partners', 1, cache)).toEqual({ record: acme, fetchedAt: 0 });
});
