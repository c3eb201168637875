import { expect, test, vi } from 'vitest';
import { answers } from './page.tsx';
import { browser, device, type Files, generator, MEGABYTE, path } from './catalogue-world.ts';
import { soon } from '../harness/soon.ts';

test('downloads the catalogue of a single record when a record of its kind changes', async () => {
  const { kept } = browser({ [path('s')]: 5, [path('s2')]: 6 });
  const { keepRecord, adoptTaken, bringCatalogues, followCatalogues } = await device([]);
  const { writeWhole } = await import('../../src/offline/cache/cache.ts');
  const { browserEnvironment } = await import('../../src/offline/storage/browser-environment.ts');
  const has = (catalog: string) =>
    writeWhole(
      'ups',
      { records: [{ id: 9, brand: 'S', model: 'T', catalog }] as never, fetchedAt: 1 },
      browserEnvironment().cache,
    );
  await has('s.pdf');
  followCatalogues();
  // joins what begins with the page, which would bring the change as well
  await bringCatalogues();
  await keepRecord({ resource: 'ups', id: 9, title: 'S T', address: path('s') });
  expect(kept()).toEqual([path('s')]);
  await has('s2.pdf');
  await adoptTaken({
    lists: new Map([['ups', undefined]]),
    ids: new Map(),
    settings: false,
    lookups: false,
    fetchedAt: 0,
  });
  await soon(() => expect(kept()).toEqual([path('s2')]));
});

test('merges single records into their kind once it is kept, and removes them with it', async () => {
  const { kept } = browser({ [path('a')]: 5, [path('s')]: 6 });
  const { keepRecord, keepKind, letKindGo, useWishes } = await device([generator(1, 'a.pdf')]);
  const one = { resource: 'generators', id: 1, title: 'Perkins P1', address: path('a') } as const;
  await keepRecord(one);
  await keepKind('generators');
  expect(useWishes.getState()).toMatchObject({ kinds: ['generators'], records: [] });
  await keepRecord(one);
  await letKindGo('generators');
  expect(useWishes.getState()).toMatchObject({ kinds: [], records: [] });
  expect(kept()).toEqual([]);
});

test('does not let a stalled file delay what is requested next', async () => {
  const files: Files = { [path('a')]: 'never', [path('b')]: 60, [path('s')]: 70 };
  const { kept, asked } = browser(files);
  const { keepKind, keepRecord } = await device([generator(1, 'a.pdf'), generator(2, 'b.pdf')]);
  const first = keepKind('generators');
  await soon(() => expect(asked).toEqual([path('a')]));
  files[path('a')] = 50;
  await Promise.all([first, keepRecord({ resource: 'ups', id: 9, title: 'S', address: path('s') })]);
  expect(kept()).toEqual([path('a'), path('b'), path('s')]);
  expect(asked[1]).toBe(path('s'));
});

test('reports no space for a catalogue that does not fit beside another', async () => {
  Object.assign(navigator, { storage: { estimate: async () => ({ usage: 0, quota: 1000 * MEGABYTE }) } });
  vi.resetModules();
  const { kept } = browser({ [path('a')]: 50, [path('b')]: 60 });
  const { keepKind, useKeeping } = await device([generator(1, 'a.pdf'), generator(2, 'b.pdf')]);
  const { device: opened } = await import('../../src/api/device.ts');
  const { catalogues } = await opened();
  vi.spyOn(catalogues, 'roomForCatalogues').mockResolvedValue(100);
  await keepKind('generators');
  expect(kept()).toEqual([path('a')]);
  expect([...useKeeping.getState().failed]).toEqual([[path('b'), 'room']]);
});

test('a device that turns out to be full says so', async () => {
  const { kept } = browser({ [path('a')]: 50 });
  const { keepKind, useKeeping } = await device([generator(1, 'a.pdf')]);
  const { device: opened } = await import('../../src/api/device.ts');
  vi.spyOn((await opened()).catalogues, 'keepCatalogue').mockRejectedValue(
    Object.assign(new Error('full'), { name: 'QuotaExceededError' }),
  );
  await keepKind('generators');
  expect(kept()).toEqual([]);
  expect([...useKeeping.getState().failed.values()]).toEqual(['room']);
});

test('waits for the connection when the remaining catalogues fail', async () => {
  const { kept } = browser({ [path('a')]: 50, [path('b')]: () => new Response('', { status: 502 }) });
  const { keepKind, useKeeping } = await device([generator(1, 'a.pdf'), generator(2, 'b.pdf')]);
  await keepKind('generators');
  expect(kept()).toEqual([path('a')]);
  expect(useKeeping.getState()).toMatchObject({ running: false, waits: 'connection' });
});

test('downloads nothing once somebody else, or nobody, is signed in', async () => {
  const { useSession } = await import('../../src/stores/session.ts');
  const first = () => {
    useSession.setState({ token: 'token-2' });
    return new Response('', { status: 404 });
  };
  const { asked } = browser({ [path('a')]: first, [path('b')]: 60 });
  const { keepKind, bringCatalogues } = await device([generator(1, 'a.pdf'), generator(2, 'b.pdf')]);
  await keepKind('generators');
  expect(asked).toEqual([path('a')]);
  asked.length = 0;
  const { token: _, ...nobody } = useSession.getState();
  useSession.setState(nobody, true);
  await bringCatalogues();
  expect(asked).toEqual([]);
});

test('updates the title of a renamed record, and keeps what another tab has requested', async () => {
  browser({ [path('a')]: 50, [path('s')]: 6 });
  const { keepRecord, has, bringCatalogues, useWishes } = await device([generator(1, 'a.pdf')]);
  await keepRecord({ resource: 'generators', id: 1, title: 'Perkins P1', address: path('a') });
  await has([{ ...generator(1, 'a.pdf'), brand: 'Cummins' }]);
  await bringCatalogues();
  expect(useWishes.getState().records[0]?.title).toBe('Cummins P1');
  const elsewhere = { resource: 'ups', id: 9, title: 'S', address: path('s') };
  localStorage.setItem(
    'voltdesk.catalogues',
    JSON.stringify({ state: { kinds: ['ups'], records: [elsewhere] }, version: 0 }),
  );
  await keepRecord({ resource: 'generators', id: 1, title: 'Cummins P1', address: path('a') });
  expect(useWishes.getState()).toMatchObject({ kinds: ['ups'], records: [elsewhere, { id: 1 }] });
});

test('removes the catalogue of a single record that no longer exists on the server', async () => {
  const { kept } = browser({ [path('s')]: 6 });
  const { keepRecord, followCatalogues, useWishes } = await device([]);
  await keepRecord({ resource: 'ups', id: 9, title: 'S', address: path('s') });
  expect(kept()).toEqual([path('s')]);
  const { ApiFailure } = await import('../../src/api/failure.ts');
  const { recordAddress } = await import('../../src/domain/resource.ts');
  const { resourceOf } = await import('../../src/domain/resources/index.ts');
  answers[`GET ${recordAddress(resourceOf('ups'), 9)}`] = () => {
    throw new ApiFailure('missing', 'Gone.');
  };
  followCatalogues();
  await soon(() => expect(kept()).toEqual([]));
  expect(useWishes.getState().records).toEqual([]);
});

test('counts a removed catalogue as gone, and retries after a server error', async () => {
  browser({
    [path('a')]: () => Response.json({ message: 'Gone.' }, { status: 410 }),
    [path('b')]: () => new Response('', { status: 500 }),
  });
  const { keepKind, useKeeping } = await device([generator(1, 'a.pdf'), generator(2, 'b.pdf')]);
  await keepKind('generators');
  expect([...useKeeping.getState().failed]).toEqual([[path('a'), 'gone']]);
  expect(useKeeping.getState().waits).toBe('connection');
});

test('no longer counts unwanted catalogues as kept', async () => {
  browser({ [path('a')]: 50 });
  const { keepKind, letKindGo, useKeeping } = await device([generator(1, 'a.pdf')]);
  await keepKind('generators');
  expect(useKeeping.getState().kept.size).toBe(1);
  await letKindGo('generators');
  expect(useKeeping.getState()).toMatchObject({ wanted: new Map(), kept: new Map(), running: false });
});

test('the body of an answer that is not kept is cancelled, because it would occupy a connection', async () => {
  const cancelled = vi.fn<() => void>();
  const refused = () => new Response(new ReadableStream({ cancel: cancelled }), { status: 403 });
  browser({ [path('a')]: refused });
  const { keepKind } = await device([generator(1, 'a.pdf')]);
  await keepKind('generators');
  expect(cancelled).toHaveBeenCalledOnce();
});

test('catalogues are downloaded with low priority, even if the reader for PDF files cannot be', async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  const { kept } = browser({ [path('a')]: 50 });
  const priorities: unknown[] = [];
  const answer = globalThis.fetch;
  vi.stubGlobal('fetch', async (address: string, how?: RequestInit) => {
    if (!address.startsWith('/uploads/')) throw new TypeError('Failed to fetch');
    priorities.push(how?.priority);
    return answer(address, how);
  });
  const { keepKind } = await device([generator(1, 'a.pdf')]);
  await keepKind('generators');
  expect(kept()).toEqual([path('a')]);
  expect(priorities).toEqual(['low']);
});

test('one tab at a time downloads: a second one waits for the lock of the first', async () => {
  const { kept, asked } = browser({ [path('a')]: 50 });
  const turn = Promise.withResolvers<void>();
  const request = vi.fn(async (_: string, work: () => Promise<void>) => turn.promise.then(work));
  Object.assign(navigator, { locks: { request } });
  try {
    const { keepKind } = await device([generator(1, 'a.pdf')]);
    const keeping = keepKind('generators');
    await soon(() => expect(request).toHaveBeenCalledOnce());
    expect([request.mock.lastCall?.[0], asked]).toEqual(['voltdesk-catalogues', []]);
    turn.resolve();
    await keeping;
    expect(kept()).toEqual([path('a')]);
  } finally {
    Reflect.deleteProperty(navigator, 'locks');
  }
});
