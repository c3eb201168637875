import { CATALOGUE_CACHE } from '../src/offline/storage/file-caches.ts';
import type { Environment } from '../src/offline/storage/environment.ts';
import type { WorkerScope } from './scope.ts';
import { isUploaded } from './uploaded.ts';

/**
 * Serves catalogues stored on this device to the viewer, to a tab, and to a copy of the record. The page stores them
 * (src/offline/cache/catalogues.ts) on request only, never just because they were viewed.
 */
export function serveCatalogues(scope: WorkerScope, { origin }: Pick<Environment, 'origin'>): void {
  scope.addEventListener('fetch', (event) => {
    if (isUploadedDocument(event.request, origin)) event.respondWith(answer(event.request));
  });
}

/** True for GET and HEAD requests. Range requests are left to the server. */
function isUploadedDocument({ method, destination, url, headers }: Request, origin: string): boolean {
  const reads = method === 'GET' || method === 'HEAD';
  return reads && destination !== 'image' && !headers.has('Range') && isUploaded(url, origin);
}

async function answer(request: Request): Promise<Response> {
  const kept = await caches.match(request, { cacheName: CATALOGUE_CACHE, ignoreMethod: true, ignoreVary: true });
  return kept ?? fetch(request);
}
