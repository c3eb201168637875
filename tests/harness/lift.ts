import type { Page } from '@playwright/test';
import { expect } from './world.ts';

/**
 * Lifts one of several things by its handle and the space bar. Answers once arrow keys move it: its place was measured and
 * told, and the turn has passed after which the keyboard is listened to.
 */
export async function lift(page: Page, handle: string, told: string): Promise<void> {
  await page.getByRole('button', { name: handle }).press('Space');
  await expect(page.getByText(told)).toBeAttached();
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
}
