import { expectAccessible } from '../harness/axe.ts';
import { expect, test } from '../harness/world.ts';
import { openList, keptFiles, expectCatalogue } from './steps/keep-offline.ts';

test('one record’s catalogue is kept from its form and leaves the device with a log-out', async ({ page, world }) => {
  const { app } = await openList(page, world);
  await app.open('/ups-edit/1');
  const keep = page.getByRole('button', { name: /^Keep .* offline$/ });
  await keep.click();
  await expect(page.getByText(/· On this device/)).toBeVisible();
  await expect(keep).toHaveAttribute('aria-pressed', 'true');
  await expectAccessible(page, 'A catalogue that is kept');

  await world.proxy.refuse();
  await expectCatalogue(app, 1, 'VERSION-1-OF-1');
  await app.open('/ups-edit/2');
  await page.getByRole('link', { name: /^Open / }).click();
  await expect(page.getByText('This file is not on this device.')).toBeVisible();

  await world.proxy.clear();
  await app.open('/');
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.waitForURL('**/login');
  // the sign-in may show while the files are still being removed
  await expect.poll(() => page.evaluate(keptFiles)).toBe(0);
  await app.enter();
  await expect(page.getByRole('banner').first()).toBeVisible();
  await app.open('/ups-edit/1');
  await expect(keep).toHaveAttribute('aria-pressed', 'false');
});
