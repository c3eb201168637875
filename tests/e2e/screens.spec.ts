import type { BrowserContext, Page } from '@playwright/test';
import { routesOf } from '../../src/domain/resource.ts';
import { RESOURCES } from '../../src/domain/resources/index.ts';
import { Api } from '../harness/api.ts';
import { expectAccessible } from '../harness/axe.ts';
import { storeRecord } from '../harness/seed.ts';
import { expect, test } from '../harness/shared-world.ts';

/** A desktop, a tablet in portrait orientation, a phone. */
const SIZES = [
  { width: 1280, height: 800 },
  { width: 820, height: 1180 },
  { width: 390, height: 844 },
];

/** Everything in the page's console during a test. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return complaints;
}

/** Checks the open screen at every size: no wider than the window, and no axe violation in either scheme. */
async function inspect(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 }), name).toBeVisible();
  for (const size of SIZES) {
    await page.setViewportSize(size);
    // What is beside the screen at one size disappears at another, a moment later.
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    await expect.poll(overflow, { message: `${name} is wider than ${size.width}` }).toBeLessThanOrEqual(0);
  }
  await expectAccessible(page, name);
}

/** Checks these addresses in a new page, which must not log anything to the console. */
async function inspectAll(context: BrowserContext, origin: string, paths: readonly string[]): Promise<void> {
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  for (const path of paths) {
    await page.goto(origin + path);
    await expect(page).toHaveURL(origin + path);
    await inspect(page, path);
  }
  expect(complaints).toEqual([]);
  await page.close();
}

test('the sign-in screen fits every size and is accessible', async ({ context, inhabited }) => {
  await inspectAll(context, inhabited.app.origin, ['/login']);
});

test('the other screens fit every size and are accessible', async ({ inhabited }) => {
  const paths = ['/', '/about', '/pass-change', '/people', '/sessions', '/health', '/sete-meta-update', '/outbox'];
  await inspectAll(inhabited.page.context(), inhabited.app.origin, paths);
});

for (const resource of RESOURCES) {
  test(`the screens of ${resource.label.many} fit every size and are accessible`, async ({ inhabited }) => {
    const api = await Api.signIn(inhabited.server.origin);
    for (const seed of [1, 2, 3]) await storeRecord(api, resource, seed);
    const { create, list, edit } = routesOf(resource);
    await inspectAll(inhabited.page.context(), inhabited.app.origin, [create, list, edit(1)]);
  });
}
