import { expectAccessible } from '../harness/axe.ts';
import { expect, test } from '../harness/world.ts';
import { scan, withTwoLights } from './steps/scan.ts';

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

  await app.keepsCopy('list/street-lights');
  await world.proxy.refuse();
  await app.open('/');
  await scan(page, 'sl-100');
  await expect(page).toHaveURL(/\/st-edit\/1$/);
});
