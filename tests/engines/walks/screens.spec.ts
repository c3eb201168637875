import { routesOf } from '../../../src/domain/resource.ts';
import { RESOURCES } from '../../../src/domain/resources/index.ts';
import { Api } from '../../harness/api.ts';
import { storeRecord } from '../../harness/seed.ts';
import type { App } from '../app.ts';
import { until } from '../until.ts';
import { expect, walk } from '../walk.ts';

/** A desktop, a tablet in portrait orientation, a phone. */
const SIZES = [
  [1280, 800],
  [820, 1180],
  [390, 844],
] as const;

/** Checks the screen at this address in every size: no wider than the window, and nothing in the console. */
async function inspect(app: App, path: string): Promise<void> {
  await app.open(path);
  for (const [width, height] of SIZES) {
    await app.tab.resize(width, height);
    const fits = (wanted: number) => innerWidth === wanted && document.documentElement.scrollWidth <= wanted;
    await until(`${path} no wider than ${width}`, () => app.tab.run(fits, width));
  }
  expect(await app.complaints(), path).toEqual([]);
}

walk('every screen fits three sizes and logs nothing to the console', async ({ device, world }) => {
  const api = await Api.signIn(world.server.origin);
  for (const resource of RESOURCES) await storeRecord(api, resource, 1);
  const app = await device.newTab(world.proxy.origin);
  await inspect(app, '/login');
  await app.workerTakesCharge();
  await app.signIn();
  for (const path of ['/', '/about', '/pass-change', '/sete-meta-update', '/outbox']) await inspect(app, path);
  for (const resource of RESOURCES) {
    const { list, create, edit } = routesOf(resource);
    for (const path of [list, create, edit(1)]) await inspect(app, path);
  }
  expect(await app.path()).toContain('-edit/1');
});
