import type { WorkboxPlugin } from 'workbox-core';
import { ExpirationPlugin } from 'workbox-expiration';
import { registerRoute } from 'workbox-routing';
import { CacheFirst } from 'workbox-strategies';
import { IMAGE_CACHE } from '../src/offline/cache/cache.ts';

const DAY = 24 * 60 * 60;

const expiry = new ExpirationPlugin({ maxEntries: 500, maxAgeSeconds: 60 * DAY, purgeOnQuotaError: true });

/**
 * Uploaded pictures are kept as they are seen, the least recently used ones go first. A stored file's name never gets other
 * bytes, so the device's copy is good for ever. Only pictures are kept: a login page or a portal's HTML is not.
 */
export function keepImages(): void {
  registerRoute(
    ({ request, sameOrigin, url }) =>
      sameOrigin && request.destination === 'image' && url.pathname.startsWith('/uploads/'),
    new CacheFirst({
      cacheName: IMAGE_CACHE,
      plugins: [
        { cacheWillUpdate: async ({ response }) => (isPicture(response) ? response : null) },
        expiry as WorkboxPlugin,
      ],
    }),
  );
}

function isPicture(response: Response): boolean {
  return response.status === 200 && (response.headers.get('Content-Type') ?? '').startsWith('image/');
}
