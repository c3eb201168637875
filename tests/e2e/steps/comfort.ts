import type { Browser, Page } from '@playwright/test';
import { drawn } from '../../harness/drawn.ts';
import { expect, type Inhabited } from '../../harness/shared-world.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** A phone, and a tablet in portrait and in landscape. */
const TOUCHED: readonly Size[] = [
  { width: 390, height: 844 },
  { width: 820, height: 1180 },
  { width: 1180, height: 820 },
];
/** A window of 1280 × 800, and a phone's, at 200 % zoom. */
const ZOOMED = [
  { width: 640, height: 400 },
  { width: 195, height: 422 },
] as const satisfies readonly Size[];

/** Targets smaller than a finger: their names and sizes. Links within a sentence are text, not buttons. */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const pressed = 'a[href], button, input, select, textarea, [role="button"], [role="menuitem"]';
    const targetOf = (element: Element) => {
      // A link may be stretched over its whole tile.
      const isStretched = getComputedStyle(element, '::after').position === 'absolute';
      if (isStretched) return (element as HTMLElement).offsetParent ?? element;
      // The whole row opens its record, and the whole first cell selects it.
      if (element.matches('.row-link')) return element.closest('[data-row]') ?? element;
      if (!element.matches('input[type=checkbox], input[type=radio]')) return element;
      return element.closest('label, td.col-select, .row-lead') ?? element;
    };
    const isInText = (element: Element) =>
      element.matches('p a, li.in-text a') || (element.matches('a, button') && element.closest('p') !== null);
    return [...document.querySelectorAll(pressed)].flatMap((element) => {
      const style = getComputedStyle(element);
      const { width, height } = targetOf(element).getBoundingClientRect();
      const hidden = !element.checkVisibility({ visibilityProperty: true }) || style.clipPath !== 'none';
      if (hidden || width === 0 || isInText(element) || (element as HTMLButtonElement).disabled) return [];
      if (Math.min(width, height) > 43.5) return [];
      const name = element.getAttribute('aria-label') ?? element.textContent ?? '';
      return [`${element.tagName} “${name.trim().slice(0, 40)}” ${Math.round(width)} × ${Math.round(height)}`];
    });
  });
}

/** Targets that stay smaller than a finger once the page has adapted to its size. */
async function lastingSmallTargets(page: Page): Promise<string[]> {
  let small = await smallTargets(page);
  for (let look = 0; look < 30 && small.length > 0; look += 1) {
    await drawn(page);
    small = await smallTargets(page);
  }
  return small;
}

/** Whether the focus has reached something for the first time, and what is wrong with its visibility: empty, or who and why. */
function lookAtFocus(page: Page): Promise<{ readonly isNew: boolean; readonly fault: string }> {
  return page.evaluate(() => {
    const focused = document.activeElement ?? document.body;
    const isNew = focused instanceof HTMLElement && focused !== document.body && focused.dataset['walked'] !== 'yes';
    if (isNew) focused.dataset['walked'] = 'yes';
    const name = `${focused.tagName} ${focused.getAttribute('aria-label') ?? focused.getAttribute('name') ?? focused.textContent?.trim().slice(0, 30)}`;
    const { left, top, width, height } = focused.getBoundingClientRect();
    const places = [top + Math.min(height / 2, 20), top + height / 2, top + height - Math.min(height / 2, 20)];
    const hits = places.map((y) => document.elementFromPoint(left + width / 2, y));
    const inSight = hits.some((hit) => hit !== null && (focused.contains(hit) || hit.contains(focused)));
    if (!inSight)
      return { isNew, fault: `${name}: hidden by ${hits.map((hit) => hit?.className ?? 'the edge').join(' | ')}` };
    const marked = [focused, focused.parentElement, focused.closest('label')].some((element) => {
      if (element === null) return false;
      const own = getComputedStyle(element);
      const after = getComputedStyle(element, '::after');
      return own.outlineStyle !== 'none' || own.boxShadow !== 'none' || after.outlineStyle !== 'none';
    });
    return { isNew, fault: marked ? '' : `${name}: no mark` };
  });
}

/** Tabs through the page. Returns what is focused without being visible or marked. */
async function lostFocus(page: Page): Promise<string[]> {
  const lost: string[] = [];
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  for (let step = 0; step < 120; step += 1) {
    await page.keyboard.press('Tab');
    const first = await lookAtFocus(page);
    if (!first.isNew) return lost;
    let { fault } = first;
    // The page may still be scrolling to the focus.
    for (let look = 0; look < 30 && fault !== ''; look += 1) {
      await drawn(page);
      ({ fault } = await lookAtFocus(page));
    }
    if (fault !== '') lost.push(fault);
  }
  return lost;
}

/** Resizes the page and waits until it is laid out again. */
async function resize(page: Page, size: Size): Promise<void> {
  await page.setViewportSize(size);
  await drawn(page);
}

/** What makes the page wider than its window. */
function overflowing(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    if (document.documentElement.scrollWidth <= window.innerWidth) return [];
    const wide = [...document.querySelectorAll('main *, header *')].filter(
      (element) => element.getBoundingClientRect().right > window.innerWidth + 1,
    );
    return wide.slice(0, 3).map((element) => `wider than the window: ${element.outerHTML.slice(0, 120)}`);
  });
}

/**
 * Expects of these screens that they fit a window at 200 %, that whatever the keyboard reaches is visible and marked, and that no
 * target is smaller than a finger.
 */
export async function expectComfort(browser: Browser, inhabited: Inhabited, paths: readonly string[]): Promise<void> {
  const storageState = await inhabited.page.context().storageState({ indexedDB: true });
  const context = await browser.newContext({
    baseURL: inhabited.proxy.origin,
    storageState,
    hasTouch: true,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const wanting: string[] = [];
  for (const path of paths) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('main').locator('[aria-busy=true]')).toHaveCount(0);
    const note = (where: string, what: readonly string[]) =>
      wanting.push(...what.map((one) => `${path} ${where}: ${one}`));
    for (const size of TOUCHED) {
      await resize(page, size);
      note(`at ${size.width}`, await lastingSmallTargets(page));
    }
    for (const size of ZOOMED) {
      await resize(page, size);
      note(`at ${size.width}`, await overflowing(page));
    }
    await resize(page, ZOOMED[0]);
    note('by keyboard', await lostFocus(page));
  }
  await context.close();
  expect(wanting).toEqual([]);
}
