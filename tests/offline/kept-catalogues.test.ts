import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import {
  keepCatalogue,
  keptCatalogues,
  removeOtherCatalogues,
  roomForCatalogues,
} from '../../src/offline/cache/catalogues.ts';
import { CATALOGUE_CACHE } from '../../src/offline/storage/file-caches.ts';
import { FakeCaches } from '../worker/support/fake-caches.ts';

const MB = 1_000_000;

let stored: FakeCaches;

beforeEach(() => {
  stored = new FakeCaches();
  vi.stubGlobal('caches', stored);
  onTestFinished(() => void vi.unstubAllGlobals());
});

const pdf = (length: number, headers: Record<string, string> = {}) =>
  new Response('x'.repeat(length), { headers: { 'Content-Type': 'application/pdf', ...headers } });
const room = (usage: number, quota: number) => ({ room: { estimate: async () => ({ usage, quota }) } });

test('stores a catalogue with its type and full size, and without transfer headers', async () => {
  const travelled = { 'Content-Encoding': 'br', 'Content-Length': '3', ETag: '"a"' };
  expect(await keepCatalogue('/uploads/a.pdf', pdf(9, travelled))).toBe(9);
  const kept = await stored.match('/uploads/a.pdf', { cacheName: CATALOGUE_CACHE });
  expect(Object.fromEntries(kept?.headers ?? [])).toEqual({
    'content-type': 'application/pdf',
    'content-length': '9',
    etag: '"a"',
  });
  expect(await kept?.text()).toBe('x'.repeat(9));
  expect(await keptCatalogues()).toEqual(new Map([['/uploads/a.pdf', 9]]));
});

test('does not store a catalogue that breaks off', async () => {
  const body = new ReadableStream({ start: (controller) => controller.error(new TypeError('Cut.')) });
  await expect(keepCatalogue('/uploads/a.pdf', new Response(body))).rejects.toThrow('Cut.');
  expect(await keptCatalogues()).toEqual(new Map());
});

test('removes catalogues that are no longer wanted, and the cache with the last of them', async () => {
  for (const name of ['a', 'b', 'c']) await keepCatalogue(`/uploads/${name}.pdf`, pdf(1));
  await removeOtherCatalogues(new Set(['/uploads/b.pdf', '/uploads/other.pdf']));
  expect([...(await keptCatalogues()).keys()]).toEqual(['/uploads/b.pdf']);
  await removeOtherCatalogues(new Set());
  expect(await stored.keys()).toEqual([]);
});

test.each([
  ['a gigabyte in total', room(0, 100_000 * MB), 0, 1000],
  ['the rest of that gigabyte', room(0, 100_000 * MB), 400, 600],
  ['no more than the free space, less a reserve for saves', room(500 * MB, 1000 * MB), 0, 200],
  ['nothing on a nearly full device', room(900 * MB, 1000 * MB), 0, 0],
  ['a gigabyte when the browser gives no estimate', {}, 0, 1000],
  ['a gigabyte when the estimate fails', { room: { estimate: () => Promise.reject(new Error('No.')) } }, 0, 1000],
])('allows %s for catalogues', async (_, environment, kept, megabytes) => {
  const present = new Map(kept === 0 ? [] : [['/uploads/a.pdf', kept * MB]]);
  expect(await roomForCatalogues(present, environment)).toBe(megabytes * MB);
});
