import { App } from '../harness/app.ts';
import { launchWithCamera } from '../harness/pretended-camera.ts';
import { expect, test } from '../harness/world.ts';

test.use({ launchOptions: launchWithCamera(), hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

test('the camera closes after the first shot for a single picture', async ({ page, world }) => {
  const app = new App(page, world.proxy.origin);
  await app.signIn();
  await app.open('/about-create');
  await page.getByRole('button', { name: 'Take photo' }).click();
  const shutter = page.getByRole('dialog', { name: 'Camera' }).getByRole('button', { name: 'Take photo' });
  await expect(shutter).toBeEnabled();
  await shutter.press('Enter');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('button', { name: /^Remove photo-/ })).toHaveCount(1);
});
