import { partners } from '../../src/domain/resources/partners.ts';
import { Api } from '../harness/api.ts';
import { App } from '../harness/app.ts';
import { storeRecord } from '../harness/seed.ts';
import { expect, test } from '../harness/world.ts';

test('a list follows another client while it is open, and again after the link was cut', async ({ page, world }) => {
  const client = await Api.signIn(world.server.origin);
  const app = await App.signedIn(page, world);
  await app.keepsCopy('feed');
  await app.open('/partner-all');
  await storeRecord(client, partners, 1, { name: 'First' });
  await expect(app.row('First')).toHaveCount(1);

  await world.proxy.refuse();
  // the page notices with its next request
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Offline' })).toBeVisible();
  await client.post(`${partners.endpoints.single}/1`, [['name', 'Changed']]);
  await storeRecord(client, partners, 2, { name: 'Second' });
  await world.proxy.clear();
  await app.linkReturns();
  await expect(app.row('Second')).toHaveCount(1);
  await expect(app.row('Changed')).toHaveCount(1);
  await client.post(`${partners.endpoints.delete}/2`);
  await expect(app.row('Second')).toHaveCount(0);
});
