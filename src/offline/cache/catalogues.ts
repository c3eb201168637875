import { browserEnvironment } from '../storage/browser-environment.ts';
import type { Environment } from '../storage/environment.ts';
import { CATALOGUE_CACHE, removeFileCache } from '../storage/file-caches.ts';

/**
 * Catalogues that a user keeps on this device, by address. The worker serves them (sw/catalogues.ts). A save that exceeds the quota
 * evicts them last (src/offline/storage/quota.ts). All sizes are bytes.
 */

/** Maximum total size of kept catalogues. */
const MOST_BYTES = 1_000_000_000;
/** Quota to leave free for saves. */
const FOR_SAVES = 300_000_000;

/** Sizes of the kept catalogues, by the path of their address. */
export async function keptCatalogues(): Promise<ReadonlyMap<string, number>> {
  const cache = await caches.open(CATALOGUE_CACHE);
  const kept = new Map<string, number>();
  for (const request of await cache.keys()) {
    const answer = await cache.match(request);
    kept.set(new URL(request.url).pathname, Number(answer?.headers.get('Content-Length') ?? 0));
  }
  return kept;
}

/** The size of further catalogues that fit. If the browser does not report its quota, only the budget counts. */
export async function roomForCatalogues(
  kept: ReadonlyMap<string, number>,
  { room }: Pick<Environment, 'room'> = browserEnvironment(),
): Promise<number> {
  const { usage = 0, quota = Number.POSITIVE_INFINITY } = (await room?.estimate?.().catch(() => undefined)) ?? {};
  const used = [...kept.values()].reduce((sum, bytes) => sum + bytes, 0);
  return Math.max(0, Math.min(MOST_BYTES - used, quota - usage - FOR_SAVES));
}

/**
 * Stores a catalogue once its response is complete. Resolves to its size. Rejects if the response breaks off or exceeds the quota.
 * A log-out deletes the cache, and what arrives later goes with it.
 */
export async function keepCatalogue(address: string, answer: Response): Promise<number> {
  const cache = await caches.open(CATALOGUE_CACHE);
  const bytes = await answer.blob();
  const headers = new Headers(answer.headers);
  // These describe the transfer, not the stored body.
  headers.delete('Content-Encoding');
  headers.set('Content-Length', String(bytes.size));
  await cache.put(address, new Response(bytes, { headers }));
  return bytes.size;
}

/** Removes all catalogues except those at the given addresses. */
export async function removeOtherCatalogues(wanted: ReadonlySet<string>): Promise<void> {
  if (wanted.size === 0) return void (await removeFileCache(CATALOGUE_CACHE));
  const cache = await caches.open(CATALOGUE_CACHE);
  for (const request of await cache.keys()) {
    if (!wanted.has(new URL(request.url).pathname)) await cache.delete(request);
  }
}
