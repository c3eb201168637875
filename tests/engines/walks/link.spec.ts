import { routesOf } from '../../../src/domain/resource.ts';
import { RESOURCES } from '../../../src/domain/resources/index.ts';
import { expectAll, expectConfirmed, importAll, partners, samplePartner, samplePartners, save } from '../partners.ts';
import { until } from '../until.ts';
import { expect, walk } from '../walk.ts';

const CREATE = `POST ${partners.endpoints.create}`;

walk(
  'a change saved offline is sent by the worker after the page is closed, or when the app is opened',
  async ({ device, world, engine }) => {
    const { proxy, server } = world;
    const volt = samplePartner('Volt Brothers', 1, 500_000);
    const first = await device.newTab(proxy.origin);
    await first.signIn();
    await proxy.refuse();
    await save(first, volt);
    await first.tab.close();
    await proxy.clear();
    // Only Chromium has Background Sync, which may take a while. Elsewhere it is sent by then, or when the app is opened again.
    if (engine === 'chromium') {
      const since = Date.now();
      await until('the worker to send', () => server.data.rows('partners')[0]);
      const description = `by the worker after ${((Date.now() - since) / 1000).toFixed(1)} s`;
      walk.info().annotations.push({ type: 'sent', description });
    }

    const again = await device.newTab(proxy.origin);
    await again.open('/partner-all');
    await expectAll(world, [volt]);
    await expectConfirmed(again);
    expect(server.data.rows('partners')).toHaveLength(1);
  },
);

walk('a change arrives once when its answer is cut twice', async ({ device, world }) => {
  const { proxy, server } = world;
  const volt = samplePartner('Volt Brothers', 2);
  const app = await device.newTab(proxy.origin);
  await app.signIn();
  // Twice, since browsers repeat a request by themselves if its kept connection ended before any answer.
  await proxy.strike({ kind: 'cut-answer', after: 0 }, { only: CREATE, times: 2 });
  await save(app, volt);
  await expectAll(world, [volt]);
  await expectConfirmed(app);
  expect(server.data.rows('partners')).toHaveLength(1);
  expect(proxy.struck).toBeGreaterThan(0);
});

walk('two tabs that save offline and wake together send each change once and in order', async ({ device, world }) => {
  const { proxy, server } = world;
  const all = samplePartners(4, 100_000);
  const one = await device.newTab(proxy.origin);
  await one.signIn();
  const two = await device.newTab(proxy.origin);
  await two.open('/partner-all');
  await proxy.refuse();
  for (const [index, partner] of all.entries()) await save(index % 2 === 0 ? one : two, partner);
  await proxy.clear();
  await Promise.all([one, two].map((app) => app.linkReturns()));
  await expectAll(world, all);
  for (const app of [one, two]) await expectConfirmed(app);
  expect(server.data.rows('partners').map(({ name }) => name)).toEqual(all.map(({ name }) => name));
});

walk('every list and form opens without a server', async ({ device, world }) => {
  const { proxy } = world;
  const first = await device.newTab(proxy.origin);
  await first.signIn();
  await until('the whole app on the device', () => first.isKept());
  await device.kill();
  await proxy.refuse();
  const again = await device.newTab(proxy.origin);
  const screens = RESOURCES.flatMap((resource) => [routesOf(resource).list, routesOf(resource).create]);
  for (const path of ['/', '/outbox', '/about', '/sete-meta-update', ...screens]) {
    await again.open(path);
    await again.see('header');
    expect(await again.path()).toBe(path);
  }
});

walk('fifty changes with photos saved offline arrive once', async ({ device, world }) => {
  const { proxy, server } = world;
  const all = samplePartners(50, 30_000);
  const app = await device.newTab(proxy.origin);
  await app.signIn();
  await app.keepsCopy('list/partners');
  await proxy.refuse();
  await importAll(app, all);
  await proxy.clear();
  await app.linkReturns();
  await expectAll(world, all);
  await expectConfirmed(app);
  expect(server.data.rows('partners')).toHaveLength(all.length);
});
