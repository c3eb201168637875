import { cleanupOutdatedCaches, getCacheKeyForURL, matchPrecache, precache } from 'workbox-precaching';
import type { WorkerScope } from './scope.ts';

declare const self: WorkerScope & {
  readonly __WB_MANIFEST: { url: string; revision: string | null }[];
};

const APP_PAGE = 'index.html';
/** Paths that are the server's own: never answered with the app. */
const SERVER_PATHS = /^\/(api|uploads)(\/|$)|^\/settings\.json$|^\/health/;

/** The app's own files come from the device, and every screen's address opens the app, also with the server dead. */
export function servePages(): void {
  cleanupOutdatedCaches();
  precache(self.__WB_MANIFEST);
  self.addEventListener('fetch', (event) => {
    const { request } = event;
    const file = request.method === 'GET' ? fileFor(request) : undefined;
    if (file !== undefined) event.respondWith(matchPrecache(file).then((kept) => kept ?? fetch(request)));
  });
}

/** The app's file that answers a request. Undefined for what is the server's. */
function fileFor({ mode, url }: Request): string | undefined {
  if (mode === 'navigate') return SERVER_PATHS.test(new URL(url).pathname) ? undefined : APP_PAGE;
  return getCacheKeyForURL(url) === undefined ? undefined : url;
}
