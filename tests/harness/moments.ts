import type { Page } from '@playwright/test';

/** What a page has shown since it was loaded, also where it is gone again. */
interface Moments {
  /** The words of its notifications, which stand for three seconds, in order. */
  readonly told: string[];
  /** The titles of the rows that showed themselves as just saved, for two seconds. */
  readonly arrived: string[];
}

declare global {
  interface Window {
    moments: Moments;
  }
}

/** Has every document of the page keep what it shows for a moment only: a test that looks a second too late still finds it. */
export async function keepMoments(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const moments: Moments = { told: [], arrived: [] };
    const seen = new WeakMap<Element, string>();
    const look = () => {
      for (const notification of document.querySelectorAll(':is([role=status], [role=alert]):not(.form-summary)')) {
        const words = notification.textContent ?? '';
        if (seen.get(notification) !== words) moments.told.push(words);
        seen.set(notification, words);
      }
      for (const row of document.querySelectorAll('[data-arrived] .row-link')) {
        const title = row.textContent ?? '';
        if (!moments.arrived.includes(title)) moments.arrived.push(title);
      }
    };
    const attributeFilter = ['role', 'data-arrived'];
    new MutationObserver(look).observe(document, {
      attributeFilter,
      childList: true,
      subtree: true,
      characterData: true,
    });
    Object.assign(window, { moments });
  });
}

/** Runs in a page: whether it has told this, and has not been asked for it before. */
export function takeTold(words: string): boolean {
  const { told } = window.moments;
  const at = told.findIndex((one) => one.includes(words));
  if (at !== -1) told.splice(at, 1);
  return at !== -1;
}

/** Runs in a page: notifications stand from now on, as under a pointer, until the page is loaded anew. */
export function holdNotifications(): void {
  const hold = () => {
    for (const one of document.querySelectorAll('.toasts [role]')) {
      one.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
    }
  };
  setInterval(hold, 100);
}
