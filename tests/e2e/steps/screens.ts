import type { BrowserContext, Page } from '@playwright/test';
import { type Resource, routesOf } from '../../../src/domain/resource.ts';
import { Api } from '../../harness/api.ts';
import { expectAccessible } from '../../harness/axe.ts';
import { storeRecord } from '../../harness/seed.ts';
import { expect, type Inhabited } from '../../harness/shared-world.ts';

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
export async function inspectAll(context: BrowserContext, origin: string, paths: readonly string[]): Promise<void> {
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

/** Checks the form, the list and the edit form of a kind that has three records. */
export async function inspectKind({ app, page, server }: Inhabited, resource: Resource): Promise<void> {
  const api = await Api.signIn(server.origin);
  for (const seed of [1, 2, 3]) await storeRecord(api, resource, seed);
  const { create, list, edit } = routesOf(resource);
  await inspectAll(page.context(), app.origin, [create, list, edit(1)]);
}
