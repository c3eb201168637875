import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { Api } from '../harness/api.ts';
import { App } from '../harness/app.ts';
import { drawn } from '../harness/drawn.ts';
import { png } from '../harness/sample-files.ts';
import { storeRecord } from '../harness/seed.ts';
import { expect, test } from '../harness/world.ts';
import { listOf, signInWithWorker, partners, NAMES } from './steps/lists.ts';

test('the headings of a long list stay visible, cover nothing focused, and lead to its first row', async ({
  page,
  world,
}) => {
  const names = Array.from({ length: 24 }, (_, at) => `Unit ${at + 10}`);
  const app = new App(page, world.proxy.origin);
  await listOf(app, world, names);
  const heading = page.getByRole('columnheader', { name: 'Name' });
  const sort = heading.getByRole('button');
  const scrollDown = () => page.evaluate(() => window.scrollTo(0, 1200));

  await scrollDown();
  await expect(app.row('Unit 10')).not.toBeInViewport();
  await expect(sort).toBeInViewport();
  await sort.click();
  await expect(app.row('Unit 10')).toBeInViewport();
  await scrollDown();
  await page.getByRole('checkbox', { name: 'Select all' }).check();
  await expect(page.getByText('24 selected')).toBeInViewport();
  await expect(sort).toBeInViewport();
  await sort.click();
  await expect(heading).toHaveAttribute('aria-sort', 'descending');
  await expect(app.row('Unit 33')).toBeInViewport();

  await page.getByRole('link', { name: 'Edit Unit 20' }).focus();
  expect(await coveredOnTheWayUp(page)).toEqual([]);
});

test('the bars above and below a list cover no focused compact row', async ({ page, world }) => {
  const names = Array.from({ length: 12 }, (_, at) => `Unit ${at + 10}`);
  const app = new App(page, world.proxy.origin);
  await listOf(app, world, names);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('checkbox', { name: 'Select Unit 12' }).check();
  await page.getByRole('button', { name: 'More for Unit 20' }).focus();
  expect(await coveredOnTheWayUp(page)).toEqual([]);
});

/** The rows that are covered when they get the focus, going up by keyboard. */
async function coveredOnTheWayUp(page: Page): Promise<string[]> {
  const covered: string[] = [];
  for (let count = 0; count < 24; count += 1) {
    await page.keyboard.press('Shift+Tab');
    let found = await page.evaluate(coveredFocus);
    // The page may still be scrolling to the focus.
    for (let look = 0; look < 30 && found.length > 0; look += 1) {
      await drawn(page);
      found = await page.evaluate(coveredFocus);
    }
    covered.push(...found);
  }
  return covered;
}

/** Runs in the page: the focused element, if something covers it. */
function coveredFocus(): string[] {
  const focused = document.activeElement;
  if (focused === null || focused.closest('[data-row]') === null) return ['The focus left the rows.'];
  const { left, top, width, height } = focused.getBoundingClientRect();
  const seen = document.elementFromPoint(left + width / 2, top + height / 2);
  return seen !== null && (focused.contains(seen) || seen.contains(focused)) ? [] : [focused.outerHTML];
}

test('a list is exported as CSV, and a CSV file is previewed before its import', async ({ page, world }) => {
  const app = new App(page, world.proxy.origin);
  await listOf(app, world);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Export as CSV' }).click();
  const file = await readFile(await (await downloading).path(), 'utf8');
  expect(file).toMatch(/^\uFEFFid,name/);
  expect(file).toContain('Ünit 9');

  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Import CSV' }).click();
  const csv = 'id,name,image\n3,Renamed,\n,New one,new.png\n,No picture,\n';
  await page
    .getByLabel('CSV file and the files it names')
    .setInputFiles([{ name: 'partners.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }, png('new.png', 7)]);
  const dialog = page.getByRole('dialog', { name: 'Import Partners' });
  await expect(dialog.getByRole('row', { name: /No picture/ })).toContainText('The image field is required.');
  await dialog.getByRole('button', { name: 'Import 2 lines' }).click();
  await expect(dialog.getByRole('row')).toHaveCount(2);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(app.row('New one')).toBeVisible();
  const names = () => world.server.data.rows('partners').map((row) => row['name']);
  await expect.poll(names).toEqual(['Unit 10', 'Ünit 9', 'Renamed', 'New one']);
  expect(world.server.data.rows('partners')[2]?.['link']).not.toBe('');
});

test('a narrow screen shows rows without columns and with the same functions', async ({ page, world }) => {
  const app = new App(page, world.proxy.origin);
  await page.setViewportSize({ width: 390, height: 844 });
  const api = await Api.signIn(world.server.origin);
  for (const [seed, name] of NAMES.entries()) await storeRecord(api, partners, seed + 1, { name });
  await signInWithWorker(app);
  await app.open('/partner-all');
  const cards = page.getByRole('list', { name: 'All Partners' }).getByRole('listitem');
  await expect(cards).toHaveCount(3);
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByRole('combobox', { name: 'Order' }).selectOption({ label: 'Name, A to Z' });
  await page.keyboard.press('Escape');
  await expect(cards.locator('.row-link')).toHaveText(['Solar Co', 'Ünit 9', 'Unit 10']);
  await page.getByRole('searchbox', { name: 'Search Partners' }).fill('solar');
  await expect(cards).toHaveCount(1);
  // so that no deletion is sent
  await world.proxy.refuse();
  await cards.getByRole('button', { name: 'More for Solar Co' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await app.answer('Delete');
  await cards.getByRole('button', { name: 'Undo the deletion of Solar Co' }).click();
  await expect(cards.getByRole('button', { name: 'More for Solar Co' })).toBeVisible();
  await world.proxy.clear();
  await cards.getByRole('link', { name: 'Edit Solar Co' }).click();
  await expect(page.getByLabel('Name')).toHaveValue('Solar Co');
});

test('a list works with the keyboard alone', async ({ page, world }) => {
  const app = new App(page, world.proxy.origin);
  await listOf(app, world);
  await page.getByRole('checkbox', { name: 'Select Unit 10' }).press('Space');
  await expect(page.getByText('1 selected')).toBeVisible();
  await page.getByRole('button', { name: 'Clear' }).press('Enter');
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').press('Enter');
  await expect(page.locator('tbody .row-link').first()).toHaveText('Solar Co');
  const remove = page.getByRole('button', { name: 'Delete Solar Co' });
  await remove.press('Enter');
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(remove).toBeFocused();
  // so that no deletion is sent
  await world.proxy.refuse();
  await remove.press('Enter');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).press('Enter');
  await page.getByRole('button', { name: 'Undo the deletion of Solar Co' }).press('Enter');
  await expect(remove).toBeVisible();
  await world.proxy.clear();
  await page.getByRole('link', { name: 'Edit Solar Co' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Edit Solar Co', level: 1 })).toBeFocused();
});
