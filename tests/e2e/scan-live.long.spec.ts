import { resourceOf } from '../../src/domain/resources/index.ts';
import { Api } from '../harness/api.ts';
import { App } from '../harness/app.ts';
import { filmOfCode, launchWithCamera } from '../harness/pretended-camera.ts';
import { storeRecord } from '../harness/seed.ts';
import { expect, test } from '../harness/world.ts';

test.use({ launchOptions: launchWithCamera(filmOfCode('SL-200')) });

test('a code held in front of the camera opens its record', async ({ page, world }) => {
  const lights = resourceOf('street-lights');
  const api = await Api.signIn(world.server.origin);
  for (const seed of [1, 2]) await storeRecord(api, lights, seed, { model: `SL-${seed}00` });
  const app = new App(page, world.proxy.origin);
  await app.signIn();
  await app.open('/st-all');
  await expect(app.row('SL-200')).toHaveCount(1);
  await app.open('/');
  await page.getByRole('button', { name: 'Scan a code' }).click();
  await expect(page).toHaveURL(/\/st-edit\/2$/);
});
