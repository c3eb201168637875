import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RESOURCES } from '../../src/domain/resources/index.ts';
import { answers, openPageOnNewDevice } from './page.tsx';

const BASE = 'http://localhost:3000';

/** A browser whose worker has cached `kept`. `asked` lists the pictures that elements request. Those in `gone` fail. */
function browser(kept: readonly string[] = [], gone: RegExp = /^$/, onAsked = () => {}) {
  const asked: string[] = [];
  vi.stubGlobal('caches', { open: async () => ({ keys: async () => kept.map((path) => ({ url: BASE + path })) }) });
  Object.assign(navigator, { serviceWorker: { controller: {} } });
  vi.stubGlobal(
    'Image',
    class extends EventTarget {
      fetchPriority = 'auto';
      set src(address: string) {
        asked.push(address);
        if (this.fetchPriority !== 'low') throw new Error('In the way of what somebody waits for.');
        onAsked();
        queueMicrotask(() => this.dispatchEvent(new Event(gone.test(address) ? 'error' : 'load')));
      }
    },
  );
  return asked;
}

async function keep(imageSizes: readonly number[] = [100, 300]) {
  const { useServerAbilities } = await import('../../src/stores/server-abilities.ts');
  useServerAbilities.setState({ imageSizes });
  const { keepListPictures } = await import('../../src/resource/list/keep-pictures.ts');
  await keepListPictures();
}

const partner = (id: number) => ({ id, name: `P${id}`, link: null, image: `p${id}.webp` });

beforeEach(async () => {
  openPageOnNewDevice();
  const { browserEnvironment } = await import('../../src/offline/storage/browser-environment.ts');
  const { cache } = browserEnvironment();
  const { writeList } = await import('../../src/offline/cache/cache.ts');
  for (const { name } of RESOURCES) await writeList(name, { rows: [], fetchedAt: 1 }, cache);
  await writeList('partners', { rows: [partner(1), partner(2)], fetchedAt: 1 }, cache);
  await writeList('generators', { rows: [{ id: 1, brand: 'G', photo: 'g1.webp' }], fetchedAt: 1 }, cache);
  answers['GET /api/capabilities'] = () => ({ server: 'voltdesk' });
});
afterEach(() => {
  Reflect.deleteProperty(navigator, 'serviceWorker');
  Reflect.deleteProperty(navigator, 'connection');
  vi.unstubAllGlobals();
});

test('requests the pictures of all lists in the size they show, first rows first', async () => {
  const asked = browser();
  await keep();
  expect(asked).toHaveLength(3);
  expect(asked.slice(0, 2).toSorted()).toEqual(['/uploads/g1.webp?width=100', '/uploads/p1.webp?width=100']);
  expect(asked[2]).toBe('/uploads/p2.webp?width=100');
});

test('requests the smallest sufficient width for each list', async () => {
  const asked = browser();
  await keep([300, 60, 100]);
  expect(asked.toSorted().slice(0, 2)).toEqual(['/uploads/g1.webp?width=60', '/uploads/p1.webp?width=100']);
});

test('requests neither stored pictures nor more than the device keeps', async () => {
  const seen = Array.from({ length: 498 }, (_, at) => `/uploads/seen-${at}.webp?width=100`);
  const asked = browser([...seen, '/uploads/p1.webp?width=100']);
  await keep();
  expect(asked).toHaveLength(1);
  expect(asked).not.toContain('/uploads/p1.webp?width=100');
});

test('requests nothing while saving data, or from a server without smaller pictures', async () => {
  const asked = browser();
  await keep([]);
  Object.assign(navigator, { connection: { saveData: true } });
  await keep();
  expect(asked).toEqual([]);
});

test('stops requesting pictures once the connection is gone', async () => {
  const { browserEnvironment } = await import('../../src/offline/storage/browser-environment.ts');
  const { writeList } = await import('../../src/offline/cache/cache.ts');
  const rows = Array.from({ length: 20 }, (_, at) => partner(at));
  await writeList('partners', { rows, fetchedAt: 1 }, browserEnvironment().cache);
  const asked = browser([], /./);
  await keep();
  expect(asked).toHaveLength(3);
});

test('keeps requesting pictures when a few of them fail', async () => {
  const { browserEnvironment } = await import('../../src/offline/storage/browser-environment.ts');
  const { writeList } = await import('../../src/offline/cache/cache.ts');
  const rows = Array.from({ length: 8 }, (_, at) => partner(at));
  await writeList('partners', { rows, fetchedAt: 1 }, browserEnvironment().cache);
  const asked = browser([], /p[0246]\.webp/);
  await keep();
  expect(asked).toHaveLength(9);
});

test('stops loading pictures once the session has ended', async () => {
  const { useSession } = await import('../../src/stores/session.ts');
  const asked = browser([], /^$/, () => useSession.setState({ token: 'token-2' }));
  await keep();
  expect(asked).toHaveLength(1);
});
