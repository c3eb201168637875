import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { App } from '../harness/app.ts';
import { expectAccessible } from '../harness/axe.ts';
import { expect, test } from '../harness/world.ts';

/** Red on the left half, a fine black and white grid on the right. */
async function halves(name: string) {
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
async function draw(page: Page, from: readonly [number, number], to: readonly [number, number]): Promise<void> {
  const canvas = page.locator('.photo-editor-stage canvas');
  const box = await canvas.boundingBox();
  if (box === null) throw new Error('There is no photo to draw on.');
  const at = ([x, y]: readonly [number, number]) => [box.x + box.width * x, box.y + box.height * y] as const;
  await page.mouse.move(...at(from));
  await page.mouse.down();
  await page.mouse.move(...at(to), { steps: 4 });
  await page.mouse.up();
}

test('a photo is blurred, rotated and cropped before it leaves the device', async ({ page, world }) => {
  const app = new App(page, world.proxy.origin);
  await app.signIn();
  await app.open('/about-create');
  await page.getByLabel('Name').fill('Edited');
  await page.locator('input[name="image"]').setInputFiles(await halves('halves.png'));
  await page.getByRole('button', { name: 'Edit photo halves.png' }).click();
  const editor = page.getByRole('dialog', { name: 'Edit photo' });
  await expect(editor.getByRole('button', { name: 'Use photo' })).toBeDisabled();
  await editor.getByRole('button', { name: 'Blur' }).click();
  await draw(page, [0.55, 0.1], [0.98, 0.9]);
  await expectAccessible(page, 'photo editor');
  await editor.getByRole('button', { name: 'Crop' }).click();
  await draw(page, [0.6, 0.15], [0.95, 0.85]);
  await expect.poll(() => shape(page)).toEqual([140, 210]);
  await editor.getByRole('button', { name: 'Rotate' }).click();
  await expect.poll(() => shape(page)).toEqual([210, 140]);
  await editor.getByRole('button', { name: 'Use photo' }).click();
  await expect(editor).toBeHidden();
  await app.submit();
  await expect(app.row('Edited')).toHaveCount(1);
  const stored = () => world.server.data.rows('about-items').find((row) => row['name'] === 'Edited')?.['image'];
  await expect.poll(stored).toBeDefined();
  const answer = await page.request.get(`${app.origin}/uploads/${String(stored())}`);
  const picture = sharp(await answer.body());
  expect(await picture.metadata()).toMatchObject({ width: 210, height: 140 });
  // The black and white grid is grey everywhere: nothing of it can be recognized.
  const { channels } = await picture.stats();
  const colours = channels.slice(0, 3).map(({ min, max }) => min > 90 && max < 170);
  expect(colours).toEqual([true, true, true]);
});

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

/** The current width and height of the photo in pixels. */
function shape(page: Page): Promise<number[]> {
  return page
    .locator('.photo-editor-stage canvas')
    .evaluate((canvas: HTMLCanvasElement) => [canvas.width, canvas.height]);
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
