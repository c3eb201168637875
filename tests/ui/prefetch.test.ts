import { beforeEach, describe, expect, it, vi } from 'vitest';
import { RESOURCES } from '../../src/domain/resources/index.ts';
import { answers, openPageOnNewDevice } from './page.tsx';

const record = { id: 3, brand: 'Perkins', generator_model: 'P45E', engine_model: '1100', series: 'Perkins Series' };
const row = { id: 3, brand: 'Perkins', generator_model: 'P45E' };

/** A server with one generator and nothing else. */
async function answerAll() {
  const { ApiFailure } = await import('../../src/api/failure.ts');
  for (const { endpoints, paged, name } of RESOURCES) {
    const rows = name === 'generators' ? [row] : [];
    answers[`GET ${endpoints.list}${paged ? '?page=1' : ''}`] = () => rows;
    answers[`GET ${endpoints.list}${paged ? '?page=1&full=1' : '?full=1'}`] = () => (rows.length > 0 ? [record] : []);
  }
  answers['GET /api/get-generators-series'] = () => ['Perkins Series'];
  answers['GET /api/get-all-ups-types'] = () => ['Online'];
  answers['GET /api/site-meta'] = () => ({ id: 1, title: 'Power' });
  answers['GET /api/capabilities'] = () => {
    throw new ApiFailure('missing', '');
  };
}

async function warm() {
  const { warmDevice } = await import('../../src/api/prefetch.ts');
  await warmDevice();
  return import('../../src/offline/cache/cache.ts');
}

beforeEach(async () => {
  openPageOnNewDevice();
  await answerAll();
});

describe('a device prepared for offline use', () => {
  it('holds every list and every list of choices of a stock back end', async () => {
    const cache = await warm();
    expect((await cache.readList('generators'))?.rows).toEqual([row]);
    expect((await cache.readList('projects'))?.rows).toEqual([]);
    expect((await cache.readLookup('generator-series'))?.options).toEqual(['Perkins Series']);
    expect((await cache.readRecord('site-meta', 1))?.record['title']).toBe('Power');
    expect(await cache.readWhole('generators')).toBeUndefined();
  });

  it('holds the whole records of a server that gives them, and opens one that was never opened', async () => {
    answers['GET /api/capabilities'] = () => ({ server: 'voltdesk', fullLists: true });
    await warm();
    const { recordCopy } = await import('../../src/api/sources.ts');
    const generators = RESOURCES.find(({ name }) => name === 'generators');
    const copy = generators && recordCopy(generators, 3);
    await copy?.load();
    expect(copy?.state().value).toEqual(record);
  });

  it.each([
    [14, [{ ...record, brand: 'Kept' }]],
    [16, [record]],
  ])('reloads whole records after 15 minutes, and not before: %i minutes', async (minutes, held) => {
    answers['GET /api/capabilities'] = () => ({ server: 'voltdesk', fullLists: true });
    const { writeWhole } = await import('../../src/offline/cache/cache.ts');
    const records = [{ ...record, brand: 'Kept' }];
    await writeWhole('generators', { records, fetchedAt: Date.now() - minutes * 60_000 });
    const cache = await warm();
    expect((await cache.readWhole('generators'))?.records).toEqual(held);
  });

  it.each([
    [14, false],
    [16, true],
  ])('reloads a list after 15 minutes, and not before: %i minutes', async (minutes, again) => {
    const { writeList } = await import('../../src/offline/cache/cache.ts');
    await writeList('generators', { rows: [], fetchedAt: Date.now() - minutes * 60_000 });
    const cache = await warm();
    expect((await cache.readList('generators'))?.rows).toEqual(again ? [row] : []);
    expect((await cache.readLookup('ups-types'))?.options).toEqual(['Online']);
  });

  it.each([
    ['that has the records, and asks for nothing else', false, []],
    ['before another one, and asks for what it leaves out', true, ['series', 'types', 'settings']],
  ])('reads the feed of a server %s', async (_, rowsOnly, rest) => {
    const asked: string[] = [];
    answers['GET /api/capabilities'] = () => ({ server: 'voltdesk', feed: true });
    answers['GET /api/feed'] = () => ({
      cursor: 'a.1',
      snapshot: true,
      more: false,
      ...(rowsOnly && { rowsOnly }),
      changed: { generators: [rowsOnly ? row : record] },
      deleted: {},
    });
    answers['GET /api/get-generators-series'] = () => asked.push('series') && [];
    answers['GET /api/get-all-ups-types'] = () => asked.push('types') && [];
    answers['GET /api/site-meta'] = () => asked.push('settings') && {};
    const cache = await warm();
    expect((await cache.readList('generators'))?.rows).toMatchObject([row]);
    expect(asked).toEqual(rest);
  });

  it('stops at the first request without an answer', async () => {
    const { ApiFailure } = await import('../../src/api/failure.ts');
    const [first, second] = RESOURCES.map(({ endpoints, paged }) => `GET ${endpoints.list}${paged ? '?page=1' : ''}`);
    const asked = vi.fn(() => []);
    answers[first ?? ''] = () => {
      throw new ApiFailure('unreachable', 'No answer.');
    };
    answers[second ?? ''] = asked;
    await warm();
    expect(asked).not.toHaveBeenCalled();
  });

  it('loads nothing while nobody is signed in', async () => {
    const { closeSession } = await import('../../src/stores/session.ts');
    closeSession();
    const cache = await warm();
    expect(await cache.readList('generators')).toBeUndefined();
  });

  it('loads nothing while data saving is on', async () => {
    Object.assign(navigator, { connection: { saveData: true } });
    const cache = await warm();
    expect(await cache.readList('generators')).toBeUndefined();
    Reflect.deleteProperty(navigator, 'connection');
  });
});
