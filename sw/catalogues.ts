import { CATALOGUE_CACHE } from '../src/offline/storage/file-caches.ts';
import type { Environment } from '../src/offline/storage/environment.ts';
import type { WorkerScope } from './scope.ts';
import { isUploaded } from './uploaded.ts';

/**
 * Catalogues that somebody keeps on this device are answered from it: to the viewer, to a tab, to a copy of the record. The page
 * keeps them (src/offline/cache/catalogues.ts): what is kept is asked for, never what is merely seen.
 */
export function serveCatalogues(scope: WorkerScope, { origin }: Pick<Environment, 'origin'>): void {
  scope.addEventListener('fetch', (event) => {
    if (isUploadedDocument(event.request, origin)) event.respondWith(answer(event.request));
  });
}

/** Its bytes, or what is known of it (HEAD). A part of a file is the server's to give. */
function isUploadedDocument({ method, destination, url, headers }: Request, origin: string): boolean {
  const reads = method === 'GET' || method === 'HEAD';
  return reads && destination !== 'image' && !headers.has('Range') && isUploaded(url, origin);
}

async function answer(request: Request): Promise<Response> {
  const kept = await caches.match(request, { cacheName: CATALOGUE_CACHE, ignoreMethod: true, ignoreVary: true });
  return kept ?? fetch(request);
}
