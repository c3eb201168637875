import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';

declare const self: ServiceWorkerGlobalScope & {
  readonly __WB_MANIFEST: { url: string; revision: string | null }[];
};

/** Paths that are the server's own: never answered with the app. */
const SERVER_PATHS = [/^\/api(\/|$)/, /^\/uploads(\/|$)/, /^\/settings\.json$/, /^\/health/];

/** The app's own files come from the device, and every screen's address opens the app, also with the server dead. */
export function servePages(): void {
  cleanupOutdatedCaches();
  precacheAndRoute(self.__WB_MANIFEST);
  registerRoute(new NavigationRoute(createHandlerBoundToURL('index.html'), { denylist: SERVER_PATHS }));
}
