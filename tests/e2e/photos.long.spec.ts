import { resourceOf } from '../../src/domain/resources/index.ts';
import { App } from '../harness/app.ts';
import { atRest } from '../harness/at-rest.ts';
import { lift } from '../harness/lift.ts';
import { png } from '../harness/sample-files.ts';
import { expect, test } from '../harness/world.ts';

const streetLights = resourceOf('street-lights');

test('a photo that is already there, or that cannot be read, is reported and left out', async ({ page, world }) => {
  const app = new App(page, world.proxy.origin);
  await app.signIn();
  await app.open('/st-create');
  const photo = png('front.png', 1);
  const heic = { name: 'IMG_1.heic', mimeType: 'image/heic', buffer: Buffer.from('\0\0\0\u0018ftypheic\0\0\0\0') };
  await page.locator('input[name="images[]"]').setInputFiles([photo, { ...photo, name: 'again.png' }, heic]);
  await expect(page.getByText('“again.png” is already here as “front.png”')).toBeVisible();
  await expect(page.getByText('“IMG_1.heic” is a HEIC photo, which this browser cannot read.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Enlarge / })).toHaveCount(1);
});

test('photos arrive in the order set by buttons and by keyboard', async ({ page, world }) => {
  const app = new App(page, world.proxy.origin);
  const photos = ['a.png', 'b.png', 'c.png'].map((name, seed) => png(name, seed + 1));
  await app.signIn();
  await app.open('/st-create');
  await app.fill(streetLights.fields, { brand: 'B', capacity: '60 W', model: 'M', origin: 'O', images: photos });
  await app.fill(streetLights.fields, { catalog: [png('sheet.png', 9)] });
  await page.getByRole('button', { name: 'Move c.png earlier' }).click();
  await lift(page, 'Position of a.png: 1 of 3', 'a.png is over position 1 of 3.');
  await expect(page.locator('[data-lifted=true]')).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByText('a.png is over position 2 of 3.')).toBeAttached();
  await page.keyboard.press('Space');
  await expect(page.getByRole('button', { name: 'Position of a.png: 2 of 3' })).toBeVisible();
  await app.submit();
  await expect.poll(() => world.server.data.rows('street-lights').length).toBe(1);
  const [a, b, c] = photos.map(({ sha256 }) => sha256);
  expect(world.server.data.imageHashes('street-lights', 1)).toEqual([c, a, b]);
});

test('enlarged pictures lead to the next one and can be zoomed', async ({ page, world }) => {
  const app = new App(page, world.proxy.origin);
  await app.signIn();
  await app.open('/st-create');
  await app.addPhotos(
    streetLights,
    ['a.png', 'b.png', 'c.png'].map((name, seed) => png(name, seed + 1)),
  );
  const opener = page.getByRole('button', { name: 'Enlarge a.png' });
  await opener.press('Enter');
  const large = page.getByRole('dialog');
  const shown = large.getByRole('img');
  await expect(large).toContainText('a.png · 1 of 3');
  await expect(large.getByRole('button', { name: 'Previous' })).toBeDisabled();
  await large.getByRole('button', { name: 'Next' }).click();
  await page.keyboard.press('ArrowRight');
  await expect(large).toContainText('c.png · 3 of 3');
  await page.keyboard.press('ArrowLeft');
  await expect(shown).toHaveAccessibleName('b.png');
  const width = async () => (await shown.boundingBox())?.width ?? 0;
  await expect.poll(width).toBeGreaterThan(0);
  await atRest(page);
  const before = await width();
  await large.getByRole('button', { name: 'Zoom in' }).click();
  await expect.poll(width).toBeGreaterThan(before * 1.9);
  await page.keyboard.press('-');
  await expect.poll(width).toBe(before);
  await page.keyboard.press('Escape');
  await expect(opener).toBeFocused();
});
