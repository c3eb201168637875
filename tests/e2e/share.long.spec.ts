import { routesOf } from '../../src/domain/resource.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { Api } from '../harness/api.ts';
import { App } from '../harness/app.ts';
import { labelWith } from '../harness/label-photo.ts';
import { onDisk, png } from '../harness/sample-files.ts';
import { storeRecord } from '../harness/seed.ts';
import { expect, test } from '../harness/world.ts';

test('photos taken from the home page go into a record that is found by its name', async ({ page, world }) => {
  const api = await Api.signIn(world.server.origin);
  const lights = resourceOf('street-lights');
  await storeRecord(api, lights, 1, { brand: 'Osram', model: 'SL 20' });
  await storeRecord(api, lights, 2, { brand: 'Philips', model: 'BRP 371' });
  const app = await App.signedIn(page, world);
  await app.open('/st-all');
  await app.keepsCopy('list/street-lights');
  await app.bringAlong(lights, 2);
  await app.open('/');
  await world.proxy.refuse();
  await page.getByLabel('New with photo').setInputFiles([onDisk(png('roof.png', 1)), onDisk(png('pole.png', 2))]);
  await expect(page.getByRole('heading', { name: 'Shared photos' })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Find a record for these photos' }).fill('brp 371');
  await page.getByRole('link', { name: /Philips BRP 371/ }).click();
  await expect(page.getByLabel('Model')).toHaveValue('BRP 371');
  for (const name of ['roof.png', 'pole.png']) {
    await expect(page.getByRole('button', { name: `Remove ${name}` })).toBeVisible();
  }
  await app.submit();
  await page.waitForURL(world.proxy.origin + routesOf(lights).list);
  await app.open('/');
  await expect(page.getByRole('main').getByRole('link', { name: 'Philips BRP 371' })).toBeVisible();
  await app.open('/share');
  await expect(page.getByText('Nothing was shared')).toBeVisible();
});

test('photos taken first go into the record whose label is scanned, even without a server', async ({ page, world }) => {
  const api = await Api.signIn(world.server.origin);
  const lights = resourceOf('street-lights');
  for (const seed of [1, 2]) await storeRecord(api, lights, seed, { brand: 'Osram', model: `SL-${seed}00` });
  const app = await App.signedIn(page, world);
  await app.open('/st-all');
  await app.keepsCopy('list/street-lights');
  await app.bringAlong(lights, 2);
  await app.open('/');
  await page.getByLabel('New with photo').setInputFiles([onDisk(png('pole.png', 2))]);
  await expect(page.getByRole('heading', { name: 'Shared photos' })).toBeVisible();
  const scan = async (text: string) => {
    await page.getByRole('button', { name: 'Scan a code' }).click();
    await page.getByLabel('Use a photo').setInputFiles(await labelWith(text));
  };
  // a text that several records have is searched for here, among records that take photos
  await scan('Osram');
  await expect(page.getByRole('searchbox', { name: 'Find a record for these photos' })).toHaveValue('Osram');
  await expect(page.getByRole('link', { name: /Osram SL-[12]00/ })).toHaveCount(2);
  await world.proxy.refuse();
  // the code of something that takes no photos leaves them where they are, with a message
  await scan(`${world.proxy.origin}/sete-meta-update`);
  await expect(page.getByText('The record with this code doesn’t take photos.')).toBeVisible();
  await expect(page).toHaveURL(/\/share$/);
  await page.getByLabel('Use a photo').setInputFiles(await labelWith('SL-200'));
  await expect(page).toHaveURL(/\/st-edit\/2$/);
  await expect(page.getByLabel('Model')).toHaveValue('SL-200');
  await expect(page.getByRole('button', { name: 'Remove pole.png' })).toBeVisible();
});
