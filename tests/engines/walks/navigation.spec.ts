import { setTimeout as sleep } from 'node:timers/promises';
import { expectAll, expectConfirmed, importAll, samplePartner, samplePartners, save } from '../partners.ts';
import { expect, walk } from '../walk.ts';

const NAVIGATIONS = 20;
const PLACES = ['/partner-all', '/outbox', '/partner-create', '/generator-all', '/'];

walk('twenty navigations during uploads leave the storage usable', async ({ device, world }) => {
  const { proxy, server } = world;
  const all = samplePartners(NAVIGATIONS, 60_000);
  const last = samplePartner('After all that', 99);
  const app = await device.newTab(proxy.origin);
  await app.signIn();
  await app.keepsCopy('list/partners');
  await proxy.refuse();
  await importAll(app, all);
  // The request is held and arrives when the page that sent it is left.
  await proxy.strike({ kind: 'hold' }, { only: 'POST ' });
  for (let at = 0; at < NAVIGATIONS; at += 1) {
    await app.open(PLACES[at % PLACES.length] ?? '/');
    await app.linkReturns();
    // The list is read from the device's storage.
    if (at % PLACES.length === 0) await app.see('main a[href*="/partner-edit/"]');
    proxy.release(1);
  }
  proxy.release();
  await save(app, last);
  await expectAll(world, [...all, last]);
  await expectConfirmed(app);
  expect(server.data.rows('partners')).toHaveLength(NAVIGATIONS + 1);
});

walk('a page that is left and restored continues to send', async ({ device, world, engine }) => {
  const { proxy, server } = world;
  const all = samplePartners(4, 60_000);
  const app = await device.newTab(proxy.origin);
  await app.signIn();
  await proxy.strike({ kind: 'hold' }, { only: 'POST ' });
  let returns = 0;
  for (const partner of all) {
    await save(app, partner);
    await app.tab.run(() => void Object.assign(window, { isKept: true }));
    await app.open('/outbox');
    await app.tab.back();
    await app.see('main a[href*="/partner-edit/"]');
    if (await app.tab.run(() => 'isKept' in window)) returns += 1;
    proxy.release(1);
  }
  walk.info().annotations.push({ type: 'from the cache', description: `${returns} of ${all.length}` });
  // Firefox reloads this app. If the other engines did too, this walk would test nothing.
  if (engine !== 'firefox') expect(returns).toBeGreaterThan(0);
  proxy.release();
  await expectAll(world, all);
  await expectConfirmed(app);
  expect(server.data.rows('partners')).toHaveLength(all.length);
});

walk(
  'a page left while its next screen is loading is really left, and comes back complete',
  async ({ device, world }) => {
    const { proxy } = world;
    // Without a worker, a screen's code comes over the network.
    await proxy.strike({ kind: 'hold' }, { only: 'GET /service-worker.js' });
    proxy.strikeToo({ kind: 'hold' }, { only: 'GET /assets/preferences-screen' });
    proxy.strikeToo({ kind: 'hold' }, { only: 'GET /outbox' });
    const app = await device.newTab(proxy.origin);
    await app.open('/login');
    await app.enter();
    await app.press('header button', /^T ?Test Administrator$/);
    await app.press('a[href="/preferences"]');
    await app.isAt('/preferences');
    const leaving = proxy.next('GET /outbox');
    const opened = app.open('/outbox');
    await leaving;
    // Long enough for a page that was cut off to ask for its server.
    await sleep(1_000);
    proxy.release();
    await opened;
    expect(await app.path()).toBe('/outbox');
    await app.tab.back();
    await app.see('h1', /^Preferences$/);
  },
);

walk(
  'an app left during its worker’s installation sends without one, and works offline after a restart',
  async ({ device, world }) => {
    const { proxy } = world;
    const volt = samplePartner('Volt Brothers', 1, 60_000);
    const first = await device.newTab(proxy.origin);
    await first.open('/login');
    // WebKit waits for the first page's message for ever, and a page cannot end that: the next pages have no worker.
    await first.open('/login');
    await first.enter();
    await save(first, volt);
    await expectAll(world, [volt]);
    await expectConfirmed(first);
    await device.kill();

    const again = await device.newTab(proxy.origin);
    await again.open('/');
    await again.workerTakesCharge();
    await proxy.refuse();
    await again.open('/partner-all');
    await again.see('main a[href*="/partner-edit/"]');
    expect(await again.path()).toBe('/partner-all');
  },
);
