import type { Page } from '@playwright/test';

/**
 * Waits for two frames of the page, after which the layout reflects all changes, or for 100 ms: a headless browser draws no
 * frame if nothing has changed.
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
