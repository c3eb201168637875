import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ServerRecord } from '../../src/domain/resource.ts';
import { CATALOGUE_CACHE } from '../../src/offline/storage/file-caches.ts';
import { answers, openApp } from './page.tsx';

const BASE = 'http://localhost:3000';
const MEGABYTE = 1_000_000;

/** The server's files by path: their sizes, or the answer that stands in for one. */
type Files = Record<string, number | (() => Response)>;

/** A browser with a worker and a Cache Storage, and the files that a server has. `asked` are those that were fetched. */
function browser(files: Files) {
  const asked: string[] = [];
  const stores = new Map<string, Map<string, Response>>();
  const cacheOf = (kept: Map<string, Response>) => ({
    keys: async () => [...kept.keys()].map((path) => ({ url: BASE + path })),
    match: async ({ url }: { url: string }) => kept.get(new URL(url).pathname),
    put: async (path: string, answer: Response) => void kept.set(path, answer),
    delete: async ({ url }: { url: string }) => kept.delete(new URL(url).pathname),
  });
  vi.stubGlobal('caches', {
    open: async (name: string) => {
      const kept = stores.get(name) ?? new Map<string, Response>();
      stores.set(name, kept);
      return cacheOf(kept);
    },
    has: async (name: string) => stores.has(name),
    delete: async (name: string) => stores.delete(name),
  });
  vi.stubGlobal('fetch', async (path: string, { method = 'GET' }: RequestInit = {}) => {
    if (!path.startsWith('/uploads/')) return new Response('reader');
    if (method === 'GET') asked.push(path);
    const file = files[path];
    if (file === undefined) return new Response('', { status: 404 });
    if (typeof file === 'function') return file();
    const headers = { 'content-type': 'application/pdf', 'content-length': String(file) };
    return new Response(method === 'HEAD' ? null : 'x'.repeat(Math.min(file, 100)), { headers });
  });
  Object.assign(navigator, { serviceWorker: { controller: {} } });
  return { asked, kept: () => [...(stores.get(CATALOGUE_CACHE)?.keys() ?? [])].toSorted() };
}

/** The page's modules, and the generators that the device has. */
async function device(records: readonly ServerRecord[]) {
  const { useSession } = await import('../../src/stores/session.ts');
  useSession.setState({ token: 'token-1' });
  const { browserEnvironment } = await import('../../src/offline/storage/browser-environment.ts');
  const { writeWhole } = await import('../../src/offline/cache/cache.ts');
  const { cache } = browserEnvironment();
  const has = (now: readonly ServerRecord[]) => writeWhole('generators', { records: now, fetchedAt: 1 }, cache);
  await has(records);
  return {
    has,
    ...(await import('../../src/resource/catalogues/keep.ts')),
    ...(await import('../../src/stores/catalogues.ts')),
    ...(await import('../../src/api/sources.ts')),
  };
}

const generator = (id: number, catalog: string | null) => ({
  id,
  brand: 'Perkins',
  generator_model: `P${id}`,
  catalog,
});
const path = (name: string) => `/uploads/${name}.pdf`;

beforeEach(async () => {
  await openApp('/about');
  const { browserEnvironment } = await import('../../src/offline/storage/browser-environment.ts');
  const { clearCache } = await import('../../src/offline/storage/cache-database.ts');
  await clearCache(browserEnvironment().cache);
  answers['GET /api/capabilities'] = () => ({ server: 'voltdesk' });
});
afterEach(() => {
  Reflect.deleteProperty(navigator, 'serviceWorker');
  Reflect.deleteProperty(navigator, 'connection');
  Reflect.deleteProperty(navigator, 'storage');
  vi.unstubAllGlobals();
});

describe('the catalogues of a kind that somebody keeps', () => {
  test('are fetched once, and those of records without one are not asked for', async () => {
    const { asked, kept } = browser({ [path('a')]: 50, [path('b')]: 60 });
    const { keepKind, bringCatalogues, useKeeping } = await device([
      generator(1, 'a.pdf'),
      generator(2, null),
      generator(3, 'b.pdf'),
    ]);
    await keepKind('generators');
    await bringCatalogues();
    expect(asked).toEqual([path('a'), path('b')]);
    expect(kept()).toEqual([path('a'), path('b')]);
    expect(useKeeping.getState()).toMatchObject({ running: false, waits: undefined });
  });

  test('follow the records: a new version takes the place of the old one, a deleted record’s goes', async () => {
    const { kept } = browser({ [path('a')]: 50, [path('b')]: 60, [path('a2')]: 55 });
    const { keepKind, bringCatalogues, has } = await device([generator(1, 'a.pdf'), generator(2, 'b.pdf')]);
    await keepKind('generators');
    await has([generator(1, 'a2.pdf')]);
    await bringCatalogues();
    expect(kept()).toEqual([path('a2')]);
  });

  test('go with one press, those asked for one by one too, and others stay', async () => {
    const { kept } = browser({ [path('a')]: 50, [path('s')]: 60 });
    const { keepKind, keepRecord, letKindGo } = await device([generator(1, 'a.pdf')]);
    await keepKind('generators');
    await keepRecord({ resource: 'ups', id: 9, title: 'S', address: path('s') });
    await letKindGo('generators');
    expect(kept()).toEqual([path('s')]);
  });

  test('are told apart where they cannot be kept: gone, too large, refused', async () => {
    const { kept } = browser({
      [path('large')]: 2000 * MEGABYTE,
      [path('secret')]: () => new Response('', { status: 403 }),
      [path('a')]: 50,
    });
    const { keepKind, useKeeping } = await device([
      generator(1, 'lost.pdf'),
      generator(2, 'large.pdf'),
      generator(3, 'secret.pdf'),
      generator(4, 'a.pdf'),
    ]);
    await keepKind('generators');
    expect(kept()).toEqual([path('a')]);
    expect([...useKeeping.getState().failed.values()]).toEqual(['gone', 'room', 'refused']);
  });

  test('wait for the connection after three that do not come, also where a network’s sign-in page answers', async () => {
    const portal = () => new Response('<html>', { headers: { 'content-type': 'text/html' } });
    const names = ['a', 'b', 'c', 'd', 'e'];
    const { asked, kept } = browser(Object.fromEntries(names.map((name) => [path(name), portal])));
    const { keepKind, useKeeping } = await device(names.map((name, at) => generator(at + 1, `${name}.pdf`)));
    await keepKind('generators');
    expect(asked).toHaveLength(3);
    expect(kept()).toEqual([]);
    expect(useKeeping.getState().waits).toBe('connection');
  });

  test('leave room for saves', async () => {
    Object.assign(navigator, { storage: { estimate: async () => ({ usage: 350 * MEGABYTE, quota: 650 * MEGABYTE }) } });
    vi.resetModules();
    const { kept } = browser({ [path('a')]: 50, [path('b')]: 60 });
    const { keepKind, useKeeping } = await device([generator(1, 'a.pdf'), generator(2, 'b.pdf')]);
    await keepKind('generators');
    expect(kept()).toEqual([]);
    expect([...useKeeping.getState().failed.values()]).toEqual(['room', 'room']);
  });
});

test('with data saving on, only what somebody has just asked for is fetched', async () => {
  const { asked } = browser({ [path('a')]: 50, [path('b')]: 60 });
  Object.assign(navigator, { connection: { saveData: true } });
  const { keepKind, bringCatalogues, has, useKeeping } = await device([generator(1, 'a.pdf')]);
  await keepKind('generators');
  await has([generator(1, 'a.pdf'), generator(2, 'b.pdf')]);
  await bringCatalogues();
  expect(asked).toEqual([path('a')]);
  expect(useKeeping.getState().waits).toBe('data-saver');
});

test('one record’s catalogue follows its record, and goes with it', async () => {
  const { kept } = browser({ [path('a')]: 50, [path('a2')]: 60 });
  const { keepRecord, bringCatalogues, has, useWishes } = await device([generator(1, 'a.pdf')]);
  await keepRecord({ resource: 'generators', id: 1, title: 'P1', address: path('a') });
  expect(kept()).toEqual([path('a')]);
  await has([generator(1, 'a2.pdf')]);
  await bringCatalogues();
  expect(kept()).toEqual([path('a2')]);
  await has([]);
  await bringCatalogues();
  expect(kept()).toEqual([]);
  expect(useWishes.getState().records).toEqual([]);
});

test('whoever logs out leaves neither catalogues nor what was asked for', async () => {
  const { kept } = browser({ [path('a')]: 50 });
  const { keepKind, forgetCopies, useWishes } = await device([generator(1, 'a.pdf')]);
  await keepKind('generators');
  await forgetCopies();
  expect(kept()).toEqual([]);
  expect(useWishes.getState().kinds).toEqual([]);
});

test('what arrives after a log-out is not kept', async () => {
  const { useSession } = await import('../../src/stores/session.ts');
  const late = () => {
    useSession.setState({ token: 'token-2' });
    return new Response('late', { headers: { 'content-type': 'application/pdf' } });
  };
  const { kept } = browser({ [path('a')]: late });
  const { keepKind } = await device([generator(1, 'a.pdf')]);
  await keepKind('generators');
  expect(kept()).toEqual([]);
});
