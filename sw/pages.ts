import { precache } from './precache.ts';
import type { WorkerScope } from './scope.ts';

const APP_PAGE = 'index.html';
/** Paths of the server, which are never answered with the app. */
const SERVER_PATHS = /^\/(api|uploads)(\/|$)|^\/(settings\.json|healthz)$/;

/** Serves the app's files from the device. Every screen's address opens the app, even with the server down. */
export function servePages(scope: WorkerScope): void {
  const find = precache();
  scope.addEventListener('fetch', (event) => {
    const { request } = event;
    const kept = request.method === 'GET' ? find(fileFor(request)) : undefined;
    if (kept !== undefined) event.respondWith(kept.then((answer) => answer ?? fetch(request)));
  });
}

/** The address to look up for a request: the app's page for navigations, except to the server's paths; else its own. */
function fileFor({ mode, url }: Request): string {
  return mode === 'navigate' && !SERVER_PATHS.test(new URL(url).pathname) ? APP_PAGE : url;
}
