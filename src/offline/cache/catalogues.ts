import { browserEnvironment } from '../storage/browser-environment.ts';
import type { Environment } from '../storage/environment.ts';
import { CATALOGUE_CACHE, removeFileCache } from '../storage/file-caches.ts';

/**
 * The catalogues that somebody keeps on this device, by address. The worker answers from them (sw/catalogues.ts); a save that has no
 * room left takes theirs last (src/offline/storage/quota.ts). All sizes are bytes.
 */

/** So many are kept at most. */
const MOST_BYTES = 1_000_000_000;
/** So many stay free for what is saved here. */
const FOR_SAVES = 300_000_000;

/** What is kept: the size of each, by the path of its address. */
export async function keptCatalogues(): Promise<ReadonlyMap<string, number>> {
  const cache = await caches.open(CATALOGUE_CACHE);
  const kept = new Map<string, number>();
  for (const request of await cache.keys()) {
    const answer = await cache.match(request);
    kept.set(new URL(request.url).pathname, Number(answer?.headers.get('Content-Length') ?? 0));
  }
  return kept;
}

/** How much more fits, beside what is kept. Where the browser does not report its quota, only the budget counts. */
export async function roomForCatalogues(
  kept: ReadonlyMap<string, number>,
  { room }: Pick<Environment, 'room'> = browserEnvironment(),
): Promise<number> {
  const { usage = 0, quota = Number.POSITIVE_INFINITY } = (await room?.estimate?.().catch(() => undefined)) ?? {};
  const used = [...kept.values()].reduce((sum, bytes) => sum + bytes, 0);
  return Math.max(0, Math.min(MOST_BYTES - used, quota - usage - FOR_SAVES));
}

/** Keeps a file as the server gave it, once all of it has come. Answers its size; rejects where it broke off or there is no room. */
export async function keepCatalogue(address: string, answer: Response): Promise<number> {
  const bytes = await answer.blob();
  const headers = new Headers(answer.headers);
  // these told how it travelled
  headers.delete('Content-Encoding');
  headers.set('Content-Length', String(bytes.size));
  const cache = await caches.open(CATALOGUE_CACHE);
  await cache.put(address, new Response(bytes, { headers }));
  return bytes.size;
}

/** Lets go of all that is not among these addresses. */
export async function removeOtherCatalogues(wanted: ReadonlySet<string>): Promise<void> {
  if (wanted.size === 0) return void (await removeFileCache(CATALOGUE_CACHE));
  const cache = await caches.open(CATALOGUE_CACHE);
  for (const request of await cache.keys()) {
    if (!wanted.has(new URL(request.url).pathname)) await cache.delete(request);
  }
}
