import type { Page } from '@playwright/test';
import sharp from 'sharp';

/** Red on the left half, a fine black and white grid on the right. */
export async function halves(name: string) {
  const grid = Buffer.alloc(400 * 300 * 3);
  for (let place = 0; place < 400 * 300; place += 1) {
    const [x, y] = [place % 400, Math.floor(place / 400)];
    const dark = x >= 200 && (Math.floor(x / 4) + Math.floor(y / 4)) % 2 === 0;
    const [red, other] = x < 200 ? [200, 20] : dark ? [0, 0] : [255, 255];
    grid.set([red, other, other], place * 3);
  }
  const picture = sharp(grid, { raw: { width: 400, height: 300, channels: 3 } });
  return { name, mimeType: 'image/png', buffer: await picture.png().toBuffer() };
}

/** Draws on the photo from one place to another, given as fractions of its sides. */
export async function draw(page: Page, from: readonly [number, number], to: readonly [number, number]): Promise<void> {
  const canvas = page.locator('.photo-editor-stage canvas');
  const box = await canvas.boundingBox();
  if (box === null) throw new Error('There is no photo to draw on.');
  const at = ([x, y]: readonly [number, number]) => [box.x + box.width * x, box.y + box.height * y] as const;
  await page.mouse.move(...at(from));
  await page.mouse.down();
  await page.mouse.move(...at(to), { steps: 4 });
  await page.mouse.up();
}

/** The current width and height of the photo in pixels. */
export function shape(page: Page): Promise<number[]> {
  return page
    .locator('.photo-editor-stage canvas')
    .evaluate((canvas: HTMLCanvasElement) => [canvas.width, canvas.height]);
}
