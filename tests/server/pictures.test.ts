import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { encodeAnew, SIZE_FORMATS, smallerPictures } from '../../server/uploads/pictures.ts';
import { freshFolder } from './harness.ts';

/** A file with these bytes. */
async function fileOf(bytes: Buffer): Promise<string> {
  const path = join(await freshFolder(), 'picture');
  await writeFile(path, bytes);
  return path;
}

/** Stripes of all colours, which say at once how good a picture is. */
async function stripes(width: number, height: number): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3);
  for (let at = 0; at < pixels.length; at += 3) {
    const [x, y] = [(at / 3) % width, Math.floor(at / 3 / width)];
    pixels.set([(x * 2) % 256, (y * 3) % 256, ((x + y) * 5) % 256], at);
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}

const pixelsOf = (bytes: Buffer) => sharp(bytes).removeAlpha().raw().toBuffer();

/** How far the channels of two pictures are from each other on average, of 255. */
async function difference(one: Buffer, other: Buffer): Promise<number> {
  const [left, right] = [await pixelsOf(one), await pixelsOf(other)];
  return left.reduce((sum, value, index) => sum + Math.abs(value - (right[index] ?? 0)), 0) / left.length;
}

test.each(SIZE_FORMATS)('makes thumbnails as good as their weight lets them be, as %s', async (format) => {
  const whole = await stripes(100, 100);
  const path = await fileOf(whole);
  const made: Buffer[] = [];
  for await (const [, bytes] of smallerPictures(path, [{ width: 100, format }], 'soon')) made.push(bytes);
  expect(await difference(made[0] ?? Buffer.alloc(0), whole)).toBeLessThan(6);
});

test('stores a film of more than 12 megapixels as it is: with all of its pictures', async () => {
  const [width, height] = [4000, 3010];
  const frames = ['#112233', '#445566'].map((background) =>
    sharp({ create: { width, height, channels: 3, background } })
      .png({ compressionLevel: 1 })
      .toBuffer(),
  );
  const film = await sharp(await Promise.all(frames), { join: { animated: true } })
    .gif({ effort: 1, loop: 0 })
    .toBuffer();
  const stored = await sharp(await encodeAnew(await fileOf(film), 'image/gif'), { animated: true }).metadata();
  expect([stored.width, stored.pageHeight, stored.pages]).toEqual([width, height, 2]);
});

test('keeps the transparency of a PNG that is stored smaller', async () => {
  const background = { r: 10, g: 20, b: 30, alpha: 0 };
  const large = sharp({ create: { width: 4000, height: 3010, channels: 4, background } });
  const path = await fileOf(await large.png({ compressionLevel: 1 }).toBuffer());
  const stored = sharp(await encodeAnew(path, 'image/png'));
  const { width, hasAlpha } = await stored.metadata();
  expect([width, hasAlpha]).toEqual([3993, true]);
  expect((await stored.stats()).isOpaque).toBe(false);
});

test.each([
  ['avif', 55, 300],
  ['webp', 80, 300],
  ['avif', 55, 100],
  ['webp', 80, 100],
] as const)(
  'makes what fits its weight of good quality, and no heavier than that: %s of quality %i, %i pixels wide',
  async (format, quality, width) => {
    const path = join(await freshFolder(), 'photo.png');
    const noise = {
      width,
      height: 100,
      channels: 3,
      background: '#446688',
      noise: { type: 'gaussian', mean: 128, sigma: 30 },
    } as const;
    await sharp({ create: noise }).png().toFile(path);
    const made: number[] = [];
    for await (const [, bytes] of smallerPictures(path, [{ width, format }], 'soon')) made.push(bytes.length);
    const weightAt = async (one: number) => {
      const source = sharp(path);
      const encoded = format === 'avif' ? source.avif({ quality: one, effort: 2 }) : source.webp({ quality: one });
      return (await encoded.toBuffer()).length;
    };
    expect(made[0]).toBeGreaterThan(await weightAt(quality - 5));
    expect(made[0]).toBeLessThan(await weightAt(quality + 5));
  },
);
