import type { Locator } from '@playwright/test';
import { cataloguePdf } from '../../server/sample-data/pdf.ts';
import { expectAccessible } from '../harness/axe.ts';
import { expect, test } from '../harness/world.ts';
import { openGenerator } from './steps/documents.ts';

const EDIT = '/generator-edit/1';

function catalogue(name: string, heading: string) {
  const buffer = cataloguePdf({ heading, under: 'Prime 20 kVA', facts: [['Engine', 'P20']], colour: [0.8, 0.1, 0.1] });
  return { name, mimeType: 'application/pdf', buffer };
}

/** How red the top of a drawn page is: the heading has a red background. */
function redness(canvas: Locator): Promise<number> {
  return canvas.evaluate((drawn: HTMLCanvasElement) => {
    const pixels = drawn.getContext('2d')?.getImageData(drawn.width / 2, 2, 1, 1).data ?? [0, 0, 0];
    return (pixels[0] ?? 0) - (pixels[1] ?? 0);
  });
}

test('a picked PDF shows its first page, opens in the app and in the outbox, all without a server', async ({
  page,
  world,
}) => {
  const app = await openGenerator(page, world);
  // the PDF reader is loaded with the first PDF and then kept
  await page.locator('input[name="catalog"]').setInputFiles(catalogue('old.pdf', 'OLD'));
  await expect.poll(() => redness(page.locator('.document-type canvas'))).toBeGreaterThan(100);
  await page.getByRole('button', { name: 'Remove old.pdf' }).click();

  await world.proxy.refuse();
  await app.open(EDIT);
  await page.locator('input[name="catalog"]').setInputFiles(catalogue('perkins.pdf', 'P20P'));
  await expect.poll(() => redness(page.locator('.document-type canvas'))).toBeGreaterThan(100);
  await page.getByRole('link', { name: 'Open perkins.pdf' }).click();
  const viewer = page.getByRole('dialog', { name: 'perkins.pdf' });
  await expect(viewer.getByText('1 of 1')).toBeVisible();
  await expect(viewer.getByRole('article', { name: 'Page 1' })).toContainText('P20P');
  await expect.poll(() => redness(viewer.locator('canvas'))).toBeGreaterThan(100);
  await expectAccessible(page, 'PDF');
  await page.keyboard.press('Escape');
  await expect(viewer).toBeHidden();
  await app.submit();
  await page.waitForURL('**/generator-all');
  await app.open('/outbox');
  await expect.poll(() => redness(page.locator('canvas.entry-picture'))).toBeGreaterThan(100);
  await app.open(EDIT);
  await page.getByRole('link', { name: 'Open perkins.pdf' }).click();
  await expect(viewer.getByRole('article', { name: 'Page 1' })).toContainText('P20P');
});
