import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { Api } from '../harness/api.ts';
import { App } from '../harness/app.ts';
import { expectAccessible } from '../harness/axe.ts';
import { labelWith } from '../harness/label-photo.ts';
import { storeRecord } from '../harness/seed.ts';
import { expect, test, type World } from '../harness/world.ts';

async function scan(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Scan a code' }).click();
  await page.getByLabel('Use a photo').setInputFiles(await labelWith(text));
}

/** The app, signed in to a server with two street lights: SL-100 and SL-200. */
async function withTwoLights(page: Page, world: World): Promise<App> {
  const api = await Api.signIn(world.server.origin);
  for (const seed of [1, 2]) await storeRecord(api, resourceOf('street-lights'), seed, { model: `SL-${seed}00` });
  return App.signedIn(page, world);
}

test('a printed label opens its record, and a model number the record that has it, even without a server', async ({
  page,
  world,
}) => {
  const app = await withTwoLights(page, world);

  await app.open('/st-all');
  await page.getByRole('checkbox', { name: 'Select all' }).check();
  await page.getByRole('button', { name: 'Labels' }).click();
  const labels = page.getByRole('dialog', { name: '2 labels' });
  await expect(labels.getByText('SL-200')).toBeVisible();
  await expectAccessible(page, 'labels');
  // Only the labels are printed.
  await page.emulateMedia({ media: 'print' });
  await expect(labels.getByText('SL-200')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
  await expect(page.getByRole('banner')).toBeHidden();
  await page.emulateMedia({ media: 'screen' });

  await app.open('/');
  await scan(page, `${app.origin}/st-edit/2`);
  await expect(page).toHaveURL(/\/st-edit\/2$/);

  await world.proxy.refuse();
  await app.open('/');
  await scan(page, 'sl-100');
  await expect(page).toHaveURL(/\/st-edit\/1$/);
});

test('an unknown code is searched for, and a photo without a code is reported', async ({ page, world }) => {
  const app = new App(page, world.proxy.origin);
  await app.signIn();
  await page.getByRole('button', { name: 'Scan a code' }).click();
  await expect(page.getByText('No camera available.')).toBeVisible();
  await expectAccessible(page, 'scan');
  const blank = await sharp({ create: { width: 200, height: 200, channels: 3, background: '#888' } })
    .png()
    .toBuffer();
  await page.getByLabel('Use a photo').setInputFiles({ name: 'blank.png', mimeType: 'image/png', buffer: blank });
  await expect(page.getByText('No readable code in this photo.')).toBeVisible();
  await page.getByLabel('Use a photo').setInputFiles(await labelWith('SN-0001'));
  await expect(page.getByRole('searchbox', { name: 'Find records, pages and actions' })).toHaveValue('SN-0001');
});

test('a photo taken before the code reader is loaded is kept, and read once the connection is back', async ({
  context,
  page,
  world,
}) => {
  // in data saver mode nothing is prefetched
  await context.addInitScript(() => Object.assign(navigator, { connection: { saveData: true } }));
  const app = await withTwoLights(page, world);
  await app.open('/st-all');
  await expect(app.row('SL-200')).toBeVisible();

  await world.proxy.refuse();
  await app.open('/');
  await scan(page, 'SL-200');
  const dialog = page.getByRole('dialog', { name: 'Scan a code' });
  await expect(dialog).toContainText('The code reader isn’t on this device yet');
  await expect(dialog).not.toContainText('No readable code');
  await expectAccessible(page, 'scan without its reader');
  await dialog.getByRole('button', { name: 'Type it instead' }).click();
  await expect(page.getByRole('searchbox', { name: 'Find records, pages and actions' })).toBeFocused();
  await page.keyboard.press('Escape');

  await scan(page, 'SL-200');
  await expect(dialog).toContainText('The code reader isn’t on this device yet');
  await world.proxy.clear();
  await app.linkReturns();
  await expect(page).toHaveURL(/\/st-edit\/2$/);
});

test('the code reader is on the device before the first scan', async ({ page, world }) => {
  const app = await withTwoLights(page, world);
  await app.open('/st-all');
  await expect(app.row('SL-200')).toBeVisible();
  const isKept = () => caches.open('voltdesk-tools').then(async (tools) => (await tools.keys()).length > 0);
  await expect.poll(() => page.evaluate(isKept)).toBe(true);

  await world.proxy.refuse();
  await app.open('/');
  await scan(page, 'SL-200');
  await expect(page).toHaveURL(/\/st-edit\/2$/);
});
