import { expect } from '../harness/shared-world.ts';
import { keepsItsPlace, showsAtFirst, showsEverything, SIZES, test } from './steps/list-place.ts';

keepsItsPlace(SIZES[2]);
showsEverything(SIZES[0]);
showsAtFirst(SIZES[2], 8);

test('a list is searched with units and filtered by facets, and its address keeps the view', async ({
  inhabited: { app, page },
}) => {
  await page.setViewportSize(SIZES[0]);
  await app.open('/st-all');
  const rows = page.locator('tbody .row-link');
  const search = page.getByRole('searchbox', { name: 'Search Street Light' });
  await search.fill('0.3kw');
  await expect(rows).toHaveText(['Lamp 3']);
  await search.fill('300 W');
  await expect(rows).toHaveText(['Lamp 3']);
  await search.fill('');
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByRole('button', { name: '22 more' }).click();
  await expect(page.getByRole('checkbox', { name: 'Lamp 30 1' })).toBeVisible();
  await page.getByRole('checkbox', { name: 'Japan 3' }).check({ force: true });
  await page.getByRole('combobox', { name: 'Order' }).selectOption({ label: 'Capacity, highest first' });
  await page.keyboard.press('Escape');
  // 0.3 kW before 0.1 kW before 2 W
  await expect(rows).toHaveText(['Lamp 3', 'Lamp 1', 'Lamp 2']);
  await expect(page).toHaveURL(/\/st-all\?sort=-capacity&origin=Japan$/);
  await page.reload();
  await expect(rows).toHaveText(['Lamp 3', 'Lamp 1', 'Lamp 2']);
  await page.getByRole('button', { name: 'Remove Origin: Japan' }).click();
  await expect(page.locator('.list-count')).toHaveText('30 records');
  await search.fill('lamp 17');
  await expect(rows).toHaveText(['Lamp 17']);
  await search.press('Enter');
  await expect(page).toHaveURL(/\/st-edit\/17$/);
});

test('at 400 % the filter is usable, and the field for several records is visible', async ({
  inhabited: { app, page },
}) => {
  // a window of 1280 × 1024 at that zoom
  await page.setViewportSize({ width: 320, height: 256 });
  await app.open('/st-all');
  await page.getByRole('button', { name: 'Filter' }).click();
  await expect(page.getByRole('combobox', { name: 'Order' })).toBeVisible();
  const offered = page.getByRole('region', { name: 'Filter and order' });
  await expect.poll(async () => (await offered.boundingBox())?.height ?? 0).toBeGreaterThan(150);
  await expect.poll(async () => (await offered.boundingBox())?.x ?? -1).toBeGreaterThanOrEqual(0);
  await page.keyboard.press('Escape');
  await page.getByRole('checkbox', { name: 'Select Lamp 5 ' }).check();
  const bar = page.locator('.selection-bar');
  const tall = async () => (await bar.boundingBox())?.height ?? 0;
  for (const [width, height] of [
    [390, 844],
    [360, 740],
    [320, 256],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect(bar.getByRole('button')).toHaveText(['', 'Edit 1', 'Select all', 'Duplicate', 'Labels', 'Delete']);
    // one line of buttons with the height of a finger
    await expect.poll(tall).toBeLessThanOrEqual(60);
    await expect(bar.getByRole('button', { name: 'Delete selected' }).locator('svg')).toBeVisible();
    for (const button of await bar.getByRole('button').all())
      expect((await button.boundingBox())?.width).toBeGreaterThanOrEqual(44);
  }
  await page.getByRole('button', { name: 'Edit 1' }).click();
  const value = page.getByRole('dialog').getByRole('textbox', { name: 'Capacity' });
  await expect(value).toBeFocused();
  const isSeen = (field: Element) => {
    const { left, top, width, height } = field.getBoundingClientRect();
    return field === document.elementFromPoint(left + width / 2, top + height / 2);
  };
  await expect.poll(() => value.evaluate(isSeen)).toBe(true);
  await page.keyboard.press('Escape');
});
