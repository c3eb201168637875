import sharp from 'sharp';
import { App } from '../harness/app.ts';
import { expectAccessible } from '../harness/axe.ts';
import { expect, test } from '../harness/world.ts';
import { halves, draw, shape } from './steps/photo-editor.ts';

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
