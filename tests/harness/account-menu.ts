import { expect, type Page } from '@playwright/test';

/**
 * Follows a link of the administrator's menu. A menu that is opened while the app still arrives at its first screen closes with the
 * arrival; like a person, this opens it again.
 */
export async function followInAccount(page: Page, name: string): Promise<void> {
  const link = page.getByRole('link', { name });
  await expect(async () => {
    if (!(await link.isVisible())) await page.getByRole('button', { name: 'Test Administrator' }).click();
    await link.click({ timeout: 3000 });
  }).toPass({ timeout: 45_000 });
}
