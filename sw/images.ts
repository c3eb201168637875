import { IMAGE_CACHE, MOST_IMAGES } from '../src/offline/storage/file-caches.ts';
import type { Environment } from '../src/offline/storage/environment.ts';
import { contentTypeOf } from './content-type.ts';
import { keepNewest } from './keep-newest.ts';
import type { WorkerScope } from './scope.ts';
import { isUploaded } from './uploaded.ts';

/** Share of repeat views that refresh a picture's place in the cache. Every view would write as much as it reads. */
const COUNTED = 1 / 8;

/**
 * Caches uploaded pictures when they are viewed. A stored file's bytes never change under its name, so the device's copy
 * stays valid forever. Only pictures are cached, not a login page or a portal's HTML.
 */
export function keepImages(scope: WorkerScope, { random, origin }: Environment): void {
  scope.addEventListener('fetch', (event) => {
    if (!isUploadedPicture(event.request, origin)) return;
    const seen = see(event.request, () => random() < COUNTED);
    event.respondWith(seen.then(({ response }) => response));
    event.waitUntil(seen.then(({ copy, cache }) => copy && keep(cache, event.request, copy)));
  });
}

function isUploadedPicture({ method, destination, url }: Request, origin: string): boolean {
  return method === 'GET' && destination === 'image' && isUploaded(url, origin);
}

interface Seen {
  readonly response: Response;
  /** The copy to cache, if any. A copy holds the whole picture in memory while it is read. */
  readonly copy: Response | undefined;
  /** The cache at the time of the request. A log-out deletes it, and what arrives later is written to no other. */
  readonly cache: Cache;
}

async function see(request: Request, counts: () => boolean): Promise<Seen> {
  const cache = await caches.open(IMAGE_CACHE);
  const kept = await cache.match(request);
  const response = kept ?? (await fetch(request));
  return { response, copy: kept === undefined || counts() ? response.clone() : undefined, cache };
}

async function keep(cache: Cache, request: Request, picture: Response): Promise<void> {
  if (isPicture(picture)) await keepNewest({ cache, name: IMAGE_CACHE, most: MOST_IMAGES }, request, picture);
}

function isPicture(response: Response): boolean {
  return response.status === 200 && contentTypeOf(response).startsWith('image/');
}
