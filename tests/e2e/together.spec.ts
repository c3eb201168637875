import { CHANGES_PATH } from '../../src/domain/protocol/capabilities.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { App } from '../harness/app.ts';
import type { WireRequest } from '../harness/fault-proxy.ts';
import { newVersion } from '../harness/new-version.ts';
import { png } from '../harness/sample-files.ts';
import { expect, test } from '../harness/world.ts';

const partners = resourceOf('partners');
const CREATE = `POST ${partners.endpoints.create}`;
/** Changes that are ready together are sent together. */
const BATCH = `POST ${CHANGES_PATH}`;
const NAMES = ['One', 'Two', 'Three', 'Four', 'Five', 'Six'];

test('two tabs and the worker that wake together send every change once and in order', async ({ context, world }) => {
  const { proxy, server } = world;
  const tabs = [
    new App(await context.newPage(), proxy.origin),
    new App(await context.newPage(), proxy.origin),
  ] as const;
  await tabs[0].signIn();
  await tabs[0].workerReady();
  await tabs[1].open('/partner-all');
  await proxy.refuse();
  for (const [index, name] of NAMES.entries()) {
    const tab = tabs[index % 2 === 0 ? 0 : 1];
    await tab.createUnsent(partners, { name, image: [png(`${name}.png`, index)] });
  }

  await proxy.clear();
  await Promise.all(
    tabs.map(async ({ page }) => {
      await page.evaluate(() => {
        window.dispatchEvent(new Event('online'));
        window.dispatchEvent(new Event('pageshow'));
      });
      await page.reload();
    }),
  );
  await expect.poll(() => server.data.rows('partners').length).toBe(NAMES.length);
  for (const { page } of tabs) await expect(page.getByRole('link', { name: /^Edit/ })).toHaveCount(NAMES.length);
  expect(server.data.rows('partners').map((row) => row['name'])).toEqual(NAMES);
  const keys = proxy.requests.filter(({ line }) => line === BATCH || line === CREATE).flatMap(keysIn);
  expect(keys.toSorted()).toEqual([...new Set(keys)].toSorted());
  expect(keys).toHaveLength(NAMES.length);
});

/** The keys of the changes in a request: of a single one in its header, of several in its body. */
function keysIn({ headers, body }: WireRequest): string[] {
  const one = headers.get('idempotency-key');
  return one === null ? [...body.toString('latin1').matchAll(/"key":"([^"]+)"/g)].map(([, key = '']) => key) : [one];
}

test.describe('two versions', () => {
  test.use({ holds: 'session' });

  test('a queue saved by one version of the app is sent by the next', async ({ page, world }) => {
    const { proxy, server } = world;
    const app = await App.signedIn(page, { proxy });
    await server.stop();
    const logos = NAMES.map((name, index) => png(`${name}.png`, index));
    const fillings = NAMES.map((name, index) => ({ name, image: logos.slice(index, index + 1) }));
    await app.createUnsent(partners, ...fillings);

    // Nothing gets through before the next version is there.
    await proxy.strike({ kind: 'cut-request', after: 0 }, { only: 'POST /api/c' });
    await server.start({ appDir: newVersion('next') });
    await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
    const update = page.getByRole('button', { name: 'Update' });
    await expect(update).toBeVisible();
    // From here on attempts fail at once, so that none delays the takeover.
    await proxy.refuse();
    await update.click();
    await expect(page.locator('meta[name=generator][content=next]')).toHaveCount(1, { timeout: 60_000 });
    expect(server.data.rows('partners')).toEqual([]);
    await proxy.clear();
    // the page was just loaded and may not listen yet
    const sent = async () => {
      await app.linkReturns();
      return server.data.rows('partners').length;
    };
    await expect.poll(sent).toBe(NAMES.length);
    // an upload that was cut is sent again after those of other records, so the order of rows is not guaranteed
    const hashes = server.data.rows('partners').map((row) => [row['name'], server.data.receivedHash(row['image'])]);
    expect(Object.fromEntries(hashes)).toEqual(
      Object.fromEntries(NAMES.map((name, index) => [name, logos[index]?.sha256])),
    );
  });
});
