import type { Page } from '@playwright/test';

/**
 * Waits until nothing changes its place, size or colour any more, since intermediate states belong to no state of the app.
 * Uses the clock, because a headless browser may draw no frame.
 */
export async function atRest(page: Page): Promise<void> {
  const rests = () => !document.getAnimations().some((animation) => animation instanceof CSSTransition);
  await page.waitForFunction(rests, undefined, { polling: 50 });
}
