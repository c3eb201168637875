import { readFile } from 'node:fs/promises';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { Api } from '../harness/api.ts';
import { App } from '../harness/app.ts';
import { png } from '../harness/sample-files.ts';
import { storeRecord } from '../harness/seed.ts';
import { expect, test, type World } from '../harness/world.ts';

const partners = resourceOf('partners');
const sliders = resourceOf('sliders');
const NAMES = ['Unit 10', 'Ünit 9', 'Solar Co'];

/** Stores partners of these names and opens their list. */
async function listOf(app: App, { server }: World, names: readonly string[] = NAMES): Promise<void> {
  const api = await Api.signIn(server.origin);
  for (const [seed, name] of names.entries()) await storeRecord(api, partners, seed + 1, { name });
  await app.signIn();
  await app.open('/partner-all');
  await expect(app.row(names[0] ?? '')).toBeVisible();
}

test('a list is searched as one types, sorted by its headings, and opens records by its rows', async ({
  page,
  world,
}) => {
  const app = new App(page, world.proxy.origin);
  await listOf(app, world);
  const names = page.locator('tbody .row-link');
  await expect(names).toHaveText(NAMES);

  await page.getByRole('searchbox', { name: 'Search Partners' }).fill('unit');
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

test('several records are deleted with one question, and come back by Undo', async ({ page, world }) => {
  const app = new App(page, world.proxy.origin);
  await listOf(app, world);
  await page.getByRole('checkbox', { name: 'Select Unit 10' }).check();
  await page.getByRole('checkbox', { name: 'Select Solar Co' }).check();
  await page.getByRole('button', { name: 'Delete selected' }).click();
  await app.answer('Delete');
  await expect(page.getByRole('button', { name: /^Undo the deletion/ })).toHaveCount(2);
  await app.toast('will be deleted').getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('button', { name: /^Undo the deletion/ })).toHaveCount(0);
  expect(world.server.data.rows('partners')).toHaveLength(3);
});

test('a record is duplicated: its texts are there, its files are to be chosen', async ({ page, world }) => {
  const app = new App(page, world.proxy.origin);
  await listOf(app, world);
  await app.row('Solar Co').getByRole('link', { name: 'Edit Solar Co' }).click();
  await page.getByRole('link', { name: 'Duplicate' }).click();
  await expect(page).toHaveURL(/\/partner-create\?from=3$/);
  await expect(page.getByLabel('Name')).toHaveValue('Solar Co');
  await app.fill(partners.fields, { name: 'Solar Co 2', image: [png('new.png', 9)] });
  await app.submit();
  await expect(app.row('Solar Co 2')).toBeVisible();
  expect(world.server.data.rows('partners')).toHaveLength(4);
});

test('a list is exported as CSV, and a CSV file is looked at before it is brought in', async ({ page, world }) => {
  const app = new App(page, world.proxy.origin);
  await listOf(app, world);
  await page.getByRole('button', { name: 'More' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Export as CSV' }).click();
  const file = await readFile(await (await downloading).path(), 'utf8');
  expect(file).toMatch(/^\uFEFFid,name/);
  expect(file).toContain('Ünit 9');

  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Import CSV' }).click();
  const csv = 'id,name,image\n3,Renamed,\n,New one,new.png\n,No picture,\n';
  await page
    .getByLabel('CSV file and the files it names')
    .setInputFiles([{ name: 'partners.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }, png('new.png', 7)]);
  const dialog = page.getByRole('dialog', { name: 'Import Partners' });
  await expect(dialog.getByRole('row', { name: /No picture/ })).toContainText('The image field is required.');
  await dialog.getByRole('button', { name: 'Import 2 lines' }).click();
  await expect(app.row('New one')).toBeVisible();
  const names = () => world.server.data.rows('partners').map((row) => row['name']);
  await expect.poll(names).toEqual(['Unit 10', 'Ünit 9', 'Renamed', 'New one']);
  expect(world.server.data.rows('partners')[2]?.['link']).not.toBe('');
});

test('slides get their order by a typed serial, saved once', async ({ page, world }) => {
  const app = new App(page, world.proxy.origin);
  const api = await Api.signIn(world.server.origin);
  for (const [at, text] of ['One', 'Two', 'Three'].entries()) {
    await storeRecord(api, sliders, at + 1, { text, serial: String(at + 1) });
  }
  await app.signIn();
  await app.open('/slider-all');
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Change the order' }).click();
  const lines = page.getByRole('dialog').getByRole('listitem');
  await expect(lines).toContainText(['One', 'Two', 'Three']);
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

test('a narrow screen shows cards that can do the same', async ({ page, world }) => {
  const app = new App(page, world.proxy.origin);
  await page.setViewportSize({ width: 390, height: 844 });
  const api = await Api.signIn(world.server.origin);
  for (const [seed, name] of NAMES.entries()) await storeRecord(api, partners, seed + 1, { name });
  await app.signIn();
  await app.open('/partner-all');
  const cards = page.getByRole('list', { name: 'All Partners' }).getByRole('listitem');
  await expect(cards).toHaveCount(3);
  await page.getByRole('combobox', { name: 'Order' }).selectOption({ label: 'Name A–Z' });
  await expect(cards.locator('.row-link')).toHaveText(['Solar Co', 'Ünit 9', 'Unit 10']);
  await page.getByRole('searchbox', { name: 'Search Partners' }).fill('solar');
  await expect(cards).toHaveCount(1);
  await cards.getByRole('button', { name: 'Delete Solar Co' }).click();
  await app.answer('Delete');
  await cards.getByRole('button', { name: 'Undo the deletion of Solar Co' }).click();
  await cards.getByRole('link', { name: 'Edit Solar Co' }).click();
  await expect(page.getByLabel('Name')).toHaveValue('Solar Co');
});
