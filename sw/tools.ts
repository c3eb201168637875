import type { Environment } from '../src/offline/storage/environment.ts';
import { keepNewest } from './keep-newest.ts';
import { isPage } from './content-type.ts';
import type { WorkerScope } from './scope.ts';

const CACHE = 'voltdesk-tools';
/** The reader of codes and the two files of that of PDFs, and those of the build before. */
const MOST = 6;
/** Large files that few need: they are no part of what every device fetches beforehand. */
const TOOL = /^\/assets\/[\w.-]+\.(wasm|mjs)$/;

/** Keeps the large tools of the app once they were used, so that they work without a connection from then on. */
export function keepTools(scope: WorkerScope, { origin }: Pick<Environment, 'origin'>): void {
  scope.addEventListener('fetch', (event) => {
    const { request } = event;
    const address = new URL(request.url);
    if (request.method !== 'GET' || address.origin !== origin || !TOOL.test(address.pathname)) return;
    event.respondWith(tool(request));
  });
}

async function tool(request: Request): Promise<Response> {
  const kept = await caches.match(request, { cacheName: CACHE });
  if (kept !== undefined) return kept;
  const response = await fetch(request);
  if (response.ok && !isPage(response)) await keepNewest(CACHE, MOST, request, response.clone());
  return response;
}
