import { askEarly } from './api/early-answers.ts';
import { firstRowsAddress, routesOf } from './domain/resource.ts';
import { RESOURCES } from './domain/resources/index.ts';

/**
 * Runs beside the app's entry, and before most of it has arrived: what the opened address needs is asked for at once instead
 * of one thing after the other. Small, so that a slow link brings it first; it imports nothing that is large.
 */
const { pathname } = location;
const listed = RESOURCES.find((resource) => routesOf(resource).list === pathname);

if (listed !== undefined) {
  void import('./resource/list-screen.tsx');
  // A page that the worker controls has been here before: its list comes from the device.
  const isFirstVisit = !navigator.serviceWorker?.controller;
  if (isFirstVisit) askEarly(firstRowsAddress(listed));
  else void import('./offline/device.ts');
} else if (pathname === '/') {
  void import('./features/home/home-screen.tsx');
}
