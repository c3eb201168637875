import { removeFileCache } from '../src/offline/storage/file-caches.ts';
import { isQuota } from '../src/offline/storage/quota.ts';

/** A browser cache, and the number of answers that it keeps. */
interface Limited {
  readonly cache: Cache;
  readonly name: string;
  readonly most: number;
}

/**
 * Appends an answer to a cache and keeps the newest `most`: browsers list a cache in the order of writing. On a full
 * device the whole cache is deleted.
 */
export async function keepNewest({ cache, name, most }: Limited, request: Request, answer: Response): Promise<void> {
  try {
    await cache.put(request, answer);
    const kept = await cache.keys();
    await Promise.all(kept.slice(0, -most).map((old) => cache.delete(old)));
  } catch (failure) {
    // an answer that breaks off says nothing about the device
    if (isQuota(failure)) await removeFileCache(name);
  }
}
