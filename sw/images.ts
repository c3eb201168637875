import { IMAGE_CACHE, MOST_IMAGES, removeFileCache } from '../src/offline/storage/file-caches.ts';
import type { Environment } from '../src/offline/storage/environment.ts';
import type { WorkerScope } from './scope.ts';

/** How often seeing a picture again counts: each time would write as much as it reads. */
const COUNTED = 1 / 8;

/**
 * Uploaded pictures are kept as they are seen. A stored file's name never gets other bytes, so the device's copy is good for ever.
 * Only pictures are kept: a login page or a portal's HTML is not.
 */
export function keepImages(scope: WorkerScope, { random, origin }: Environment): void {
  scope.addEventListener('fetch', (event) => {
    if (!isUploadedPicture(event.request, origin)) return;
    const seen = see(event.request, () => random() < COUNTED);
    event.respondWith(seen.then(({ response }) => response));
    event.waitUntil(seen.then(({ copy }) => copy && keep(event.request, copy)));
  });
}

function isUploadedPicture({ method, destination, url }: Request, origin: string): boolean {
  const address = new URL(url);
  return (
    method === 'GET' && destination === 'image' && address.origin === origin && address.pathname.startsWith('/uploads/')
  );
}

interface Seen {
  readonly response: Response;
  /** What is to be written: a copy holds the whole picture in memory for as long as it is read. */
  readonly copy: Response | undefined;
}

async function see(request: Request, counts: () => boolean): Promise<Seen> {
  const kept = await caches.match(request, { cacheName: IMAGE_CACHE });
  const response = kept ?? (await fetch(request));
  return { response, copy: kept === undefined || counts() ? response.clone() : undefined };
}

/** Puts a picture behind all others: a browser lists a cache in the order of writing. A full device loses them all at once. */
async function keep(request: Request, picture: Response): Promise<void> {
  if (!isPicture(picture)) return;
  try {
    const cache = await caches.open(IMAGE_CACHE);
    await cache.put(request, picture);
    const kept = await cache.keys();
    await Promise.all(kept.slice(0, Math.max(0, kept.length - MOST_IMAGES)).map((old) => cache.delete(old)));
  } catch {
    await removeFileCache(IMAGE_CACHE);
  }
}

function isPicture(response: Response): boolean {
  return response.status === 200 && (response.headers.get('Content-Type') ?? '').startsWith('image/');
}
