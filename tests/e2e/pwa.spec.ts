import type { Locator } from '@playwright/test';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { Api } from '../harness/api.ts';
import { App } from '../harness/app.ts';
import { newVersion } from '../harness/new-version.ts';
import { png } from '../harness/sample-files.ts';
import { storeRecord } from '../harness/seed.ts';
import { expect, test } from '../harness/world.ts';

const partners = resourceOf('partners');

const SIZES = [
  { width: 1280, height: 800 },
  { width: 820, height: 900 },
  { width: 390, height: 844 },
];

interface Manifest {
  readonly name: string;
  readonly start_url: string;
  readonly display: string;
  readonly icons: readonly { readonly src: string; readonly sizes: string; readonly purpose?: string }[];
}

test('the app can be installed', async ({ device, request, world }) => {
  const page = await device.newPage();
  const app = new App(page, world.proxy.origin);
  await app.open('/login');
  const address = await page.locator('link[rel=manifest]').getAttribute('href');
  const manifest = (await (await request.get(address ?? '')).json()) as Manifest;
  expect(manifest).toMatchObject({ name: 'Voltdesk', start_url: '/', display: 'standalone' });
  for (const size of ['192x192', '512x512']) expect(manifest.icons.map((icon) => icon.sizes)).toContain(size);
  expect(manifest.icons.filter((icon) => icon.purpose === 'maskable')).not.toEqual([]);
  const apple = await page.locator('link[rel=apple-touch-icon]').getAttribute('href');
  for (const src of [...manifest.icons.map((icon) => icon.src), apple ?? '']) {
    expect((await request.get(src)).headers()['content-type'], src).toMatch(/^image\//);
  }
  // otherwise each is requested again, and a page whose link fails before its worker is there loses what it has loaded
  const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
  const hashed = loaded.filter((name) => name.includes('/assets/'));
  expect(hashed.length).toBeGreaterThan(2);
  for (const name of hashed) {
    expect((await request.get(name)).headers()['cache-control'], name).toContain('immutable');
  }
  const session = await page.context().newCDPSession(page);
  await app.workerReady();
  expect((await session.send('Page.getInstallabilityErrors')).installabilityErrors).toEqual([]);
});

test('the app opens without a server, even at a deep link', async ({ page, world }) => {
  const app = await App.signedIn(page, world);
  await app.open('/generator-all');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await world.proxy.refuse();

  for (const path of ['/', '/generator-all', '/generator-create', '/outbox', '/sete-meta-update', '/project-create']) {
    await app.open(path);
    await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible();
    await expect(page.getByRole('button', { name: 'Logout' }), path).toBeVisible();
  }
});

/** Neither covers the other, on a desktop, a tablet or a phone. */
async function expectApart(one: Locator, other: Locator): Promise<void> {
  const page = one.page();
  const before = page.viewportSize();
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await expect(one).toBeVisible();
    await expect
      .poll(async () => overlap(await one.boundingBox(), await other.boundingBox()), `at ${size.width}`)
      .toBe(0);
  }
  if (before !== null) await page.setViewportSize(before);
}

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number } | null;

/** Square pixels that two boxes share; NaN if one is missing. */
function overlap(one: Box, other: Box): number {
  if (one === null || other === null) return Number.NaN;
  const wide = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const high = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return Math.max(0, wide) * Math.max(0, high);
}

test.describe('a new version', () => {
  test.use({ holds: 'session' });

  test('waits for consent, and cannot be installed over an unsaved form', async ({ page, world }) => {
    const api = await Api.signIn(world.server.origin);
    // more than fits a window, so that the selection bar is at the bottom
    for (let seed = 1; seed <= 14; seed += 1) await storeRecord(api, partners, seed);
    const app = await App.signedIn(page, world);
    await app.open('/partner-create');
    await page.getByLabel('Name').fill('not saved yet');

    await world.server.stop();
    await world.server.start({ appDir: newVersion('second') });
    await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
    const offer = page.getByRole('region', { name: 'New version' });
    await expect(offer.getByRole('button', { name: 'Update' })).toBeDisabled();
    await expect(offer).toContainText('Save your work first');
    await expect(page.getByLabel('Name')).toHaveValue('not saved yet');
    const bar = page.locator('.save-bar, .selection-bar');
    await expectApart(offer, bar);

    await page.getByRole('link', { name: 'Cancel' }).click();
    await app.answer('Leave');
    await expect(page.getByRole('heading', { name: 'Partners', level: 1 })).toBeVisible();
    await expect(page.locator('meta[name=generator]')).toHaveCount(0);
    await page.getByRole('checkbox', { name: 'Select all' }).check();
    await expectApart(offer, bar);
    await offer.getByRole('button', { name: 'Update' }).click();
    await expect(page.locator('meta[name=generator][content=second]')).toHaveCount(1);
    await expect(page.getByRole('heading', { name: 'Partners', level: 1 })).toBeVisible();
  });

  test('accepted while changes are being sent takes over after the current one', async ({ page, world }) => {
    const { proxy, server } = world;
    const app = await App.signedIn(page, { proxy });
    await server.stop();
    await server.start({ appDir: newVersion('third') });
    await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
    const offer = page.getByRole('region', { name: 'New version' });
    await expect(offer).toBeVisible();
    await proxy.refuse();
    const names = ['One', 'Two', 'Three'];
    // each logo travels before its change, so that the changes are sent one by one
    const logos = names.map((name, index) => png(`${name}.png`, index, 300_000));
    await app.createUnsent(partners, ...names.map((name, index) => ({ name, image: logos.slice(index, index + 1) })));

    const create = `POST ${partners.endpoints.create}`;
    const sent = proxy.next(create);
    await proxy.strike({ kind: 'hold' }, { only: create });
    await app.linkReturns();
    await sent;
    await offer.getByRole('button', { name: 'Update' }).click();
    await expect(offer).toContainText('Updating…');
    proxy.release(1);
    await expect(page.locator('meta[name=generator][content=third]')).toHaveCount(1);
    expect(server.data.rows(partners.name).map(({ name }) => name)).toEqual(['One']);
    proxy.release();
    await expect.poll(() => server.data.rows(partners.name).map(({ name }) => name)).toEqual(names);
  });
});
