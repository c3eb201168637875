import { removeFileCache } from '../src/offline/storage/file-caches.ts';

/**
 * Puts an answer behind all others in a cache, of which the newest `most` stay: a browser lists a cache in the order of writing. A full
 * device goes without, and loses them all at once.
 */
export async function keepNewest(name: string, most: number, request: Request, answer: Response): Promise<void> {
  try {
    const cache = await caches.open(name);
    await cache.put(request, answer);
    const kept = await cache.keys();
    await Promise.all(kept.slice(0, -most).map((old) => cache.delete(old)));
  } catch {
    await removeFileCache(name);
  }
}
