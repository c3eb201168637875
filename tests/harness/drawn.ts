import type { Page } from '@playwright/test';

/**
 * Waits for two frames of the page, after which it is laid out for what has changed, or a tenth of a second: a browser without
 * a screen draws no frame where it has nothing new to show.
 */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
        setTimeout(resolve, 100);
      }),
  );
}
