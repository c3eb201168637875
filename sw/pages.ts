import { precache } from './precache.ts';
import type { WorkerScope } from './scope.ts';

const APP_PAGE = 'index.html';
/** Paths that are the server's own: never answered with the app. */
const SERVER_PATHS = /^\/(api|uploads)(\/|$)|^\/settings\.json$|^\/health/;

/** The app's own files come from the device, and every screen's address opens the app, also with the server dead. */
export function servePages(scope: WorkerScope): void {
  const find = precache();
  scope.addEventListener('fetch', (event) => {
    const { request } = event;
    const kept = request.method === 'GET' ? find(fileFor(request)) : undefined;
    if (kept !== undefined) event.respondWith(kept.then((answer) => answer ?? fetch(request)));
  });
}

/** The app's file that answers a request, if there is one; of what is the server's there is none. */
function fileFor({ mode, url }: Request): string {
  return mode === 'navigate' && !SERVER_PATHS.test(new URL(url).pathname) ? APP_PAGE : url;
}
