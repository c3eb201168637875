import { expect, test } from '../harness/world.ts';
import { openGenerator } from './steps/documents.ts';

test('a PDF missing on the device says so and opens once it is available; a damaged one says so', async ({
  page,
  world,
}) => {
  await openGenerator(page, world);
  await page.locator('input[name="catalog"]').setInputFiles({
    name: 'broken.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.4 and nothing more'),
  });
  await page.getByRole('link', { name: 'Open broken.pdf' }).click();
  await expect(page.getByRole('alert').getByText('This PDF is damaged and cannot be shown.')).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).click();

  await world.proxy.refuse();
  await page
    .getByRole('link', { name: /^Open / })
    .first()
    .click();
  await expect(page.getByText('This file is not on this device.')).toBeVisible();
  await world.proxy.clear();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('article', { name: 'Page 1' })).toBeVisible();
});
