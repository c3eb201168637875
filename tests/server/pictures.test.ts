import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { expect, test } from 'vitest';
import { PictureTooLarge } from '../../server/uploads/picture-fault.ts';
import { SIZE_FORMATS } from '../../server/uploads/picture-sizes.ts';
import { encodeAnew, smallerPictures } from '../../server/uploads/pictures.ts';
import { freshFolder } from './harness.ts';

const WANTED = { by: 'somebody' };

/** A file with these bytes. */
async function fileOf(bytes: Buffer): Promise<string> {
  const path = join(await freshFolder(), 'picture');
  await writeFile(path, bytes);
  return path;
}

/** Stripes of all colours, which reveal the quality of a picture. */
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

/** The average difference between the channels of two pictures, of 255. */
async function difference(one: Buffer, other: Buffer): Promise<number> {
  const [left, right] = [await pixelsOf(one), await pixelsOf(other)];
  return left.reduce((sum, value, index) => sum + Math.abs(value - (right[index] ?? 0)), 0) / left.length;
}

test.each(SIZE_FORMATS)('makes thumbnails of simple pictures in high quality as %s', async (format) => {
  const whole = await stripes(100, 100);
  const path = await fileOf(whole);
  const made: Buffer[] = [];
  for await (const [, bytes] of smallerPictures(path, [{ width: 100, format }], WANTED)) made.push(bytes);
  expect(await difference(made[0] ?? Buffer.alloc(0), whole)).toBeLessThan(6);
});

/** An animation of two frames in different colours. */
async function twoFrames(width: number, height: number): Promise<Sharp> {
  const frames = ['#112233', '#445566'].map((background) =>
    sharp({ create: { width, height, channels: 3, background } })
      .png({ compressionLevel: 1 })
      .toBuffer(),
  );
  return sharp(await Promise.all(frames), { join: { animated: true } });
}

/** Seconds. A machine busy with other tests takes its time. */
const PATIENCE = 60;

test('stores an animated GIF of more than 12 megapixels unchanged, with all frames', async () => {
  const [width, height] = [4000, 3010];
  const film = await (await twoFrames(width, height)).gif({ effort: 1, loop: 0 }).toBuffer();
  const encoded = await encodeAnew(await fileOf(film), 'image/gif', WANTED, PATIENCE);
  const stored = await sharp(encoded, { animated: true }).metadata();
  expect([stored.width, stored.pageHeight, stored.pages]).toEqual([width, height, 2]);
});

test('stores only the first frame of an animation that is not a GIF, because only that was counted', async () => {
  const film = await (await twoFrames(40, 30)).webp({ loop: 0 }).toBuffer();
  expect((await sharp(film).metadata()).pages).toBe(2);
  const stored = await sharp(await encodeAnew(await fileOf(film), 'image/webp', WANTED), { animated: true }).metadata();
  expect([stored.width, stored.height, stored.pages]).toEqual([40, 30, undefined]);
});

/** An animation on a canvas of 4 megapixels, in which each frame changes one pixel. */
function filmOf(frames: number): Buffer {
  const size = Buffer.from([0xd0, 0x07, 0xd0, 0x07]);
  const blackAndWhite = Buffer.from([0x80, 0, 0, 0, 0, 0, 255, 255, 255]);
  const frame = Buffer.from([0x21, 0xf9, 4, 0, 10, 0, 0, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]);
  const all = Array.from({ length: frames }, () => frame);
  return Buffer.concat([Buffer.from('GIF89a'), size, blackAndWhite, ...all, Buffer.from(';')]);
}

test('reports an animation that is too large with all its frames as too large, not as damaged', async () => {
  const facts = await sharp(filmOf(13)).metadata();
  expect([facts.width, facts.height, facts.pages]).toEqual([2000, 2000, 13]);
  await expect(encodeAnew(await fileOf(filmOf(13)), 'image/gif', WANTED)).rejects.toThrow(PictureTooLarge);
});

test('keeps the transparency of a PNG that is stored smaller', async () => {
  const background = { r: 10, g: 20, b: 30, alpha: 0 };
  const large = sharp({ create: { width: 4000, height: 3010, channels: 4, background } });
  const path = await fileOf(await large.png({ compressionLevel: 1 }).toBuffer());
  const stored = sharp(await encodeAnew(path, 'image/png', WANTED));
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
  'encodes a detailed picture only as well as its weight allows: %s of quality %i, %i pixels wide',
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
    for await (const [, bytes] of smallerPictures(path, [{ width, format }], WANTED)) made.push(bytes.length);
    const weightAt = async (one: number) => {
      const source = sharp(path);
      const encoded = format === 'avif' ? source.avif({ quality: one, effort: 2 }) : source.webp({ quality: one });
      return (await encoded.toBuffer()).length;
    };
    expect(made[0]).toBeGreaterThan(await weightAt(quality - 5));
    expect(made[0]).toBeLessThan(await weightAt(quality + 5));
  },
);
