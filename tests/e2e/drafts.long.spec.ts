import { resourceOf } from '../../src/domain/resources/index.ts';
import { App } from '../harness/app.ts';
import { png } from '../harness/sample-files.ts';
import { expect, test } from '../harness/world.ts';

const partners = resourceOf('partners');

test('leaving a form with unsaved text asks, and leaving deletes the draft too', async ({ page, world }) => {
  const app = new App(page, world.proxy.origin);
  await app.signIn();
  await app.open('/partner-create');
  await page.getByLabel('Name').fill('Not to be kept');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await app.answer('Stay');
  await expect(page.getByLabel('Name')).toHaveValue('Not to be kept');
  await expect.poll(() => app.keptForms()).toMatchObject([{ values: { name: 'Not to be kept' } }]);
  await page.getByRole('link', { name: 'Cancel' }).click();
  await app.answer('Leave');
  await expect(page).toHaveURL(/\/partner-all$/);
  await expect.poll(() => app.keptForms()).toEqual([]);
  await app.open('/partner-create');
  await expect(page.getByLabel('Name')).toHaveValue('');
});

test('Ctrl+S saves, and pressing it twice saves once', async ({ page, world }) => {
  const app = new App(page, world.proxy.origin);
  await app.signIn();
  await app.open('/partner-create');
  await app.fill(partners.fields, { name: 'Once', image: [png('logo.png', 1)] });
  await page.keyboard.press('Control+s');
  await page.keyboard.press('Control+s');
  await expect(page).toHaveURL(/\/partner-all$/);
  await expect.poll(() => app.addressesOf('Once')).toEqual(['/partner-edit/1']);
  await app.open('/outbox');
  await expect(page.getByText('All changes sent')).toBeVisible();
  expect(world.server.data.rows('partners')).toHaveLength(1);
});
