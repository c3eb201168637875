import { askEarly } from './api/early-answers.ts';
import { firstRowsAddress, routesOf } from './domain/resource.ts';
import { RESOURCES } from './domain/resources/index.ts';

/**
 * Runs next to the app's entry, before most of it has loaded. Requests everything the opened address needs at once, not in
 * sequence. It is small and imports nothing large, so that it arrives first on a slow link.
 */
const { pathname } = location;
const listed = RESOURCES.find((resource) => routesOf(resource).list === pathname);

if (listed !== undefined) {
  void import('./resource/list-screen.tsx');
  // The worker controls the page only on a later visit, when the list comes from the device.
  const isFirstVisit = !navigator.serviceWorker?.controller;
  if (isFirstVisit) askEarly(firstRowsAddress(listed));
  else void import('./offline/device.ts');
} else if (pathname === '/') {
  void import('./features/home/home-screen.tsx');
}
