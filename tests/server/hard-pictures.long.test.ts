import { createCipheriv } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { expect, test } from 'vitest';
import { picturesOf } from '../../server/sample-data/pictures.ts';
import { SIZES } from '../../server/uploads/picture-sizes.ts';
import { freshFolder, signedIn, startServer } from './harness.ts';
import { picture } from './samples.ts';
import { sizesOf, sizesOnDisk, store } from './stored-pictures.ts';
import { witness } from './witness.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** The same bytes every time, which nothing makes smaller. */
const noiseOf = (size: number) =>
  createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)).update(Buffer.alloc(size));

/** Noisy pixels, which no encoder makes small. */
const noise = (width: number, height: number, channels: 3 | 4 = 3) =>
  sharp(noiseOf(width * height * channels), { raw: { width, height, channels } });

/** Coarse patches with fine grain, like gravel or leaves in the sun. */
const gravel = async () => {
  const patches = await noise(40, 30).resize(1600, 1200).png().toBuffer();
  const grain = await noise(800, 600).resize(1600, 1200).png().toBuffer();
  return sharp(patches).composite([{ input: grain, blend: 'soft-light' }]);
};

const bytesOf = async (image: Sharp, format: 'jpeg' | 'png' | 'webp' = 'jpeg') =>
  new Uint8Array(await image.toFormat(format, { quality: 95 }).toBuffer());

const HEAVY: Record<string, () => Promise<Bytes>> = {
  'a photo of gravel': async () => bytesOf(await gravel()),
  'noise in the format of photos': () => bytesOf(noise(400, 300)),
  'noise upright, as phones take it': () => bytesOf(noise(270, 480)),
  'noise one pixel to one': () => bytesOf(noise(100, 178), 'png'),
  'noise with transparency': () => bytesOf(noise(200, 300, 4), 'png'),
  'a strip of noise with transparency': () => bytesOf(noise(120, 4000, 4), 'webp'),
};

test.each(Object.entries(HEAVY))('serves %s as a thumbnail of 8 kB at most', async (_what, make) => {
  const { admin, app, dataDir } = await signedIn();
  const { name } = await store(admin, await make());
  await app.services.sizes.done();
  const [avif, webp] = await sizesOnDisk({ dataDir }, name);
  for (const thumbnail of [avif, webp]) {
    expect(thumbnail?.bytes).toBeLessThanOrEqual(8000);
    expect(thumbnail?.width).toBeLessThanOrEqual(100);
    expect(thumbnail?.height).toBeLessThanOrEqual(200);
  }
});

test('serves the pictures of the sample data as thumbnails far below 8 kB, at the first quality', async () => {
  const { admin, app, dataDir } = await signedIn();
  for (const kind of ['generators', 'projects', 'sliders', 'certifications'] as const) {
    const [drawn] = await picturesOf(kind, 1);
    const { name } = await store(admin, new Uint8Array(drawn ?? []));
    await app.services.sizes.done();
    const [avif, webp] = await sizesOnDisk({ dataDir }, name);
    expect(Math.max(avif?.bytes ?? 0, webp?.bytes ?? 0)).toBeLessThan(4000);
    expect([avif?.width, webp?.width]).toEqual([100, 100]);
  }
});

const ODD: Record<string, () => Promise<Bytes>> = {
  'a grey photo': () => bytesOf(noise(300, 200).greyscale()),
  'a CMYK photo': () => bytesOf(noise(300, 200).toColourspace('cmyk')),
  'a picture of 16 bits': () => bytesOf(noise(300, 200).toColourspace('rgb16'), 'png'),
  'a picture of one pixel': () => bytesOf(noise(1, 1), 'png'),
  'a picture one pixel wide and 12,000 tall': () => bytesOf(noise(1, 12_000), 'png'),
  'a picture 12,000 wide and one pixel tall': () => bytesOf(noise(12_000, 1), 'png'),
};

test.each(Object.entries(ODD))('makes every size of %s', async (_what, make) => {
  const { admin, app, dataDir } = await signedIn();
  const { name } = await store(admin, await make());
  await app.services.sizes.done();
  for (const { width, height } of await sizesOnDisk({ dataDir }, name)) {
    expect(width).toBeGreaterThan(0);
    expect(height).toBeGreaterThan(0);
  }
});

test('limits the height of a thumbnail to twice its width, and of a larger size to four times', async () => {
  const { admin, app, dataDir } = await signedIn();
  const { name } = await store(admin, await bytesOf(noise(2, 12_000), 'png'));
  await app.services.sizes.done();
  const heights = (await sizesOnDisk({ dataDir }, name)).map(({ height }) => height);
  expect(heights).toEqual([200, 200, 1200, 1200, 4800, 4800]);
});

test('survives a crash at any step of making sizes without ever serving half a picture', async () => {
  const dataDir = await freshFolder();
  const watch = witness(dataDir, await freshFolder(), () => true);
  const server = await signedIn({ DATA_DIR: dataDir }, { disk: watch.disk });
  const { name } = await store(server.admin, await picture('jpeg', '#446688', 400));
  const { sizes } = server.app.services;
  await sizes.done();
  await rm(sizesOf(server), { recursive: true });
  watch.arm(true);
  sizes.add([name]);
  await sizes.done();
  watch.arm(false);
  expect(watch.taken.length).toBeGreaterThan(4 * SIZES.length);
  for (const copy of watch.taken) {
    const revived = await startServer({ DATA_DIR: copy.folder });
    await revived.app.services.sizes.done();
    expect(await sizesOnDisk(revived, name)).toHaveLength(SIZES.length);
    for (const width of ['100', '300', '1200']) {
      const names = await readdir(join(sizesOf(revived), width));
      expect([copy.name, names.toSorted()]).toEqual([copy.name, [`${name}.avif`, `${name}.webp`]]);
    }
    await revived.app.close();
  }
}, 300_000);
