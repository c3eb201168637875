import { App } from '../harness/app.ts';
import { expectAccessible } from '../harness/axe.ts';
import { launchWithCamera } from '../harness/pretended-camera.ts';
import { expect, test } from '../harness/world.ts';

test.use({ launchOptions: launchWithCamera(), hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

test('photos are taken one after the other, one per press, until Done', async ({ page, world }) => {
  const app = new App(page, world.proxy.origin);
  await app.signIn();
  await app.open('/st-create');
  await page.getByRole('button', { name: 'Take photos' }).click();
  const camera = page.getByRole('dialog', { name: 'Camera' });
  const shutter = camera.getByRole('button', { name: 'Take photo' });
  await expect(shutter).toBeEnabled();
  await expectAccessible(page, 'camera');
  for (const told of ['1 photo taken', '2 photos taken', '3 photos taken']) {
    await shutter.click();
    await expect(camera.getByText(told)).toBeVisible();
  }
  await camera.getByRole('button', { name: 'Done' }).click();
  await expect(camera).toBeHidden();
  await expect(page.getByRole('button', { name: /^Remove photo-/ })).toHaveCount(3);
});
