import { resourceOf } from '../../src/domain/resources/index.ts';
import { Api } from '../harness/api.ts';
import { storeRecord } from '../harness/seed.ts';
import { expect } from '../harness/shared-world.ts';
import { keepsItsPlace, showsAtFirst, showsEverything, SIZES, test, topOf } from './steps/list-place.ts';

const partners = resourceOf('partners');
const panels = resourceOf('solar-panels');
const certifications = resourceOf('certifications');

for (const size of SIZES.slice(0, 2)) keepsItsPlace(size);
for (const size of SIZES.slice(1)) showsEverything(size);
showsAtFirst(SIZES[1], 12);

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
