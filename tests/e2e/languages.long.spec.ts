import type { Page } from '@playwright/test';
import { routesOf } from '../../src/domain/resource.ts';
import { RESOURCES, resourceOf } from '../../src/domain/resources/index.ts';
import { Api } from '../harness/api.ts';
import { storeRecord } from '../harness/seed.ts';
import { expect, test } from '../harness/shared-world.ts';
import { signedIn } from './steps/languages.ts';

/** A phone, a tablet in portrait orientation, a desktop. */
const SIZES = [
  { width: 390, height: 844 },
  { width: 820, height: 1180 },
  { width: 1280, height: 800 },
];

const generators = resourceOf('generators');
const { create, list, edit } = routesOf(generators);

/** One screen of each type: all kinds of record share theirs. */
const SCREENS = [
  '/',
  list,
  create,
  edit(1),
  '/sete-meta-update',
  '/outbox',
  '/preferences',
  '/security',
  '/sessions',
  '/people',
  '/pass-change',
  '/health',
  '/backups',
  '/about',
  '/self-check',
  '/share',
  '/no-such-page',
];

/** One test for each part: all screens in one would take minutes on a slow machine. */
const PARTS = [SCREENS.slice(0, 8), SCREENS.slice(8)];

/** `xa` is the pseudo-language: longer than any real one, and right to left. */
const LANGUAGES = [
  { code: 'de', lang: 'de', dir: 'ltr' },
  { code: 'xa', lang: 'en-XA', dir: 'rtl' },
];

for (const { code, lang, dir } of LANGUAGES) {
  for (const [index, screens] of PARTS.entries()) {
    test(`every screen fits its texts in ${code} (${index + 1} of ${PARTS.length})`, async ({ context, inhabited }) => {
      await storeRecord(await Api.signIn(inhabited.server.origin), generators, 1);
      const page = await signedIn(context, `${inhabited.app.origin}/login?language=${code}`);
      for (const path of screens) {
        await page.goto(inhabited.app.origin + path);
        await expect(page.locator('html')).toHaveAttribute('lang', lang);
        await expect(page.locator('html')).toHaveAttribute('dir', dir);
        await expectWhole(page, path);
      }
    });
  }
}

test('the Save button fits on a phone in German for every kind of record', async ({ context, inhabited }) => {
  const page = await signedIn(context, `${inhabited.app.origin}/login?language=de`);
  await page.setViewportSize({ width: 390, height: 844 });
  const tight: string[] = [];
  for (const kind of RESOURCES) {
    await page.goto(inhabited.app.origin + routesOf(kind).create);
    const save = page.locator('.save-bar > [type=submit]');
    await expect(save).toContainText('hinzufügen');
    if (await save.evaluate(isTight)) tight.push((await save.textContent()) ?? '');
  }
  expect(tight).toEqual([]);
});

test('the language is chosen by its own name, and stays chosen offline', async ({ context, inhabited }) => {
  const page = await signedIn(context, `${inhabited.app.origin}/login`);
  await page.goto(`${inhabited.app.origin}/preferences`);
  await page.getByLabel('Language').selectOption('Deutsch');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Einstellungen');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await context.setOffline(true);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Einstellungen');
});

/** Expects at every size that the page fits the window and no word of a control or heading is cut off. */
async function expectWhole(page: Page, path: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible();
  for (const size of SIZES) {
    await page.setViewportSize(size);
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    await expect.poll(overflow, { message: `${path} is wider than ${size.width}` }).toBeLessThanOrEqual(0);
    await expect.poll(() => page.evaluate(cutOff), { message: `${path} at ${size.width}` }).toEqual([]);
  }
}

/** True if a button's text comes closer than 4 px to its edge. Runs in the page. */
function isTight(button: Element): boolean {
  const words = document.createRange();
  words.selectNodeContents(button);
  const [inner, outer] = [words.getBoundingClientRect(), button.getBoundingClientRect()];
  return Math.min(inner.left - outer.left, outer.right - inner.right, inner.top - outer.top) < 4;
}

/** Controls and headings whose text does not fit, without an ellipsis. Runs in the page. */
function cutOff(): string[] {
  const controls = [...document.querySelectorAll<HTMLElement>('button, a, label, legend, h1, h2, h3, th, summary')];
  const seen = controls.filter((control) => control.checkVisibility({ visibilityProperty: true }));
  const hidden = (element: HTMLElement) => getComputedStyle(element).overflowX !== 'visible';
  const ends = (element: HTMLElement) => getComputedStyle(element).textOverflow === 'ellipsis';
  const cut = seen.filter(
    (one) => one.scrollWidth > one.clientWidth + 1 && hidden(one) && !ends(one) && one.clientWidth > 1,
  );
  return cut.map((control) => control.textContent ?? '');
}
