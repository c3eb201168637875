import type { Page } from '@playwright/test';

/**
 * Waits until nothing changes its place, size or colour any more: what is in between two states belongs to neither. Looks by the
 * clock, since a browser without a screen may draw no frame.
 */
export async function atRest(page: Page): Promise<void> {
  const rests = () => !document.getAnimations().some((animation) => animation instanceof CSSTransition);
  await page.waitForFunction(rests, undefined, { polling: 50 });
}
