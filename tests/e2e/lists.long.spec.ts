import { resourceOf } from '../../src/domain/resources/index.ts';
import { Api } from '../harness/api.ts';
import { App } from '../harness/app.ts';
import { storeRecord } from '../harness/seed.ts';
import { slideOrder } from '../harness/slides.ts';
import { expect, test } from '../harness/world.ts';
import { listOf, partners, NAMES } from './steps/lists.ts';

const streetLights = resourceOf('street-lights');

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
