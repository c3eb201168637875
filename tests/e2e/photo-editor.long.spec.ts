import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { App } from '../harness/app.ts';
import { expect, test } from '../harness/world.ts';
import { halves, draw, shape } from './steps/photo-editor.ts';

test('a photo is edited by keyboard, gets an arrow, loses the last edit by Undo and keeps its place', async ({
  page,
  world,
}) => {
  const app = new App(page, world.proxy.origin);
  await app.signIn();
  await app.open('/st-create');
  await page.locator('input[name="images[]"]').setInputFiles([await halves('first.png'), await second()]);
  await page.getByRole('button', { name: 'Edit photo first.png' }).press('Enter');
  const editor = page.getByRole('dialog', { name: 'Edit photo' });
  await editor.getByRole('button', { name: 'Crop' }).press('Enter');
  const stage = editor.getByRole('button', { name: /^Photo:/ });
  await stage.press('Shift+ArrowRight');
  await stage.press('ArrowDown');
  await stage.press('Enter');
  await expect.poll(() => shape(page)).toEqual([168, 90]);
  await editor.getByRole('button', { name: 'Undo' }).press('Enter');
  await expect.poll(() => shape(page)).toEqual([400, 300]);
  // on the plain red half only the arrow differs
  expect(await differs(page, [0.25, 0.5])).toBe(false);
  await editor.getByRole('button', { name: 'Arrow', exact: true }).press('Enter');
  await draw(page, [0.05, 0.5], [0.4, 0.5]);
  await expect.poll(() => differs(page, [0.25, 0.5])).toBe(true);
  await editor.getByRole('button', { name: 'Rotate' }).press('Enter');
  await editor.getByRole('button', { name: 'Use photo' }).press('Enter');
  await expect(editor).toBeHidden();
  await expect(page.getByRole('button', { name: /^Enlarge / })).toHaveCount(2);
  await expect(page.getByRole('button', { name: 'Position of first.png: 1 of 2' })).toBeVisible();
});

async function second() {
  const picture = sharp({ create: { width: 40, height: 30, channels: 3, background: '#36a' } });
  return { name: 'second.png', mimeType: 'image/png', buffer: await picture.png().toBuffer() };
}

/** True if the photo's colour at a place, given as fractions of its sides, differs from its corner. */
function differs(page: Page, [x, y]: readonly [number, number]): Promise<boolean> {
  return page.locator('.photo-editor-stage canvas').evaluate(
    (canvas: HTMLCanvasElement, at) => {
      const colourAt = (left: number, top: number) =>
        [...(canvas.getContext('2d')?.getImageData(left, top, 1, 1).data ?? [])].join();
      return colourAt(Math.round(canvas.width * at.x), Math.round(canvas.height * at.y)) !== colourAt(2, 2);
    },
    { x, y },
  );
}
