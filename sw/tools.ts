import type { Environment } from '../src/offline/storage/environment.ts';
import { keepNewest } from './keep-newest.ts';
import { isPage } from './content-type.ts';
import type { WorkerScope } from './scope.ts';

const CACHE = 'voltdesk-tools';
/** The code reader and the two files of the PDF reader, for this build and the previous one. */
const MOST = 6;
/** Large files that few users need. They are not precached. */
const TOOL = /^\/assets\/[\w.-]+\.(wasm|mjs)$/;

/** Caches the app's large tools when first used, so that they work offline from then on. */
export function keepTools(scope: WorkerScope, { origin }: Pick<Environment, 'origin'>): void {
  scope.addEventListener('fetch', (event) => {
    const { request } = event;
    const address = new URL(request.url);
    if (request.method !== 'GET' || address.origin !== origin || !TOOL.test(address.pathname)) return;
    event.respondWith(tool(request));
  });
}

async function tool(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request);
  if (kept !== undefined) return kept;
  const response = await fetch(request);
  if (response.ok && !isPage(response)) await keepNewest({ cache, name: CACHE, most: MOST }, request, response.clone());
  return response;
}
