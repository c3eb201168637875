import { beforeEach, expect, it } from 'vitest';
import { RESOURCES } from '../../src/domain/resources/index.ts';
import { answers, openApp } from './page.tsx';

const record = { id: 3, brand: 'Perkins', generator_model: 'P45E', engine_model: '1100', series: 'Perkins Series' };

beforeEach(async () => {
  await openApp('/about');
  const { browserEnvironment } = await import('../../src/offline/storage/browser-environment.ts');
  const { clearCache } = await import('../../src/offline/storage/cache-database.ts');
  await clearCache(browserEnvironment().cache);
  for (const { endpoints, paged, name } of RESOURCES) {
    const rows = name === 'generators' ? [{ id: 3, brand: 'Perkins', generator_model: 'P45E' }] : [];
    answers[`GET ${endpoints.list}${paged ? '?page=1' : ''}`] = () => rows;
    answers[`GET ${endpoints.list}${paged ? '?page=1&full=1' : '?full=1'}`] = () => (rows.length > 0 ? [record] : []);
  }
  answers['GET /api/get-generators-series'] = () => ['Perkins Series'];
  answers['GET /api/get-all-ups-types'] = () => ['Online'];
  answers['GET /api/site-meta'] = () => ({ id: 1, title: 'Power' });
  answers['GET /api/capabilities'] = () => ({ server: 'voltdesk', fullLists: true });
});

it('copies taken while the clock was ahead are refreshed once it is right again', async () => {
  const { writeWhole, writeList, writeLookup, readWhole, readLookup } = await import(
    '../../src/offline/cache/cache.ts'
  );
  const fetchedAt = Date.now() + 400 * 24 * 3_600_000; // the tablet's clock was a year ahead
  await writeWhole('generators', { records: [{ ...record, brand: 'Old' }] as never, fetchedAt });
  await writeList('generators', { rows: [], fetchedAt });
  await writeLookup('ups-types', { options: ['Old'], fetchedAt });
  const { warmDevice } = await import('../../src/api/prefetch.ts');
  await warmDevice();
  expect([
    (await readWhole('generators'))?.records.map(({ brand }) => brand),
    (await readLookup('ups-types'))?.options,
  ]).toEqual([['Perkins'], ['Online']]);
});

it('a record opened while the clock was ahead does not win over newer whole records', async () => {
  const { writeWhole, writeRecord } = await import('../../src/offline/cache/cache.ts');
  await writeRecord('generators', {
    record: { ...record, brand: 'Old', version: 'v1' } as never,
    fetchedAt: Date.now() + 400 * 24 * 3_600_000,
  });
  await writeWhole('generators', { records: [{ ...record, version: 'v9' }] as never, fetchedAt: Date.now() });
  const { recordCopy } = await import('../../src/api/sources.ts');
  const generators = RESOURCES.find(({ name }) => name === 'generators');
  const copy = generators && recordCopy(generators, 3);
  await copy?.load();
  expect(copy?.state().value?.['brand']).toBe('Perkins');
});
