import type { Page } from '@playwright/test';

interface Step {
  readonly name: string;
  /** Unmeasured preparation. */
  readonly prepare?: (page: Page) => Promise<void>;
  readonly act: (page: Page) => Promise<void>;
}

const facet = (page: Page, legend: string, place: number) =>
  page
    .locator('.facets fieldset')
    .filter({ has: page.locator('legend', { hasText: legend }) })
    .locator('input')
    .nth(place);

const search = async (page: Page) => {
  await page.locator('main input[type=search]').first().focus();
};

/** A phone's screen, where rows have a menu. */
const PHONE = { width: 390, height: 844 };

/**
 * The measured steps, in order, on a list of 10,000 rows with pictures. From the third step the list is filtered. The last
 * filter, rows with photos, leaves seven of eight rows.
 */
export const WALK: readonly Step[] = [
  { name: 'open the filter', act: (page) => page.locator('.list-filter button').first().click() },
  { name: 'choose a brand', act: (page) => facet(page, 'Brand', 0).click() },
  { name: 'choose another brand too', act: (page) => facet(page, 'Brand', 1).click() },
  { name: 'give a brand up', act: (page) => page.locator('.chosen button').first().click() },
  {
    name: 'choose those with photos',
    prepare: async (page) => {
      await page.locator('.chosen button').first().click();
      await page.locator('.chosen').waitFor({ state: 'detached' });
      const panel = page.locator('.facets');
      if (!(await panel.isVisible())) await page.locator('.list-filter button').first().click();
      await panel.waitFor();
    },
    act: (page) => facet(page, 'Photos', 0).click(),
  },
  {
    name: 'sort by capacity',
    prepare: (page) => page.keyboard.press('Escape'),
    act: (page) => page.locator('thead button.sort', { hasText: 'Capacity' }).click(),
  },
  { name: 'search for three letters', prepare: search, act: (page) => page.keyboard.type('sun', { delay: 60 }) },
  {
    name: 'search for a quantity',
    prepare: async (page) => {
      await search(page);
      await page.keyboard.press('Escape');
      await page.waitForTimeout(600);
    },
    act: (page) => page.keyboard.type('12 kw', { delay: 60 }),
  },
  {
    name: 'clear the search',
    prepare: search,
    act: (page) => page.keyboard.press('Escape'),
  },
  { name: 'select', act: (page) => page.locator('tr[data-row] input[type=checkbox]').nth(2).click() },
  { name: 'select all', act: (page) => page.locator('.select-all input').click() },
  {
    name: 'edit in place',
    prepare: (page) => page.locator('.selection-bar button').first().click(),
    act: (page) => page.locator('td[data-cell=capacity]').nth(3).dblclick(),
  },
  {
    name: 'save in place',
    prepare: (page) => page.keyboard.type('77 kW'),
    act: (page) => page.keyboard.press('Enter'),
  },
  {
    name: 'open a row’s menu on a phone',
    prepare: async (page) => {
      await page.setViewportSize(PHONE);
      await page.locator('.row-more').first().waitFor();
      await page.waitForTimeout(500);
    },
    act: (page) => page.locator('.row-more').nth(2).click(),
  },
];
