import { expectAccessible } from '../harness/axe.ts';
import { expect, test, type World } from '../harness/world.ts';
import { listOf } from './steps/list-editing.ts';

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
    // a tap on the row opens it: on touch, the link is for the keyboard
    await row.locator('.row-fact').tap();
    await expect(page.getByRole('button', { name: 'Save and next' })).toBeInViewport();
  });
});
