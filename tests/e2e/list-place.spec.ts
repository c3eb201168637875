import type { Page } from '@playwright/test';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { Api } from '../harness/api.ts';
import { storeRecord } from '../harness/seed.ts';
import { expect, type Inhabited, test as sharedTest } from '../harness/shared-world.ts';

const streetLights = resourceOf('street-lights');
const partners = resourceOf('partners');
const sliders = resourceOf('sliders');
const panels = resourceOf('solar-panels');
const certifications = resourceOf('certifications');

const SIZES = [
  { width: 1280, height: 800 },
  { width: 820, height: 1180 },
  { width: 390, height: 844 },
] as const;

/** A world for this file only, filled once: the records of other files would be counted and found. */
const test = sharedTest.extend<object, { readonly inhabited: Inhabited }>({
  inhabited: [
    async ({ inhabited }, provide) => {
      await fill(inhabited);
      await provide(inhabited);
    },
    { scope: 'worker' },
  ],
});

async function fill({ server }: Inhabited): Promise<void> {
  const api = await Api.signIn(server.origin);
  for (let seed = 1; seed <= 30; seed += 1) {
    const capacity = seed % 2 === 0 ? `${seed} W` : `${seed / 10} kW`;
    await storeRecord(api, streetLights, seed, {
      brand: `Lamp ${seed}`,
      origin: seed < 4 ? 'Japan' : 'China',
      capacity,
    });
  }
  await storeRecord(api, partners, 1, { name: 'Volt Brothers' });
  await storeRecord(api, sliders, 1, { text: 'Second', serial: '2' });
  await storeRecord(api, sliders, 2, { text: 'First', serial: '1' });
}

/** Runs in the page: the controls that a toast covers. */
function coveredByToasts(): string[] {
  const toasts = [...document.querySelectorAll<HTMLElement>('.toasts')];
  const areas = toasts.flatMap((toast) => [...toast.children].map((child) => child.getBoundingClientRect()));
  for (const toast of toasts) toast.style.visibility = 'hidden';
  const controls = [...document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea')];
  const covered = controls.filter((control) => {
    const { left, top, width, height } = control.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    const lies = areas.some((area) => x > area.left && x < area.right && y > area.top && y < area.bottom);
    return lies && control.contains(document.elementFromPoint(x, y));
  });
  for (const toast of toasts) toast.style.visibility = '';
  return covered.map(({ outerHTML }) => outerHTML.slice(0, 120));
}

const topOf = (page: Page) => page.evaluate(() => Math.round(window.scrollY));

for (const size of SIZES) {
  test(`at ${size.width} a list keeps its place after Update and Cancel and highlights the saved row, with no control under a toast`, async ({
    inhabited: { app, page },
  }) => {
    await page.setViewportSize(size);
    await app.open('/st-all');
    const row = page.locator('[data-row]').filter({ hasText: 'Lamp 25' });
    await expect(page.locator('[data-row]').first()).toBeVisible();
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await expect(row).toBeVisible();
    const left = await topOf(page);
    expect(left).toBeGreaterThan(100);

    await row.getByRole('link', { name: /^Edit/ }).click();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await expect(row).toBeInViewport();
    await expect.poll(() => topOf(page)).toBe(left);

    await row.getByRole('link', { name: /^Edit/ }).click();
    await page.getByLabel('Origin').fill(`Origin ${size.width}`);
    await app.holdNotifications();
    await app.submit();
    await expect.poll(() => app.arrivals()).toEqual(['Lamp 25']);
    await expect.poll(() => topOf(page)).toBe(left);
    const toast = app.toast('Street Light Updated Successfully');
    await expect(toast).toBeVisible();
    expect(await page.evaluate(coveredByToasts)).toEqual([]);
    await toast.getByRole('button', { name: 'Close' }).click();
    await expect(page.locator('[data-arrived]')).toHaveCount(0);

    await page.evaluate(() => window.scrollTo(0, 0));
    const first = page.locator('[data-row]').first();
    await expect(first.locator('.row-link')).toHaveText('Lamp 1');
    const before = await first.boundingBox();
    await first.getByRole('checkbox').press('Space');
    await expect(page.getByText('1 selected')).toBeVisible();
    expect(await first.boundingBox()).toEqual(before);
    await page.getByRole('button', { name: 'Clear' }).click();
  });

  test(`at ${size.width} everything that the specification asks for is visible`, async ({
    inhabited: { app, page },
  }) => {
    await page.setViewportSize(size);
    await app.open('/slider-all');
    const texts = page.locator('.row-link');
    await expect(texts).toHaveText(['First', 'Second']);
    const picture = page.locator('[data-row] img').first();
    const room = (await page.getByRole('main').boundingBox())?.width ?? 0;
    const width = async () => (await picture.boundingBox())?.width ?? 0;
    await expect.poll(width).toBeGreaterThanOrEqual(Math.min(300, room - 100));
    expect(await width()).toBeLessThanOrEqual(300);

    await app.open('/partner-all');
    const row = page.locator('[data-row]').first();
    await expect(row.locator('img')).toBeVisible();
    expect((await row.locator('img').boundingBox())?.width).toBe(100);
    await expect(row).toContainText('Volt Brothers');
    await expect(row.getByRole('link', { name: /^Edit/ })).toBeVisible();
    const heads = page.getByRole('columnheader');
    if (size.width >= 900) {
      await expect(heads).toHaveText(['', 'Sl', 'Name', 'Image', 'Link', 'Action']);
      const link = row.locator('.col-fact');
      expect(await link.evaluate((cell) => cell.scrollWidth - cell.clientWidth)).toBe(0);
    } else await expect(row).toContainText('Sl 1');

    const account = page.getByRole('banner');
    if (size.width < 900) await account.getByRole('button', { name: 'Test Administrator' }).click();
    await expect(account.getByRole('link', { name: 'Change Password' })).toBeVisible();
    await expect(account.getByRole('button', { name: 'Logout' })).toBeVisible();
  });
}

/** Runs in the page: the number of scroll positions in this many frames. */
async function placesIn(frames: number): Promise<number> {
  const places = new Set<number>();
  for (let count = 0; count < frames; count += 1) {
    await new Promise(requestAnimationFrame);
    places.add(window.scrollY);
  }
  return places.size;
}

for (const size of [SIZES[0], SIZES[2]]) {
  test(`at ${size.width} with reduced motion End and Home jump through a list without scrolling on`, async ({
    inhabited: { app, page },
  }) => {
    await page.setViewportSize(size);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await app.open('/st-all');
    await expect(page.locator('[data-row]').first()).toBeVisible();
    const rests = () => expect.poll(() => page.evaluate(placesIn, 20)).toBe(1);
    // Pressed again as a person would: on a busy machine Chromium hands the key to the page and now and then scrolls nothing.
    const pressed = (key: string, isThere: () => Promise<void>) =>
      expect(async () => {
        await page.keyboard.press(key);
        await isThere();
      }).toPass({ timeout: 20_000 });
    const last = page.locator('[data-row]').filter({ hasText: 'Lamp 30' });
    await pressed('End', () => expect(last).toBeInViewport({ timeout: 3000 }));
    await rests();
    await pressed('Home', () => expect.poll(() => topOf(page), { timeout: 3000 }).toBe(0));
    await rests();
    await page.emulateMedia({ reducedMotion: null });
  });
}

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

test('a list is filtered by missing photos and by waiting changes, and keeps its filter when opened again', async ({
  inhabited: { app, page, proxy, server },
}) => {
  const api = await Api.signIn(server.origin);
  await storeRecord(api, panels, 1, { brand: 'Full', model: 'F1' });
  await storeRecord(api, panels, 2, { brand: 'Bare', model: 'B1' });
  const { images } = (await api.get(`${panels.endpoints.single}/2`)) as { images: { id: number }[] };
  for (const { id } of images) await api.post(`/api/delete-image/${id}`);
  await page.setViewportSize(SIZES[0]);
  await app.open('/sp-all');
  const rows = page.locator('tbody .row-link');
  await expect(rows).toHaveText(['Full', 'Bare']);
  await app.keepsCopy('whole/solar-panels');
  const narrow = async (facet: string, value: string) => {
    await page.getByRole('button', { name: /^Filter/ }).click();
    const group = page.getByRole('group', { name: facet });
    await group.getByRole('checkbox', { name: value, exact: true }).check({ force: true });
    await page.keyboard.press('Escape');
  };
  const widen = () => page.getByRole('button', { name: /^Remove / }).click();
  await narrow('Photos', 'Without 1');
  await expect(rows).toHaveText(['Bare']);
  await widen();
  await expect(rows).toHaveText(['Full', 'Bare']);
  await proxy.refuse();
  await app.row('Full').getByRole('cell', { name: 'F1', exact: true }).dblclick();
  await page.getByRole('form').getByLabel('Model').fill('F2');
  await page.keyboard.press('Enter');
  await expect(app.row('Full')).toHaveAttribute('data-pending', 'update');
  await narrow('Waiting to be sent', 'Waiting 1');
  await expect(rows).toHaveText(['Full']);
  const goTo = async (words: string, path: RegExp) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('searchbox', { name: 'Find records, pages and actions' }).fill(words);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(path);
  };
  await goTo('preferences', /\/preferences$/);
  await goTo('all solar panels', /\/sp-all\?waiting=yes$/);
  await expect(rows).toHaveText(['Full']);
  await widen();
  await proxy.clear();
  await app.linkReturns();
  await expect(page.locator('[data-pending]')).toHaveCount(0);
});

test('a new record is listed in its final place, and the arrow keys move from row to row', async ({
  inhabited: { app, page, proxy },
}) => {
  await page.setViewportSize(SIZES[0]);
  await app.open('/partner-all');
  await expect(app.row('Volt Brothers')).toBeVisible();
  await app.keepsCopy('list/partners');
  await proxy.refuse();
  await app.createUnsent(partners, { name: 'Zest', link: 'https://zest.example' });
  const links = page.locator('tbody .row-link');
  await expect(links).toHaveText(['Volt Brothers', 'Zest']);
  await expect.poll(() => app.arrivals()).toEqual(['Zest']);
  await links.first().focus();
  await page.keyboard.press('ArrowDown');
  await expect(links.nth(1)).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(links.first()).toBeFocused();
  await proxy.clear();
});

/** Runs in the page: how many rows are fully visible, and the top of the first one. */
function firstScreen() {
  const rows = [...document.querySelectorAll('[data-row]')].map((row) => row.getBoundingClientRect());
  const whole = rows.filter(({ left, width, top, bottom }) => {
    const isSeen = (y: number) => document.elementFromPoint(left + width / 2, y)?.closest('[data-row]') !== null;
    return bottom <= window.innerHeight && isSeen(top + 2) && isSeen(bottom - 2);
  });
  return { whole: whole.length, top: rows[0]?.top ?? Infinity };
}

for (const { size, least } of [
  { size: SIZES[1], least: 12 },
  { size: SIZES[2], least: 8 },
]) {
  test(`at ${size.width} the first screen shows ${least} records, even offline`, async ({
    inhabited: { app, page, proxy },
  }) => {
    await page.setViewportSize(size);
    await app.open('/st-all');
    await app.keepsCopy('list/street-lights');
    await expect.poll(async () => (await page.evaluate(firstScreen)).whole).toBeGreaterThanOrEqual(least);
    await proxy.refuse();
    await page.reload();
    await expect(page.getByRole('banner').getByRole('link', { name: 'Offline' })).toBeVisible();
    await expect.poll(async () => (await page.evaluate(firstScreen)).whole).toBeGreaterThanOrEqual(least);
    expect((await page.evaluate(firstScreen)).top).toBeLessThanOrEqual(220);
    await proxy.clear();
  });
}

test('on a phone a certification’s name takes two lines, with its category below', async ({
  inhabited: { app, page, server },
}) => {
  const name = 'IEC 61215 Module design';
  await storeRecord(await Api.signIn(server.origin), certifications, 1, { category: 'Generators', name });
  await page.setViewportSize(SIZES[2]);
  await app.open('/cert-all');
  const link = page.locator('[data-row]').getByRole('link', { name, exact: true });
  await expect(link).toBeVisible();
  const hidden = await link.evaluate((one) => [one.scrollWidth - one.clientWidth, one.scrollHeight - one.clientHeight]);
  expect(Math.max(...hidden)).toBeLessThanOrEqual(1);
  await expect(page.locator('.row-facts')).toHaveText(/Generators/);
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
    await expect(bar.getByRole('button')).toHaveText(['', 'Edit 1', 'Duplicate', 'Labels', 'Delete']);
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

test('at 400 % the + button and the selection bar leave room for rows, and the waiting mark fits', async ({
  inhabited: { app, page },
}) => {
  await page.setViewportSize({ width: 320, height: 256 });
  await app.open('/st-all');
  await expect(page.locator('[data-row]').first()).toBeVisible();
  await expect(page.getByRole('search').getByRole('link', { name: 'Create New' })).toHaveCSS('position', 'static');
  for (const name of ['Lamp 5', 'Lamp 6']) await page.getByRole('checkbox', { name: `Select ${name} ` }).check();
  expect((await page.locator('.selection-bar').boundingBox())?.height).toBeLessThanOrEqual(52);
  await page.getByRole('button', { name: 'Clear' }).click();

  await app.keepsCopy('whole/street-lights');
  await page.context().setOffline(true);
  await page.locator('[data-row]').filter({ hasText: 'Lamp 8' }).getByRole('link').first().click();
  await page.getByLabel('Origin').fill('Nepal');
  await app.submit();
  const mark = page.locator('.row-facts > .mark');
  await expect(mark).toHaveText('Changed, waiting');
  const room = await mark.evaluate((one) => {
    const facts = one.parentElement ?? document.body;
    return facts.getBoundingClientRect().right - one.getBoundingClientRect().right;
  });
  expect(room).toBeGreaterThanOrEqual(0);
  await page.context().setOffline(false);
});

test('several records get one value after a preview, and one Undo reverts it', async ({
  inhabited: { app, page, proxy, server },
}) => {
  await page.setViewportSize(SIZES[0]);
  await app.open('/st-all');
  await expect(page.getByRole('checkbox', { name: 'Select Lamp 6 ' })).toBeVisible();
  await app.keepsCopy('whole/street-lights');
  await proxy.refuse();
  for (const name of ['Lamp 5', 'Lamp 6']) await page.getByRole('checkbox', { name: `Select ${name} ` }).check();
  await page.getByRole('button', { name: 'Edit 2' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit 2 street lights' });
  await dialog.getByRole('combobox', { name: 'Field' }).selectOption('Origin');
  await dialog.getByRole('textbox', { name: 'Origin' }).fill('Bangladesh');
  await expect(dialog.getByRole('listitem')).toHaveText([/Lamp 5 .*China Bangladesh/, /Lamp 6 .*China Bangladesh/]);
  await app.holdNotifications();
  await dialog.getByRole('button', { name: 'Save 2' }).click();
  const edited = page.getByRole('row').filter({ hasText: 'Bangladesh' });
  await expect(edited).toHaveCount(2);
  await app.toast('2 street lights edited').getByRole('button', { name: 'Undo' }).click();
  await expect(edited).toHaveCount(0);
  await proxy.clear();
  await app.linkReturns();
  // whatever became of the two edits of each record, none of them waits any more
  await expect(page.getByText(/^(Changed, .+|Sending)$/)).toHaveCount(0);
  expect(server.data.rows('street-lights').filter((row) => row['origin'] === 'Bangladesh')).toEqual([]);
});
