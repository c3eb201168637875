import { resourceOf } from '../../src/domain/resources/index.ts';
import { routesOf } from '../../src/domain/resource.ts';
import { Api } from '../harness/api.ts';
import { App } from '../harness/app.ts';
import { storeRecord } from '../harness/seed.ts';
import { expect, test } from '../harness/world.ts';

const ups = resourceOf('ups');
const LIST_CODE = /\/assets\/list-[\w-]+\.js$/;
const LIST_STYLES = /\/assets\/list-[\w-]+\.css$/;
const DATABASES = /\/assets\/device-[\w-]+\.js$/;

test('the first list stands before the code of the databases has come, and a save waits for it', async ({
  page,
  browser,
  world,
}) => {
  await storeRecord(await Api.signIn(world.server.origin), ups, 1, { brand: 'Vertiv' });
  await new App(page, world.proxy.origin).signIn();
  const storageState = await page.context().storageState();

  // signed in, and nothing else kept: a new browser that brings the session along
  const context = await browser.newContext({ storageState, serviceWorkers: 'block' });
  const newcomer = await context.newPage();
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const asked = newcomer.waitForRequest(DATABASES);
  await newcomer.route(DATABASES, async (route) => {
    await arrived;
    await route.continue();
  });
  // time stands still: what is shown has waited for nothing
  await newcomer.clock.install();
  const app = new App(newcomer, world.proxy.origin);
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
  // After the time in which it can be taken back.
  await expect(app.row('Vertiv')).toBeHidden();
  await expect.poll(() => world.server.data.rows('ups')).toHaveLength(0);
  await context.close();
});

test('the code of the first list is asked for beside its styles', async ({ page, browser, world }) => {
  await storeRecord(await Api.signIn(world.server.origin), ups, 1, { brand: 'Vertiv' });
  await new App(page, world.proxy.origin).signIn();
  const storageState = await page.context().storageState();
  const context = await browser.newContext({ storageState, serviceWorkers: 'block' });
  const newcomer = await context.newPage();
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await newcomer.route(LIST_STYLES, async (route) => {
    await arrived;
    await route.continue();
  });
  const code = newcomer.waitForRequest(LIST_CODE);
  const app = new App(newcomer, world.proxy.origin);
  const opened = app.open(routesOf(ups).list);
  await code;
  arrive();
  await opened;
  await expect(app.row('Vertiv')).toBeVisible();
  await context.close();
});
