import { resourceOf } from '../../src/domain/resources/index.ts';
import { App } from '../harness/app.ts';
import { png } from '../harness/sample-files.ts';
import { expect, test } from '../harness/world.ts';

const partners = resourceOf('partners');

test('a killed browser restores what was typed and picked until it is discarded', async ({ device, world }) => {
  const first = new App(await device.newPage(), world.proxy.origin);
  await first.signIn();
  await first.open('/partner-create');
  await first.fill(partners.fields, { image: [png('logo.png', 1)], name: 'Half typed' });
  await expect.poll(() => first.keptForms()).toMatchObject([{ values: { name: 'Half typed' }, files: 1 }]);
  await device.kill();

  await device.start();
  const second = new App(await device.newPage(), world.proxy.origin);
  await second.open('/partner-create');
  await expect(second.page.getByText('Restored')).toBeVisible();
  await expect(second.page.getByLabel('Name')).toHaveValue('Half typed');
  await expect(second.page.getByRole('button', { name: 'Remove logo.png' })).toBeVisible();

  await second.page.getByRole('button', { name: 'Discard' }).click();
  await expect(second.page.getByLabel('Name')).toHaveValue('');
  await expect(second.page.getByRole('button', { name: 'Remove logo.png' })).toHaveCount(0);
  await expect.poll(() => second.keptForms()).toEqual([]);
  await second.page.reload();
  await expect(second.page.getByLabel('Name')).toHaveValue('');
  await expect(second.page.getByText('Restored')).toHaveCount(0);
});

test('leaving by the back button, a reload or a log-out asks too', async ({ page, world }) => {
  const app = new App(page, world.proxy.origin);
  await app.signIn();
  await app.open('/partner-all');
  await page.getByRole('main').getByRole('link', { name: 'Create New' }).first().click();
  await page.getByLabel('Name').fill('Still here');
  const stay = async () => {
    await app.answer('Stay');
    await expect(page).toHaveURL(/\/partner-create$/);
    await expect(page.getByLabel('Name')).toHaveValue('Still here');
  };
  await page.goBack();
  await stay();
  await page.getByRole('button', { name: 'Logout' }).click();
  await stay();
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await stay();
  const asked = page.waitForEvent('dialog');
  void page.reload().catch(() => undefined);
  const question = await asked;
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();
  await expect(page.getByLabel('Name')).toHaveValue('Still here');
});

test('two tabs with the same create form keep their drafts apart', async ({ device, world }) => {
  const open = async () => {
    const app = new App(await device.newPage(), world.proxy.origin);
    await app.open('/partner-create');
    await expect(app.page.getByLabel('Name')).toBeVisible();
    return app;
  };
  const signedIn = new App(await device.newPage(), world.proxy.origin);
  await signedIn.signIn();
  const first = await open();
  const second = await open();
  await first.page.getByLabel('Name').fill('First tab');
  await second.page.getByLabel('Name').fill('Second tab');
  const kept = async () => (await signedIn.keptForms()).map(({ values }) => values['name']).toSorted();
  await expect.poll(kept).toEqual(['First tab', 'Second tab']);
  for (const [app, name] of [
    [second, 'Second tab'],
    [first, 'First tab'],
  ] as const) {
    await app.page.reload();
    await expect(app.page.getByLabel('Name')).toHaveValue(name);
  }
  await second.page.close({ runBeforeUnload: false });
  await first.page.getByRole('button', { name: 'Discard' }).click();
  await expect.poll(kept).toEqual(['Second tab']);
  await first.page.close({ runBeforeUnload: false });
  const third = await open();
  await expect(third.page.getByLabel('Name')).toHaveValue('Second tab');
});
