import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { readRecord, writeRecord } from '../../src/offline/cache/cache.ts';
import { cacheDatabase } from '../../src/offline/storage/cache-database.ts';

test('reads the settings stored by an older version as a single record until a newer copy arrives', async () => {
  const cache = cacheDatabase('cached-site-meta');
  const old = { values: { title: 'Power', phone: '1' }, version: 'v1', fetchedAt: 10, etag: '"a"' };
  await cache.values.put({ key: 'site-meta', value: old, fetchedAt: 10 });
  const record = { id: 1, title: 'Power', phone: '1', version: 'v1' };
  expect(await readRecord('site-meta', 1, cache)).toEqual({ record, fetchedAt: 10, etag: '"a"' });
  await writeRecord('site-meta', { record: { id: 1, title: 'Newer' }, fetchedAt: 20 }, cache);
  expect((await readRecord('site-meta', 1, cache))?.record).toEqual({ id: 1, title: 'Newer' });
  cache.close();
});
