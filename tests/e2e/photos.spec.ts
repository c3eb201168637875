import sharp from 'sharp';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { App } from '../harness/app.ts';
import { jpeg, png } from '../harness/sample-files.ts';
import { expect, test } from '../harness/world.ts';

const about = resourceOf('about-items');
const streetLights = resourceOf('street-lights');

/** A camera's photo that lies on its side: 600 × 400 as stored, 400 × 600 when turned as it asks. */
async function lyingPhoto(name: string) {
  const picture = sharp({ create: { width: 600, height: 400, channels: 3, background: '#a33' } });
  return { name, mimeType: 'image/jpeg', buffer: await picture.jpeg().withMetadata({ orientation: 6 }).toBuffer() };
}

test('a photo is turned upright and made smaller before it is stored, and the sizes are told', async ({
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
    const stored = world.server.data.rows(about.name).find((row) => row['name'] === name);
    const answer = await page.request.get(`${app.origin}/uploads/${String(stored?.['image'])}`);
    const { width, height, orientation = 1 } = await sharp(await answer.body()).metadata();
    expect([width, height, orientation]).toEqual([...size, 1]);
  }
});

test('a photo that is there already, and one that cannot be read, are told and left out', async ({ page, world }) => {
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

test('photos arrive in the order they were given by buttons and by keyboard', async ({ page, world }) => {
  const app = new App(page, world.proxy.origin);
  const photos = ['a.png', 'b.png', 'c.png'].map((name, seed) => png(name, seed + 1));
  await app.signIn();
  await app.open('/st-create');
  await app.fill(streetLights.fields, { brand: 'B', capacity: '60 W', model: 'M', origin: 'O', images: photos });
  await app.fill(streetLights.fields, { catalog: [png('sheet.png', 9)] });
  await page.getByRole('button', { name: 'Move c.png earlier' }).click();
  await page.getByRole('button', { name: 'Place of a.png: 1 of 3' }).press('Space');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByText('a.png is over place 2 of 3.')).toBeAttached();
  await page.keyboard.press('Space');
  await expect(page.getByRole('button', { name: 'Place of a.png: 2 of 3' })).toBeVisible();
  await app.submit();
  await expect.poll(() => world.server.data.rows('street-lights').length).toBe(1);
  const [a, b, c] = photos.map(({ sha256 }) => sha256);
  expect(world.server.data.imageHashes('street-lights', 1)).toEqual([c, a, b]);
});
