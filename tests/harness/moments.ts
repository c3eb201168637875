import type { Page } from '@playwright/test';

/** What a page has shown since it was loaded, including what is gone again. */
interface Moments {
  /** The texts of its notifications, in order. Each stays for three seconds. */
  readonly told: string[];
  /** The titles of the rows that were highlighted as just saved. The highlight stays for two seconds. */
  readonly arrived: string[];
}

declare global {
  interface Window {
    moments: Moments;
  }
}

/**
 * Makes every document of the page record what it shows only briefly, so that a test that looks a second too late still
 * finds it.
 */
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

/** Runs in a page. True if it has shown this notification and no earlier call consumed it. */
export function takeTold(words: string): boolean {
  const { told } = window.moments;
  const at = told.findIndex((one) => one.includes(words));
  if (at !== -1) told.splice(at, 1);
  return at !== -1;
}

/** Runs in a page. Keeps notifications open, as under a pointer, until the page is reloaded. */
export function holdNotifications(): void {
  const hold = () => {
    for (const one of document.querySelectorAll('.toasts [role]')) {
      one.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
    }
  };
  setInterval(hold, 100);
}
