import type { Page } from '@playwright/test';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { Api } from '../harness/api.ts';
import { App } from '../harness/app.ts';
import { expectAccessible } from '../harness/axe.ts';
import { storeRecord } from '../harness/seed.ts';
import { expect, test, type World } from '../harness/world.ts';

const lights = resourceOf('street-lights');

/** A list of lamps of 10, 20 and 30 W in another order than by capacity. */
async function listOf({ server, proxy }: World, page: Page): Promise<App> {
  const api = await Api.signIn(server.origin);
  for (const [seed, capacity] of [30, 10, 20].entries()) {
    await storeRecord(api, lights, seed + 1, {
      brand: `Lamp ${capacity}`,
      capacity: `${capacity} W`,
      model: `M${capacity}`,
      origin: 'Japan',
    });
  }
  const app = await App.signedIn(page, { proxy });
  await app.open('/st-all');
  await expect(page.locator('.list-body[data-editable] [data-row]')).toHaveCount(3);
  return app;
}

const capacities = ({ server }: World) => server.data.rows('street-lights').map(({ capacity }) => capacity);

test('a cell is edited in place, by double click or keyboard, and waits offline', async ({ page, world }) => {
  const app = await listOf(world, page);
  const editor = page.getByRole('form', { name: /^Capacity of Lamp 10/ });
  const cell = app.row('Lamp 10').getByRole('cell', { name: '10 W', exact: true });
  await cell.dblclick();
  await expect(editor.getByLabel('Capacity')).toBeFocused();
  await expectAccessible(page, 'a cell that is edited');
  await page.keyboard.type('11 W');
  await page.keyboard.press('Escape');
  await expect(editor).toHaveCount(0);
  await expect(cell).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.type('12 W');
  await page.keyboard.press('Enter');
  await app.tells('Street Light Updated Successfully');
  await expect(page).toHaveURL(/st-all/);
  await expect.poll(() => capacities(world)).toEqual(['30 W', '12 W', '20 W']);

  await world.proxy.refuse();
  await app.row('Lamp 20').getByRole('link', { name: 'Lamp 20', exact: true }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.keyboard.type('21 W');
  await page.keyboard.press('Enter');
  await expect(app.row('Lamp 20')).toContainText('21 W');
  await expect(app.row('Lamp 20')).toHaveAttribute('data-pending', 'update');
  await world.proxy.clear();
  await app.linkReturns();
  await expect.poll(() => capacities(world)).toEqual(['30 W', '12 W', '21 W']);
});

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

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('a long press on a row edits one of its values', async ({ page, world }) => {
    await listOf(world, page);
    const row = page.getByRole('listitem').filter({ hasText: 'Lamp 10' });
    const box = await row.boundingBox();
    const touch = { pointerType: 'touch', isPrimary: true, clientX: 200, clientY: (box?.y ?? 0) + 20 };
    await row.locator('.row-fact').dispatchEvent('pointerdown', touch);
    await page.getByRole('menuitem', { name: 'Edit capacity' }).click();
    await page.getByRole('form').getByLabel('Capacity').fill('15 W');
    await page.getByRole('form').getByRole('button', { name: 'Save' }).click();
    await expect(row).toContainText('15 W');
    await expect.poll(() => capacities(world)).toEqual(['30 W', '15 W', '20 W']);
    await row.getByRole('link', { name: 'Edit' }).click();
    await expect(page.getByRole('button', { name: 'Save and next' })).toBeInViewport();
  });
});
