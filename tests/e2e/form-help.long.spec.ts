import { resourceOf } from '../../src/domain/resources/index.ts';
import { Api } from '../harness/api.ts';
import { App } from '../harness/app.ts';
import { storeRecord } from '../harness/seed.ts';
import { expect, test } from '../harness/world.ts';

const lights = resourceOf('street-lights');

test('a form suggests known values, and points out a record of the same brand and model, even offline', async ({
  page,
  world,
}) => {
  const api = await Api.signIn(world.server.origin);
  for (const seed of [1, 2]) {
    await storeRecord(api, lights, seed, { brand: 'Philips', model: `BRP 37${seed}`, origin: 'Poland' });
  }
  const app = await App.signedIn(page, world);
  await app.open('/st-all');
  await app.keepsCopy('list/street-lights');
  await world.proxy.refuse();
  await page.getByRole('link', { name: 'Create New' }).first().click();
  const brand = page.getByLabel('Brand');
  await brand.fill('Phil');
  await expect(page.locator('datalist option').filter({ hasText: 'Philips' })).toBeAttached();
  expect(await brand.evaluate((input: HTMLInputElement) => input.list?.options.length)).toBe(1);
  await brand.fill('philips');
  const model = page.getByLabel('Model');
  const place = await model.boundingBox();
  await model.fill('BRP 372');
  const twin = page.getByRole('main').getByRole('link', { name: 'Philips BRP 372' });
  await expect(twin).toHaveAttribute('href', '/st-edit/2');
  expect(await model.boundingBox(), 'nothing moves').toEqual(place);
  await model.fill('BRP 373');
  await expect(twin).toHaveCount(0);
  await expect(model).toHaveAttribute('enterkeyhint', 'done');
});
