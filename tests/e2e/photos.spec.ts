import sharp from 'sharp';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { App } from '../harness/app.ts';
import { jpeg, png } from '../harness/sample-files.ts';
import { expect, test } from '../harness/world.ts';

const about = resourceOf('about-items');

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
