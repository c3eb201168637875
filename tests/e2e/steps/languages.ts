import type { BrowserContext, Page } from '@playwright/test';
import { ADMINISTRATOR } from '../../harness/server.ts';
import { expect } from '../../harness/shared-world.ts';

export async function signedIn(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(address);
  await page.locator('[name=email]').fill(ADMINISTRATOR.email);
  await page.locator('[name=password]').fill(ADMINISTRATOR.password);
  await page.locator('[name=password]').press('Enter');
  await expect(page).toHaveURL((url) => url.pathname === '/');
  return page;
}
