import type { Page } from '@playwright/test';
import { RESOURCES } from '../../src/domain/resources/index.ts';
import { Api } from '../harness/api.ts';
import { App } from '../harness/app.ts';
import { expectAccessible } from '../harness/axe.ts';
import { storeRecord } from '../harness/seed.ts';
import { expect, test } from '../harness/world.ts';

/** A desk, a tablet held upright, a phone. */
const SIZES = [
  { width: 1280, height: 800 },
  { width: 820, height: 1180 },
  { width: 390, height: 844 },
];

/** Everything that the page complains about while a test runs. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return complaints;
}

/** The open screen at every size: no wider than the window, and nothing that axe objects to in either scheme. */
async function inspect(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 }), name).toBeVisible();
  for (const size of SIZES) {
    await page.setViewportSize(size);
    // What stands beside the screen at one size makes way at another, a moment later.
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    await expect.poll(overflow, { message: `${name} is wider than ${size.width}` }).toBeLessThanOrEqual(0);
  }
  await expectAccessible(page, name);
}

test('the login screen', async ({ page, world }) => {
  const complaints = complaintsOf(page);
  await new App(page, world.proxy.origin).open('/login');
  await inspect(page, '/login');
  expect(complaints).toEqual([]);
});

test('the screens that are no catalogue', async ({ page, world }) => {
  const complaints = complaintsOf(page);
  const app = new App(page, world.proxy.origin);
  await app.signIn();
  for (const path of ['/', '/about', '/pass-change', '/sete-meta-update', '/outbox']) {
    await app.open(path);
    await expect(page).toHaveURL(app.origin + path);
    await inspect(page, path);
  }
  expect(complaints).toEqual([]);
});

for (const resource of RESOURCES) {
  test(`the screens of ${resource.label.many}`, async ({ page, world }) => {
    const complaints = complaintsOf(page);
    const api = await Api.signIn(world.server.origin);
    for (const seed of [1, 2, 3]) await storeRecord(api, resource, seed);
    const app = new App(page, world.proxy.origin);
    await app.signIn();
    for (const path of [`/${resource.path}-create`, `/${resource.path}-all`, `/${resource.path}-edit/1`]) {
      await app.open(path);
      await expect(page).toHaveURL(app.origin + path);
      await inspect(page, path);
    }
    expect(complaints).toEqual([]);
  });
}
