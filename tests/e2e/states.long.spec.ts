import { resourceOf } from '../../src/domain/resources/index.ts';
import { Api } from '../harness/api.ts';
import { App } from '../harness/app.ts';
import { expectAccessible } from '../harness/axe.ts';
import { png } from '../harness/sample-files.ts';
import { storeRecord } from '../harness/seed.ts';
import { expect, test } from '../harness/world.ts';

/** States that are rarely seen, which must be as accessible as the screens themselves. */

const partners = resourceOf('partners');

const sliders = resourceOf('sliders');

test('a list is accessible when empty or without results, and with a question, a toast or missing pictures', async ({
  page,
  world,
}) => {
  const { proxy, server } = world;
  const app = await App.signedIn(page, { proxy });
  await app.open('/partner-all');
  await expect(page.getByRole('heading', { name: 'No Partners yet' })).toBeVisible();
  await expectAccessible(page, 'an empty list');

  // Before the records are created: an open page would show them and their pictures at once.
  await proxy.strike({ kind: 'cut-request', after: 0 }, { only: 'GET /uploads/' });
  const api = await Api.signIn(server.origin);
  for (const seed of [1, 2, 3]) await storeRecord(api, partners, seed, { name: `Partner ${seed}` });
  await app.open('/partner-all');
  await expect(app.row('Partner 1').locator('.missing-picture')).toBeVisible();
  await expectAccessible(page, 'pictures that could not be had');
  await app.open('/partner-edit/1');
  await expect(page.locator('.tile .missing-picture')).toBeVisible();
  await expectAccessible(page, 'a form whose picture could not be had');
  await proxy.clear();

  await app.open('/partner-all');
  await expect(app.row('Partner 1').locator('img')).toBeVisible();
  await page.getByRole('searchbox').fill('nobody');
  await expect(page.getByRole('heading', { name: 'Nothing found for “nobody”' })).toBeVisible();
  await expectAccessible(page, 'nothing found');
  await page.getByRole('button', { name: 'Show all' }).click();

  await page.getByRole('checkbox', { name: 'Select Partner 1' }).check();
  await page.getByRole('checkbox', { name: 'Select Partner 2' }).check();
  await expectAccessible(page, 'selected rows');
  await proxy.refuse();
  await page.getByRole('button', { name: 'Delete selected' }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await expectAccessible(page, 'a question');
  await app.holdNotifications();
  await app.answer('Delete');
  await expect(app.toast('will be deleted')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Undo the deletion/ })).toHaveCount(2);
  await expectAccessible(page, 'rows that are to go, and a toast');
});

test('the outbox is accessible with waiting, refused and conflicting changes, and so is their comparison', async ({
  page,
  world,
}) => {
  const { proxy, server } = world;
  const api = await Api.signIn(server.origin);
  for (const seed of [1, 2]) await storeRecord(api, partners, seed, { name: `Partner ${seed}` });
  const app = await App.signedIn(page, { proxy });
  await app.open('/partner-edit/1');
  await page.getByLabel('Name').fill('Mine');
  await proxy.refuse();
  await app.submit();
  await expect(page).toHaveURL(/\/partner-all$/);
  await api.post('/api/get-single-partner/1', [['name', 'Theirs']]);
  await app.createUnsent(partners, { name: 'Refused', link: 'no address', image: [png('logo.png', 1)] });
  await proxy.clear();
  await app.open('/outbox');
  await app.sendNow();
  const entries = page.getByRole('listitem');
  await expect(entries.filter({ hasText: 'Refused by the server' })).toBeVisible();
  await expect(entries.filter({ hasText: 'Edited by someone else too' })).toBeVisible();
  await app.bringAlong(partners, 2);
  await proxy.refuse();
  await app.open('/partner-edit/2');
  await page.getByLabel('Name').fill('Waiting');
  await app.submit();
  await expect(page).toHaveURL(/\/partner-all$/);
  await expectAccessible(page, 'rows that wait and need somebody');
  await app.open('/outbox');
  await expect(entries.filter({ hasText: 'Waiting' }).first()).toBeVisible();
  await expectAccessible(page, 'the outbox');
  await page.getByRole('link', { name: 'Compare' }).first().click();
  await expect(page.getByRole('group', { name: /^Name/ })).toBeVisible();
  await page.getByRole('group', { name: /^Name/ }).getByRole('radio', { name: 'Something else' }).check();
  await expectAccessible(page, 'the comparison');
});

test('panels, dialogs and overlays of a form are accessible', async ({ page, world }) => {
  const { proxy, server } = world;
  const api = await Api.signIn(server.origin);
  for (const seed of [1, 2]) await storeRecord(api, sliders, seed);
  const app = new App(page, proxy.origin);
  await app.signIn();
  await app.open('/slider-all');

  // Keys are handled once the page has settled.
  await expect(async () => {
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog', { name: 'Help' })).toBeVisible({ timeout: 500 });
  }).toPass();
  await expectAccessible(page, 'help');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Find' }).getByRole('searchbox').fill('s');
  await expect(page.getByRole('dialog', { name: 'Find' }).getByRole('listitem').first()).toBeVisible();
  await expectAccessible(page, 'find');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Test Administrator' }).click();
  await expectAccessible(page, 'the account');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await expect(page.getByRole('menuitem').first()).toBeVisible();
  await expectAccessible(page, 'the menu of a list');
  await page.getByRole('menuitem', { name: 'Change the order' }).click();
  await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(2);
  await expectAccessible(page, 'the order of the slides');
  await page.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Import CSV' }).click();
  const csv = 'id,text,serial,image\n,New,4,new.png\n,No picture,x,\n';
  await page
    .getByLabel('CSV file and the files it names')
    .setInputFiles([{ name: 'slides.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }, png('new.png', 7)]);
  await expect(page.getByRole('row', { name: /No picture/ })).toContainText('The image field is required.');
  await expectAccessible(page, 'the preview of an import');
  await page.keyboard.press('Escape');

  await app.open('/slider-edit/1');
  await page.getByRole('button', { name: 'Enlarge Photo 1' }).click();
  await expect(page.getByRole('dialog').getByRole('img')).toBeVisible();
  await expectAccessible(page, 'a picture shown large');
  await page.keyboard.press('Escape');
  await page.getByText('History', { exact: true }).click();
  await expect(page.locator('.record-history li').first()).toBeVisible();
  await expectAccessible(page, 'the history of a record');
});

test('a refused form, a form that was left and the sign-in over a form are accessible', async ({ page, world }) => {
  const app = new App(page, world.proxy.origin);
  await app.signIn();
  await app.open('/partner-create');
  await app.fill(partners.fields, { link: 'no address', image: [png('logo.png', 1)] });
  await app.holdNotifications();
  await app.submit();
  await expect(app.toast('The given data was invalid.')).toBeVisible();
  await expect(page.locator('.form-summary')).toBeFocused();
  await expectAccessible(page, 'a form with errors and a toast');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await expectAccessible(page, 'the question before leaving');
  await app.answer('Stay');

  const sessions = await Api.signIn(world.server.origin);
  await sessions.post('/api/change-password', [
    ['previous_password', 'a long pass phrase for tests'],
    ['new_password', 'another long pass phrase'],
    ['new_password_confirmation', 'another long pass phrase'],
  ]);
  await app.submit();
  await expect(page.getByRole('dialog', { name: 'Sign in to continue' })).toBeVisible();
  await expectAccessible(page, 'the sign-in over a form');
  await page.getByLabel('Password', { exact: true }).fill('another long pass phrase');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  // The save continues, and the server refuses it again.
  await expect(page.getByLabel('Link')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('Link')).toHaveValue('no address');
  await expect(page.getByRole('button', { name: 'Remove logo.png' })).toBeVisible();
});

test('Home keeps the long name of a waiting change within a phone’s window', async ({ page, world }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const app = await App.signedIn(page, world);
  await app.open('/partner-all');
  await world.proxy.refuse();
  const name = 'Northern Electrical Engineering and Trading Company';
  await app.createUnsent(partners, { name, link: 'https://northern.example', image: [png('logo.png', 1)] });
  await app.open('/');
  await expect(page.getByRole('main').getByRole('link', { name })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
});
