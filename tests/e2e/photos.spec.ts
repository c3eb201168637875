import sharp from 'sharp';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { App } from '../harness/app.ts';
import { atRest } from '../harness/at-rest.ts';
import { lift } from '../harness/lift.ts';
import { jpeg, png } from '../harness/sample-files.ts';
import { expect, test } from '../harness/world.ts';

const about = resourceOf('about-items');
const streetLights = resourceOf('street-lights');

/** A camera's photo in landscape: 600 × 400 as stored, 400 × 600 after its own rotation. */
async function lyingPhoto(name: string) {
  const picture = sharp({ create: { width: 600, height: 400, channels: 3, background: '#a33' } });
  return { name, mimeType: 'image/jpeg', buffer: await picture.jpeg().withMetadata({ orientation: 6 }).toBuffer() };
}

test('a photo is rotated upright and made smaller before it is stored, and both sizes are shown', async ({
  page,
  world,
}) => {
  const app = new App(page, world.proxy.origin);
  await app.signIn();
  for (const [name, photo, size] of [
    ['Large', await jpeg('large.jpg', 1, 4000, 3000), [2560, 1920]],
    ['Lying', await lyingPhoto('lying.jpg'), [400, 600]],
  ] as const) {
    await app.open('/about-create');
    await page.getByLabel('Name').fill(name);
    await page.locator('input[name="image"]').setInputFiles(photo);
    await expect(page.getByText(/ kB → | bytes → /)).toBeVisible();
    await app.submit();
    await expect(app.row(name)).toBeVisible();
    const stored = () => world.server.data.rows(about.name).find((row) => row['name'] === name)?.['image'];
    await expect.poll(stored).toBeDefined();
    const answer = await page.request.get(`${app.origin}/uploads/${String(stored())}`);
    const { width, height, orientation = 1 } = await sharp(await answer.body()).metadata();
    expect([width, height, orientation]).toEqual([...size, 1]);
  }
});

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

test('photos are added by drop, by paste and with the camera', async ({ page, world }) => {
  const app = new App(page, world.proxy.origin);
  await app.signIn();
  await app.open('/st-create');
  await expect(page.locator('input[name="images[]"]')).toBeAttached();
  const [dropped, pasted, taken] = ['dropped.png', 'pasted.png', 'taken.png'].map((name, seed) => png(name, seed + 1));
  const give = (event: 'drop' | 'paste', file = dropped) =>
    page.evaluate(
      ({ type, name, bytes }) => {
        const carried = new DataTransfer();
        carried.items.add(new File([new Uint8Array(bytes)], name, { type: 'image/png' }));
        const target = document.querySelector('input[name="images[]"]')?.parentElement ?? document.body;
        const happening =
          type === 'drop'
            ? new DragEvent('drop', { dataTransfer: carried, bubbles: true, cancelable: true })
            : new ClipboardEvent('paste', { clipboardData: carried, bubbles: true, cancelable: true });
        target.dispatchEvent(happening);
      },
      { type: event, name: file?.name ?? '', bytes: [...(file?.buffer ?? [])] },
    );
  await give('drop', dropped);
  await expect(page.getByRole('button', { name: 'Remove dropped.png' })).toBeVisible();
  await give('paste', pasted);
  await expect(page.getByRole('button', { name: 'Remove pasted.png' })).toBeVisible();
  const camera = page.locator('input[capture=environment]');
  await camera.setInputFiles({ name: 'taken.png', mimeType: 'image/png', buffer: taken?.buffer ?? Buffer.alloc(0) });
  await expect(page.getByRole('button', { name: 'Remove taken.png' })).toBeVisible();
  await expect(page).toHaveURL(/\/st-create$/);
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
