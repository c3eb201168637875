import type { Page } from '@playwright/test';
import { expect } from './world.ts';

/**
 * Lifts an item by its handle with the space bar. Resolves once arrow keys move it: its position has been measured and
 * announced, and the task after which the keyboard is handled has passed.
 */
export async function lift(page: Page, handle: string, told: string): Promise<void> {
  await page.getByRole('button', { name: handle }).press('Space');
  await expect(page.getByText(told)).toBeAttached();
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
}
