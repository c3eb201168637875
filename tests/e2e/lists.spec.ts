import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { Api } from '../harness/api.ts';
import { App } from '../harness/app.ts';
import { drawn } from '../harness/drawn.ts';
import { png } from '../harness/sample-files.ts';
import { storeRecord } from '../harness/seed.ts';
import { slideOrder } from '../harness/slides.ts';
import { expect, test, type World } from '../harness/world.ts';

const partners = resourceOf('partners');
const streetLights = resourceOf('street-lights');
const NAMES = ['Unit 10', 'Ünit 9', 'Solar Co'];

/** Stores partners with these names and opens their list. */
async function listOf(app: App, { server }: World, names: readonly string[] = NAMES): Promise<void> {
  const api = await Api.signIn(server.origin);
  for (const [seed, name] of names.entries()) await storeRecord(api, partners, seed + 1, { name });
  await signInWithWorker(app);
  await app.open('/partner-all');
  await expect(app.row(names[0] ?? '')).toBeVisible();
}

/** The page that first asks for the worker is surely taken charge of; one that is opened in that very moment is not. */
async function signInWithWorker(app: App): Promise<void> {
  await app.signIn();
  await app.workerReady();
}

test('a list is searched while typing, sorted by its headings, and its rows open the records', async ({
  page,
  world,
}) => {
  const app = new App(page, world.proxy.origin);
  await listOf(app, world);
  const names = page.locator('tbody .row-link');
  await expect(names).toHaveText(NAMES);

  await page.keyboard.press('/');
  await page.keyboard.type('unit');
  await expect(page.getByRole('searchbox', { name: 'Search Partners' })).toHaveValue('unit');
  await expect(names).toHaveText(['Unit 10', 'Ünit 9']);
  const heading = page.getByRole('columnheader', { name: 'Name' });
  await heading.getByRole('button').click();
  await expect(heading).toHaveAttribute('aria-sort', 'ascending');
  await expect(names).toHaveText(['Ünit 9', 'Unit 10']);
  await heading.getByRole('button').click();
  await expect(heading).toHaveAttribute('aria-sort', 'descending');
  await expect(names).toHaveText(['Unit 10', 'Ünit 9']);

  await app.row('Ünit 9').getByRole('cell', { name: '2', exact: true }).click();
  await expect(page.getByLabel('Name')).toHaveValue('Ünit 9');
});

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

test('several records are deleted after one question, and restored by Undo', async ({ page, world }) => {
  const app = new App(page, world.proxy.origin);
  await listOf(app, world);
  await page.getByRole('checkbox', { name: 'Select Unit 10' }).check();
  await page.getByRole('checkbox', { name: 'Select Solar Co' }).check();
  // No deletion is sent before the link is back: on a slow machine its undo time may otherwise be over.
  await world.proxy.refuse();
  await page.getByRole('button', { name: 'Delete selected' }).click();
  await app.holdNotifications();
  await app.answer('Delete');
  const toast = app.toast('will be deleted');
  await expect(page.getByRole('button', { name: /^Undo the deletion/ })).toHaveCount(2);
  await toast.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('button', { name: /^Undo the deletion/ })).toHaveCount(0);
  await world.proxy.clear();
  await app.open('/outbox');
  await expect(page.getByText('All changes sent')).toBeVisible();
  expect(world.server.data.rows('partners')).toHaveLength(3);
});

test('a record is duplicated with its texts and available files', async ({ page, world }) => {
  const { proxy, server } = world;
  const app = new App(page, proxy.origin);
  const api = await Api.signIn(server.origin);
  await storeRecord(api, streetLights, 1, { brand: 'Lumen' });
  await storeRecord(api, streetLights, 2, { brand: 'Sol' });
  await app.signIn();
  await app.open('/st-all');
  await app.row('Lumen').getByRole('link', { name: /^Edit/ }).click();
  await page.getByRole('link', { name: 'Duplicate' }).click();
  await expect(page).toHaveURL(/\/st-create\?from=1$/);
  await expect(page.getByLabel('Brand')).toHaveValue('Lumen');
  await expect(page.getByRole('button', { name: /^Enlarge / })).toHaveCount(3);
  await expect(page.getByRole('button', { name: 'Remove sheet 1.pdf' })).toBeVisible();
  await page.getByLabel('Brand').fill('Lumen II');
  await app.submit();
  await app.tells('Street Light Created Successfully');
  const [first, , third] = server.data.rows('street-lights');
  expect(third?.['brand']).toBe('Lumen II');
  expect(server.data.storedHash(third?.['catalog'])).toBe(server.data.storedHash(first?.['catalog']));
  expect(server.data.imageHashes('street-lights', 3)).toHaveLength(3);

  await proxy.strike({ kind: 'cut-request', after: 0 }, { only: 'GET /uploads/' });
  await app.open('/st-create?from=2');
  await expect(page.getByText('4 files could not be copied.')).toBeVisible();
  await expect(page.getByLabel('Brand')).toHaveValue('Sol');
  await proxy.clear();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('button', { name: /^Enlarge / })).toHaveCount(3);
  await expect(page.getByText(/could not be copied/)).toHaveCount(0);
});

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

test('slides are ordered by a typed serial, saved once', async ({ page, world }) => {
  const lines = await slideOrder(page, world);
  await page.getByRole('spinbutton', { name: 'Serial of Three' }).fill('1');
  await page.keyboard.press('Enter');
  await expect(lines).toContainText(['Three', 'One', 'Two']);
  await page.getByRole('button', { name: 'Save order' }).click();
  const serials = () => world.server.data.rows('sliders').map((row) => [row['text'], row['serial']]);
  await expect.poll(serials).toEqual([
    ['One', 2],
    ['Two', 3],
    ['Three', 1],
  ]);
});

test('a slide that cannot be moved is reported', async ({ page, world }) => {
  await slideOrder(page, world);
  const api = await Api.signIn(world.server.origin);
  await api.post(`${resourceOf('sliders').endpoints.delete}/2`);
  await page.getByRole('spinbutton', { name: 'Serial of Three' }).fill('1');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Save order' }).click();
  await expect(page.getByText('1 of 3 slides couldn’t be moved. See the Outbox.')).toBeVisible();
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
  await page.getByRole('combobox', { name: 'Order' }).selectOption({ label: 'Name, lowest first' });
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

test('a list shows its age, and its button refreshes it', async ({ page, world }) => {
  const app = new App(page, world.proxy.origin);
  await listOf(app, world, ['First']);
  await expect(page.getByText(/^Updated \d\d:\d\d$/)).toBeVisible();
  const api = await Api.signIn(world.server.origin);
  await storeRecord(api, partners, 2, { name: 'Made elsewhere' });
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(app.row('Made elsewhere')).toBeVisible();
  const places = () =>
    page.locator('.list-toolbar, [data-row]').evaluateAll((all) => all.map((part) => part.getBoundingClientRect().top));
  const before = await places();
  await world.proxy.refuse();
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByText('Showing the saved copy.')).toBeVisible();
  expect(await places(), 'nothing moves under a finger').toEqual(before);
  await expect(page.getByText(/^Updated \d\d:\d\d · couldn’t refresh$/)).toBeVisible();
  await world.proxy.clear();
  // The app also notices by itself from time to time: the button then does nothing more.
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByText('Showing the saved copy.')).toHaveCount(0);
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
