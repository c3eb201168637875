import type { Page } from '@playwright/test';
import { resourceOf } from '../../../src/domain/resources/index.ts';
import { Api } from '../../harness/api.ts';
import { drawn } from '../../harness/drawn.ts';
import { storeRecord } from '../../harness/seed.ts';
import { expect, type Inhabited, test as sharedTest } from '../../harness/shared-world.ts';

const streetLights = resourceOf('street-lights');
const partners = resourceOf('partners');
const sliders = resourceOf('sliders');

export const SIZES = [
  { width: 1280, height: 800 },
  { width: 820, height: 1180 },
  { width: 390, height: 844 },
] as const;

type Size = (typeof SIZES)[number];

/** A world for this file only, filled once: the records of other files would be counted and found. */
export const test = sharedTest.extend<object, { readonly inhabited: Inhabited }>({
  inhabited: [
    async ({ inhabited }, provide) => {
      await fill(inhabited);
      await provide(inhabited);
    },
    { scope: 'worker' },
  ],
});

async function fill({ server }: Inhabited): Promise<void> {
  const api = await Api.signIn(server.origin);
  for (let seed = 1; seed <= 30; seed += 1) {
    const capacity = seed % 2 === 0 ? `${seed} W` : `${seed / 10} kW`;
    await storeRecord(api, streetLights, seed, {
      brand: `Lamp ${seed}`,
      origin: seed < 4 ? 'Japan' : 'China',
      capacity,
    });
  }
  await storeRecord(api, partners, 1, { name: 'Volt Brothers' });
  await storeRecord(api, sliders, 1, { text: 'Second', serial: '2' });
  await storeRecord(api, sliders, 2, { text: 'First', serial: '1' });
}

/** Runs in the page: the controls that a toast covers. */
function coveredByToasts(): string[] {
  const toasts = [...document.querySelectorAll<HTMLElement>('.toasts')];
  const areas = toasts.flatMap((toast) => [...toast.children].map((child) => child.getBoundingClientRect()));
  for (const toast of toasts) toast.style.visibility = 'hidden';
  const controls = [...document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea')];
  const covered = controls.filter((control) => {
    const { left, top, width, height } = control.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    const lies = areas.some((area) => x > area.left && x < area.right && y > area.top && y < area.bottom);
    return lies && control.contains(document.elementFromPoint(x, y));
  });
  for (const toast of toasts) toast.style.visibility = '';
  return covered.map(({ outerHTML }) => outerHTML.slice(0, 120));
}

export const topOf = (page: Page) => page.evaluate(() => Math.round(window.scrollY));

/** Where the page is scrolled to, once its rows have been measured and move it no more. */
async function restingTop(page: Page): Promise<number> {
  let before = Number.NaN;
  for (;;) {
    const now = await topOf(page);
    if (now === before) return now;
    before = now;
    await drawn(page);
  }
}

/** Runs in a page. Scrolls to its end. True if it was there already, in a list that has all its rows. */
function scrolledToEnd(): boolean {
  const { scrollHeight } = document.documentElement;
  const isThere = Math.ceil(window.scrollY + window.innerHeight) >= scrollHeight;
  window.scrollTo(0, scrollHeight);
  return isThere && [...document.querySelectorAll('[data-row]')].some((row) => row.textContent.includes('Lamp 25'));
}

/** A test of a list’s place in a window of this size. */
export function keepsItsPlace(size: Size): void {
  test(`at ${size.width} a list keeps its place after Update and Cancel and highlights the saved row, with no control under a toast`, async ({
    inhabited: { app, page },
  }) => {
    await page.setViewportSize(size);
    await app.open('/st-all');
    const row = page.locator('[data-row]').filter({ hasText: 'Lamp 25' });
    await expect(page.locator('[data-row]').first()).toBeVisible();
    // a list whose later rows are still on their way grows
    await expect.poll(() => page.evaluate(scrolledToEnd)).toBe(true);
    const edit = row.getByRole('link', { name: /^Edit/ });
    await edit.scrollIntoViewIfNeeded();
    const left = await restingTop(page);
    expect(left).toBeGreaterThan(100);

    await edit.click();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await expect(row).toBeInViewport();
    await expect.poll(() => topOf(page)).toBe(left);

    await edit.click();
    await page.getByLabel('Origin').fill(`Origin ${size.width}`);
    await app.holdNotifications();
    await app.submit();
    await expect.poll(() => app.arrivals()).toEqual(['Lamp 25']);
    await expect.poll(() => topOf(page)).toBe(left);
    const toast = app.toast('Street Light Updated Successfully');
    await expect(toast).toBeVisible();
    expect(await page.evaluate(coveredByToasts)).toEqual([]);
    await toast.getByRole('button', { name: 'Close' }).click();
    await expect(page.locator('[data-arrived]')).toHaveCount(0);

    await page.evaluate(() => window.scrollTo(0, 0));
    const first = page.locator('[data-row]').first();
    await expect(first.locator('.row-link')).toHaveText('Lamp 1');
    const before = await first.boundingBox();
    await first.getByRole('checkbox').press('Space');
    await expect(page.getByText('1 selected')).toBeVisible();
    expect(await first.boundingBox()).toEqual(before);
    await page.getByRole('button', { name: 'Clear' }).click();
  });
}

/** A test of what a list shows in a window of this size. */
export function showsEverything(size: Size): void {
  test(`at ${size.width} everything that the specification asks for is visible`, async ({
    inhabited: { app, page },
  }) => {
    await page.setViewportSize(size);
    await app.open('/slider-all');
    const texts = page.locator('.row-link');
    await expect(texts).toHaveText(['First', 'Second']);
    const picture = page.locator('[data-row] img').first();
    const room = (await page.getByRole('main').boundingBox())?.width ?? 0;
    const width = async () => (await picture.boundingBox())?.width ?? 0;
    await expect.poll(width).toBeGreaterThanOrEqual(Math.min(300, room - 100));
    expect(await width()).toBeLessThanOrEqual(300);

    await app.open('/partner-all');
    const row = page.locator('[data-row]').first();
    await expect(row.locator('img')).toBeVisible();
    expect((await row.locator('img').boundingBox())?.width).toBe(100);
    await expect(row).toContainText('Volt Brothers');
    await expect(row.getByRole('link', { name: /^Edit/ })).toBeVisible();
    const heads = page.getByRole('columnheader');
    if (size.width >= 900) {
      await expect(heads).toHaveText(['', 'Sl', 'Name', 'Image', 'Link', 'Action']);
      const link = row.locator('.col-fact');
      expect(await link.evaluate((cell) => cell.scrollWidth - cell.clientWidth)).toBe(0);
    } else await expect(row).toContainText('Sl 1');

    const account = page.getByRole('banner');
    if (size.width < 900) await account.getByRole('button', { name: 'Test Administrator' }).click();
    await expect(account.getByRole('link', { name: 'Change Password' })).toBeVisible();
    await expect(account.getByRole('button', { name: 'Logout' })).toBeVisible();
  });
}

/** Runs in the page: how many rows are fully visible, and the top of the first one. */
function firstScreen() {
  const rows = [...document.querySelectorAll('[data-row]')].map((row) => row.getBoundingClientRect());
  const whole = rows.filter(({ left, width, top, bottom }) => {
    const isSeen = (y: number) => document.elementFromPoint(left + width / 2, y)?.closest('[data-row]') !== null;
    return bottom <= window.innerHeight && isSeen(top + 2) && isSeen(bottom - 2);
  });
  return { whole: whole.length, top: rows[0]?.top ?? Infinity };
}

/** A test of how many records are visible in a window of this size without scrolling. */
export function showsAtFirst(size: Size, least: number): void {
  test(`at ${size.width} the first screen shows ${least} records, even offline`, async ({
    inhabited: { app, page, proxy },
  }) => {
    await page.setViewportSize(size);
    await app.open('/st-all');
    await app.keepsCopy('list/street-lights');
    await expect.poll(async () => (await page.evaluate(firstScreen)).whole).toBeGreaterThanOrEqual(least);
    await proxy.refuse();
    await page.reload();
    await expect(page.getByRole('banner').getByRole('link', { name: 'Offline' })).toBeVisible();
    await expect.poll(async () => (await page.evaluate(firstScreen)).whole).toBeGreaterThanOrEqual(least);
    expect((await page.evaluate(firstScreen)).top).toBeLessThanOrEqual(220);
    await proxy.clear();
  });
}
