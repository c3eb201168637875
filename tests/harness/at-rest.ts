import type { Page } from '@playwright/test';

/** Waits until nothing changes its place, size or colour any more: what is in between two states belongs to neither. */
export async function atRest(page: Page): Promise<void> {
  await page.waitForFunction(() => !document.getAnimations().some((animation) => animation instanceof CSSTransition));
}
