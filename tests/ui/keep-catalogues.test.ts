import { describe, expect, test, vi } from 'vitest';
import { browser, device, type Files, generator, MEGABYTE, path } from './catalogue-world.ts';
import { answers } from './page.tsx';
import { soon } from '../harness/soon.ts';

describe('the catalogues of a kind kept offline', () => {
  test('are fetched once, and not requested for records without one', async () => {
    const { asked, kept } = browser({ [path('a')]: 50, [path('b')]: 60 });
    const { keepKind, bringCatalogues, useKeeping } = await device([
      generator(1, 'a.pdf'),
      generator(2, null),
      generator(3, 'b.pdf'),
    ]);
    await keepKind('generators');
    expect([...useKeeping.getState().kept.keys()]).toEqual([path('a'), path('b')]);
    await bringCatalogues();
    expect(asked).toEqual([path('a'), path('b')]);
    expect(kept()).toEqual([path('a'), path('b')]);
    expect(useKeeping.getState()).toMatchObject({ running: false, waits: undefined });
  });

  test('follow their records: a new version replaces the old one, and a deleted one is removed', async () => {
    const { kept } = browser({ [path('a')]: 50, [path('b')]: 60, [path('a2')]: 55 });
    const { keepKind, bringCatalogues, has } = await device([generator(1, 'a.pdf'), generator(2, 'b.pdf')]);
    await keepKind('generators');
    await has([generator(1, 'a2.pdf')]);
    await bringCatalogues();
    expect(kept()).toEqual([path('a2')]);
  });

  test('are kept while their records are missing, whose space a save may have needed', async () => {
    const { asked, kept } = browser({ [path('a')]: 50 });
    const { keepKind, bringCatalogues, has, useKeeping } = await device([generator(1, 'a.pdf')]);
    await keepKind('generators');
    const { browserEnvironment } = await import('../../src/offline/storage/browser-environment.ts');
    const { clearCache } = await import('../../src/offline/storage/cache-database.ts');
    await clearCache(browserEnvironment().cache);
    await bringCatalogues();
    expect(kept()).toEqual([path('a')]);
    expect([...useKeeping.getState().kept.keys()]).toEqual([path('a')]);
    await has([generator(1, null)]);
    await bringCatalogues();
    expect([asked, kept()]).toEqual([[path('a')], []]);
  });

  test('are removed together, but not those of other kinds', async () => {
    const { kept } = browser({ [path('a')]: 50, [path('s')]: 60 });
    const { keepKind, keepRecord, letKindGo } = await device([generator(1, 'a.pdf')]);
    await keepKind('generators');
    await keepRecord({ resource: 'ups', id: 9, title: 'S', address: path('s') });
    await letKindGo('generators');
    expect(kept()).toEqual([path('s')]);
  });

  test('are added to those that another tab has requested since', async () => {
    browser({});
    const { keepKind } = await device([]);
    const others = { kinds: ['ups'], records: [] };
    localStorage.setItem('voltdesk.catalogues', JSON.stringify({ state: others, version: 0 }));
    await keepKind('generators');
    const { useWishes } = await import('../../src/stores/catalogues.ts');
    expect(useWishes.getState().kinds).toEqual(['ups', 'generators']);
  });

  test('distinguish why they cannot be kept: gone, too large, refused', async () => {
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

  test('wait for the connection after three failures, also behind a network’s sign-in page', async () => {
    const portal = () => new Response('<html>', { headers: { 'content-type': 'text/html' } });
    const names = ['a', 'b', 'c', 'd', 'e'];
    const { asked, kept } = browser(Object.fromEntries(names.map((name) => [path(name), portal])));
    const { keepKind, useKeeping } = await device(names.map((name, at) => generator(at + 1, `${name}.pdf`)));
    await keepKind('generators');
    expect(asked).toHaveLength(3);
    expect(kept()).toEqual([]);
    expect(useKeeping.getState().waits).toBe('connection');
  });

  test('leave space for saves', async () => {
    Object.assign(navigator, { storage: { estimate: async () => ({ usage: 350 * MEGABYTE, quota: 650 * MEGABYTE }) } });
    vi.resetModules();
    const { kept } = browser({ [path('a')]: 50, [path('b')]: 60 });
    const { keepKind, useKeeping } = await device([generator(1, 'a.pdf'), generator(2, 'b.pdf')]);
    await keepKind('generators');
    expect(kept()).toEqual([]);
    expect([...useKeeping.getState().failed.values()]).toEqual(['room', 'room']);
  });
});

test('downloads only what was just requested while data saving is on', async () => {
  const { asked } = browser({ [path('a')]: 50, [path('b')]: 60 });
  Object.assign(navigator, { connection: { saveData: true } });
  const { keepKind, bringCatalogues, has, useKeeping } = await device([generator(1, 'a.pdf')]);
  await keepKind('generators');
  await has([generator(1, 'a.pdf'), generator(2, 'b.pdf')]);
  await bringCatalogues();
  expect(asked).toEqual([path('a')]);
  expect(useKeeping.getState().waits).toBe('data-saver');
});

test('updates and removes one record’s catalogue with its record', async () => {
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

test('removes catalogues and the requests for them on log-out', async () => {
  const { kept } = browser({ [path('a')]: 50 });
  const { keepKind, forgetCopies, useWishes } = await device([generator(1, 'a.pdf')]);
  await keepKind('generators');
  await forgetCopies();
  expect(kept()).toEqual([]);
  expect(useWishes.getState().kinds).toEqual([]);
});

test('stores nothing that arrives after a log-out', async () => {
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

describe('catalogues followed from the start of a page', () => {
  /** A page that follows what is kept; `changed` is told when the device has taken a change over. */
  async function following(files: Files) {
    const page = browser(files);
    const open = await device([generator(1, 'a.pdf')]);
    const { noteAnswer } = await import('../../src/stores/connection.ts');
    noteAnswer(true);
    open.useWishes.setState({ kinds: ['generators'], records: [] });
    open.followCatalogues();
    await soon(() => expect(page.kept()).toEqual([path('a')]));
    await soon(() => expect(open.useKeeping.getState().running).toBe(false));
    const taken = (kind: string) =>
      open.adoptTaken({
        lists: new Map([[kind, undefined]]) as never,
        ids: new Map(),
        settings: false,
        lookups: false,
        fetchedAt: 0,
      });
    return { ...page, ...open, taken, noteAnswer };
  }
  const FILES = { [path('a')]: 50, [path('b')]: 60, [path('s')]: 70 };

  test('are downloaded automatically, and again when a record of their kind has changed', async () => {
    const { has, taken, asked, kept } = await following(FILES);
    await has([generator(1, 'a.pdf'), generator(2, 'b.pdf')]);
    await taken('ups');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(asked).toEqual([path('a')]);
    await taken('generators');
    await soon(() => expect(kept()).toEqual([path('a'), path('b')]));
    expect(asked).toEqual([path('a'), path('b')]);
  });

  test('are downloaded further when the connection returns', async () => {
    const { has, kept, noteAnswer } = await following(FILES);
    await has([generator(1, 'a.pdf'), generator(2, 'b.pdf')]);
    noteAnswer(false);
    noteAnswer(true);
    await soon(() => expect(kept()).toEqual([path('a'), path('b')]));
  });

  test('follow what another tab requests and removes', async () => {
    const { kept } = await following(FILES);
    const wished = (wishes: object) => {
      localStorage.setItem('voltdesk.catalogues', JSON.stringify({ state: wishes, version: 0 }));
      window.dispatchEvent(new StorageEvent('storage', { key: 'voltdesk.catalogues' }));
    };
    const single = { resource: 'ups', id: 9, title: 'S', address: path('s') };
    wished({ kinds: ['generators'], records: [single] });
    await soon(() => expect(kept()).toEqual([path('a'), path('s')]));
    wished({ kinds: [], records: [single] });
    await soon(() => expect(kept()).toEqual([path('s')]));
  });

  test('are requested record by record from a server that gives no whole records', async () => {
    const { kept, useWishes, followCatalogues, noteAnswer } = await following(FILES);
    const { resourceOf } = await import('../../src/domain/resources/index.ts');
    const { recordAddress } = await import('../../src/domain/resource.ts');
    answers[`GET ${recordAddress(resourceOf('ups'), 9)}`] = () => ({ id: 9, brand: 'S', catalog: 's.pdf' });
    useWishes.setState({ kinds: [], records: [{ resource: 'ups', id: 9, title: 'S', address: path('old') }] });
    followCatalogues();
    await soon(() => expect(kept()).toEqual([path('s')]));
    expect(useWishes.getState().records[0]?.address).toBe(path('s'));
    answers[`GET ${recordAddress(resourceOf('ups'), 9)}`] = () => ({ id: 9, brand: 'S', catalog: 'a.pdf' });
    noteAnswer(false);
    noteAnswer(true);
    await soon(() => expect(kept()).toEqual([path('a')]));
  });

  test('are not kept without a worker to serve them', async () => {
    const { asked } = browser(FILES);
    Reflect.deleteProperty(navigator, 'serviceWorker');
    const { keepKind, canKeep } = await device([generator(1, 'a.pdf')]);
    expect(canKeep()).toBe(false);
    await keepKind('generators');
    expect(asked).toEqual([]);
  });

  test('of one record are removed on request, and others stay', async () => {
    const { kept, keepRecord, letRecordGo, useWishes } = await following(FILES);
    await keepRecord({ resource: 'ups', id: 9, title: 'S', address: path('s') });
    await keepRecord({ resource: 'ups', id: 9, title: 'S', address: path('s') });
    expect(useWishes.getState().records).toHaveLength(1);
    expect(kept()).toEqual([path('a'), path('s')]);
    await letRecordGo({ resource: 'generators', id: 9 });
    expect(kept()).toEqual([path('a'), path('s')]);
    await letRecordGo({ resource: 'ups', id: 9 });
    expect(kept()).toEqual([path('a')]);
  });
});

test('aborts a stalled download, which does not block the others', async () => {
  const stalls = () =>
    new Response(new ReadableStream({ start: (flow) => flow.enqueue(new TextEncoder().encode('%PDF')) }), {
      headers: { 'content-type': 'application/pdf' },
    });
  const { kept } = browser({ [path('a')]: 'never', [path('b')]: stalls, [path('c')]: 10 });
  const { keepKind, useKeeping } = await device(['a', 'b', 'c'].map((name, at) => generator(at + 1, `${name}.pdf`)));
  const later = setTimeout;
  const soonUp = (work: () => void, after = 0) => later(work, after === 30_000 ? 20 : after);
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(soonUp as typeof setTimeout);
  await keepKind('generators');
  vi.mocked(setTimeout).mockRestore();
  expect(kept()).toEqual([path('c')]);
  expect(useKeeping.getState().running).toBe(false);
});

test('keeps downloading after failures that are not in a row, and retries the failed files later', async () => {
  const broken = () =>
    new Response(new ReadableStream({ pull: (flow) => flow.error(new TypeError('network error')) }), {
      headers: { 'content-type': 'application/pdf' },
    });
  const down = () => new Response('', { status: 503 });
  const files: Files = { [path('a')]: down, [path('b')]: down, [path('c')]: 10, [path('d')]: down, [path('e')]: 10 };
  const { kept, asked } = browser(files);
  const { keepKind, useKeeping, bringCatalogues } = await device(
    ['a', 'b', 'c', 'd', 'e'].map((name, at) => generator(at + 1, `${name}.pdf`)),
  );
  await keepKind('generators');
  expect(asked).toHaveLength(5);
  expect(kept()).toEqual([path('c'), path('e')]);
  expect([...useKeeping.getState().failed]).toEqual([]);
  Object.assign(files, { [path('a')]: 10, [path('b')]: broken, [path('d')]: 10 });
  asked.length = 0;
  await bringCatalogues();
  expect(asked).toEqual([path('a'), path('b'), path('d')]);
});
