import { expect, test, type World } from '../harness/world.ts';
import { listOf } from './steps/list-editing.ts';

const capacities = ({ server }: World) => server.data.rows('street-lights').map(({ capacity }) => capacity);

test('a refused value is reported next to its cell, and nothing stays queued', async ({ page, world }) => {
  const app = await listOf(world, page);
  await app.row('Lamp 10').getByRole('cell', { name: 'M10', exact: true }).dblclick();
  const editor = page.getByRole('form', { name: /^Model of Lamp 10/ });
  await editor.getByLabel('Model').fill('');
  await editor.getByRole('button', { name: 'Save' }).click();
  const told = editor.getByText('The model field is required.');
  await expect(told).toBeVisible();
  const [control, message] = [await editor.getByLabel('Model').boundingBox(), await told.boundingBox()];
  expect(message?.y).toBeGreaterThanOrEqual((control?.y ?? Infinity) + (control?.height ?? 0));
  await editor.getByLabel('Model').fill('M12');
  await page.keyboard.press('Enter');
  await expect(editor).toHaveCount(0);
  await expect(app.row('Lamp 10')).toContainText('M12');
  await app.open('/outbox');
  await expect(page.getByText('All changes sent')).toBeVisible();
});

test('Next, Previous, and Save and next follow the sorted list and stay in the same field', async ({ page, world }) => {
  const app = await listOf(world, page);
  await page.getByRole('columnheader', { name: 'Capacity' }).getByRole('button').click();
  await app.row('Lamp 10').getByRole('link', { name: 'Edit' }).click();
  const capacity = page.getByLabel('Capacity');
  await expect(capacity).toHaveValue('10 W');
  await expect(page.getByText('1 of 3')).toBeVisible();
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(capacity).toHaveValue('20 W');
  await page.getByRole('link', { name: 'Previous' }).click();
  await expect(capacity).toHaveValue('10 W');
  await capacity.fill('40 W');
  await page.getByRole('button', { name: 'Save and next' }).click();
  for (const value of ['20 W', '30 W']) {
    await expect(capacity).toHaveValue(value);
    await expect(capacity).toBeFocused();
    await page.keyboard.type(`4${value}`);
    await page
      .getByRole('button', { name: /^(Save and next|Update)$/ })
      .last()
      .click();
  }
  await expect(page).toHaveURL(/st-all/);
  await expect.poll(() => capacities(world)).toEqual(['430 W', '40 W', '420 W']);
});
