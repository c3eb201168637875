import sharp from 'sharp';
import { App } from '../harness/app.ts';
import { expectAccessible } from '../harness/axe.ts';
import { labelWith } from '../harness/label-photo.ts';
import { expect, test } from '../harness/world.ts';
import { scan, withTwoLights } from './steps/scan.ts';

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

test.describe('in data saver mode', () => {
  test.use({ holds: 'session' });

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
