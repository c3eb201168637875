import type { Browser, Page } from '@playwright/test';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { routesOf } from '../../src/domain/resource.ts';
import { Api } from '../harness/api.ts';
import { App } from '../harness/app.ts';
import { storeRecord } from '../harness/seed.ts';
import { expect, test, type World } from '../harness/world.ts';

const ups = resourceOf('ups');
const LIST_CODE = /\/assets\/list-[\w-]+\.js$/;
const LIST_STYLES = /\/assets\/list-[\w-]+\.css$/;
const DATABASES = /\/assets\/device-[\w-]+\.js$/;

/** A new browser with nothing but a session, on a server with one record. */
async function signedInNewcomer(page: Page, browser: Browser, world: World) {
  await storeRecord(await Api.signIn(world.server.origin), ups, 1, { brand: 'Vertiv' });
  await new App(page, world.proxy.origin).signIn();
  const storageState = await page.context().storageState();
  const context = await browser.newContext({ storageState, serviceWorkers: 'block' });
  const newcomer = await context.newPage();
  return { newcomer, app: new App(newcomer, world.proxy.origin) };
}

/** Holds requests to this address. Returns a function that lets them through. */
async function held(page: Page, address: RegExp): Promise<() => void> {
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route(address, async (route) => {
    await arrived;
    await route.continue();
  });
  return arrive;
}

test('the first list is shown before the storage code is loaded, and a change waits for that code', async ({
  page,
  browser,
  world,
}) => {
  const { newcomer, app } = await signedInNewcomer(page, browser, world);
  const asked = newcomer.waitForRequest(DATABASES);
  const arrive = await held(newcomer, DATABASES);
  // time stands still: what is shown did not wait for anything
  await newcomer.clock.install();
  await newcomer.clock.pauseAt(Date.now() + 60_000);
  await app.open(routesOf(ups).list);
  await expect(app.row('Vertiv')).toBeVisible();
  await newcomer.clock.resume();
  await asked;

  await app
    .row('Vertiv')
    .getByRole('button', { name: /^Delete/ })
    .click();
  await newcomer.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  arrive();
  await expect(app.row('Vertiv').getByRole('button', { name: /^Undo/ })).toBeVisible();
  // its time to undo
  await newcomer.clock.fastForward(10_000);
  await expect(app.row('Vertiv')).toBeHidden();
  await expect.poll(() => world.server.data.rows('ups')).toHaveLength(0);
  await newcomer.context().close();
});

test('the code of the first list is requested in parallel with its styles', async ({ page, browser, world }) => {
  const { newcomer, app } = await signedInNewcomer(page, browser, world);
  const arrive = await held(newcomer, LIST_STYLES);
  const code = newcomer.waitForRequest(LIST_CODE);
  const opened = app.open(routesOf(ups).list);
  await code;
  arrive();
  await opened;
  await expect(app.row('Vertiv')).toBeVisible();
  await newcomer.context().close();
});
