import { afterEach, beforeEach, vi } from 'vitest';
import type { ServerRecord } from '../../src/domain/resource.ts';
import { CATALOGUE_CACHE } from '../../src/offline/storage/file-caches.ts';
import { answers, openPageOnNewDevice } from './page.tsx';

const BASE = 'http://localhost:3000';
export const MEGABYTE = 1_000_000;

/** The server's files by path: a size, a custom answer, or `never` for no answer. */
export type Files = Record<string, number | 'never' | (() => Response)>;

/** A browser with a worker, Cache Storage and a server's files. `asked` lists the fetched ones. */
export function browser(files: Files) {
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
  vi.stubGlobal('fetch', async (path: string, { method = 'GET', cache, signal }: RequestInit = {}) => {
    if (!path.startsWith('/uploads/')) return new Response('reader');
    if (method === 'GET') asked.push(path);
    // A copy in the HTTP cache would outlast the removed one.
    if (method === 'GET' && cache !== 'no-store') throw new Error('Kept twice.');
    if (files[path] === 'never')
      return new Promise<Response>((_, fail) => signal?.addEventListener('abort', () => fail(new Error('aborted'))));
    const file = files[path];
    if (file === undefined) return Response.json({ message: 'This file no longer exists.' }, { status: 404 });
    if (typeof file === 'function') return file();
    const headers = { 'content-type': 'application/pdf', 'content-length': String(file) };
    return new Response(method === 'HEAD' ? null : 'x'.repeat(Math.min(file, 100)), { headers });
  });
  Object.assign(navigator, { serviceWorker: { controller: {} } });
  return { asked, kept: () => [...(stores.get(CATALOGUE_CACHE)?.keys() ?? [])].toSorted() };
}

/** The page's modules, with these generators on the device. */
export async function device(records: readonly ServerRecord[]) {
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

/** A generator with this catalogue. */
export const generator = (id: number, catalog: string | null) => ({
  id,
  brand: 'Perkins',
  generator_model: `P${id}`,
  catalog,
});
/** The server's path of a file. */
export const path = (name: string) => `/uploads/${name}.pdf`;

beforeEach(() => {
  openPageOnNewDevice();
  answers['GET /api/capabilities'] = () => ({ server: 'voltdesk' });
});
afterEach(() => {
  Reflect.deleteProperty(navigator, 'serviceWorker');
  Reflect.deleteProperty(navigator, 'connection');
  Reflect.deleteProperty(navigator, 'storage');
  vi.unstubAllGlobals();
});
