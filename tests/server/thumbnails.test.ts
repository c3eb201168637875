import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { expect, test } from 'vitest';
import type { Overrides } from '../../server/app.ts';
import { picturesOf } from '../../server/sample-data/pictures.ts';
import { storedPictures } from '../../server/stores/sql/record-files.ts';
import { realDisk } from '../../server/uploads/disk.ts';
import { SIZES } from '../../server/uploads/pictures.ts';
import { sizePaths } from '../../server/uploads/sizes.ts';
import { certifications } from '../../src/domain/resources/certifications.ts';
import { type Client, formOf, freshFolder, signedIn, startServer } from './harness.ts';
import { picture, valuesFor } from './samples.ts';
import { witness } from './witness.ts';

type Bytes = Uint8Array<ArrayBuffer>;
type Signed = Awaited<ReturnType<typeof signedIn>>;

/** Stores a picture. Returns its record's id and its name in the uploads folder. */
async function store(admin: Client, bytes: Bytes): Promise<{ id: number; name: string }> {
  const file = { field: 'image', bytes, name: 'photo', type: 'image/jpeg' };
  const form = formOf(valuesFor(certifications.fields), [file]);
  const { id } = (await admin.post(certifications.endpoints.create, form)).json();
  const { image } = (await admin.get(`${certifications.endpoints.single}/${id}`)).json();
  return { id, name: image };
}

const uploadsOf = ({ dataDir }: Pick<Signed, 'dataDir'>) => join(dataDir, 'uploads');
const sizesOf = (server: Pick<Signed, 'dataDir'>) => join(uploadsOf(server), '.sizes');

/** Every size of a picture decoded from the disk: its width and format. */
async function sizesOnDisk(server: Pick<Signed, 'dataDir'>, name: string) {
  const paths = sizePaths({ folder: uploadsOf(server) }, name);
  return Promise.all(
    paths.map(async (path) => {
      const { width, height } = (await sharp(path).raw().toBuffer({ resolveWithObject: true })).info;
      return { width, height, bytes: (await readFile(path)).length };
    }),
  );
}

/** A server whose disk counts the files created in the folders of the sizes. */
async function counted() {
  const begun: string[] = [];
  const create: Overrides['disk'] = {
    ...realDisk,
    create: (path) => (path.includes('.sizes') && begun.push(path), realDisk.create(path)),
  };
  return { ...(await signedIn({}, { disk: create })), begun };
}

test('makes every size of a picture in advance, so that the first view waits for none', async () => {
  const { admin, app, begun, dataDir } = await counted();
  const { name } = await store(admin, await picture('jpeg', '#446688', 1600));
  await app.services.sizes.done();
  expect(app.services.sizes.waiting()).toBe(0);
  expect((await sizesOnDisk({ dataDir }, name)).map((size) => size.width)).toEqual([100, 100, 300, 300, 1200, 1200]);
  expect(begun).toHaveLength(SIZES.length);
  for (const { width, format } of SIZES) {
    const served = await admin.get(`/uploads/${name}?width=${width}`, { accept: `image/${format}` });
    expect(served.headers['content-type']).toBe(`image/${format}`);
  }
  expect(begun).toHaveLength(SIZES.length);
});

test('makes no more sizes once the server shuts down, and leaves the rest to the next start', async () => {
  const { app, dataDir } = await signedIn();
  const bytes = await picture('jpeg', '#446688', 1600);
  const names = Array.from({ length: 20 }, (_, index) => `${index}.jpg`);
  for (const name of names) await writeFile(join(uploadsOf({ dataDir }), name), bytes);
  app.services.sizes.add(names);
  await app.close();
  expect(app.services.sizes.waiting()).toBe(0);
  expect(await readdir(join(uploadsOf({ dataDir }), '.sizes', '100'))).toHaveLength(2);
});

test('makes at the next start the sizes that a killed server left', async () => {
  const first = await signedIn();
  const names = [
    (await store(first.admin, await picture('png'))).name,
    (await store(first.admin, await picture())).name,
  ];
  await first.app.services.sizes.done();
  await first.app.close();
  await rm(join(sizesOf(first), '100', `${names[1]}.webp`));
  await rm(join(sizesOf(first), '300'), { recursive: true });
  const second = await startServer({ DATA_DIR: first.dataDir });
  await second.app.services.sizes.done();
  for (const name of names) expect(await sizesOnDisk(first, name)).toHaveLength(SIZES.length);
});

test('checks stored pictures at start, newest first, and skips documents', async () => {
  const { db } = (await startServer()).app.services;
  const file = (name: string, type: string, day: string) => {
    const content = { size: 1, sha256: 'a', received_size: 1, received_sha256: 'a', original_name: name };
    return { name, type, ...content, created_at: `2026-11-${day}T12:00:00.000Z` };
  };
  const old = file('a.jpg', 'image/jpeg', '01');
  const document = file('b.pdf', 'application/pdf', '02');
  const fresh = file('c.png', 'image/png', '03');
  await db.insertInto('files').values([old, fresh, document]).execute();
  expect(await storedPictures(db)).toEqual(['c.png', 'a.jpg']);
});

test('makes a missing size on first view, once for all requests', async () => {
  const server = await counted();
  const { name } = await store(server.admin, await picture('jpeg', '#446688', 800));
  await server.app.services.sizes.done();
  await rm(sizesOf(server), { recursive: true });
  server.begun.length = 0;
  const ask = () => server.admin.get(`/uploads/${name}?width=300`, { accept: 'image/avif' });
  const answers = await Promise.all(Array.from({ length: 10 }, ask));
  for (const answer of answers) expect((await sharp(answer.rawPayload).metadata()).width).toBe(300);
  expect(server.begun).toHaveLength(1);
});

test('leaves nothing of a picture that was removed meanwhile', async () => {
  const server = await signedIn();
  for (let n = 0; n < 5; n += 1) {
    const { id } = await store(server.admin, await picture('jpeg', '#446688', 400));
    await server.admin.post(`${certifications.endpoints.delete}/${id}`, undefined);
  }
  await server.app.services.sizes.done();
  const folders = existsSync(sizesOf(server)) ? await readdir(sizesOf(server)) : [];
  for (const folder of folders) expect(await readdir(join(sizesOf(server), folder))).toEqual([]);
});

test('reports a picture that cannot be made smaller, and continues with the next', async () => {
  let log = '';
  const logStream = { write: (line: string) => (log += line) };
  const server = await signedIn({ LOG_LEVEL: 'warn' }, { logStream });
  const [bad, good] = [await store(server.admin, await picture()), await store(server.admin, await picture())];
  await server.app.services.sizes.done();
  await rm(sizesOf(server), { recursive: true });
  await writeFile(join(uploadsOf(server), bad.name), 'no picture');
  server.app.services.sizes.add([bad.name, good.name]);
  await server.app.services.sizes.done();
  expect(log).toContain(bad.name);
  expect(await sizesOnDisk(server, good.name)).toHaveLength(SIZES.length);
});

/** Random pixels, which no encoder makes small. */
const noise = (width: number, height: number, channels: 3 | 4 = 3) =>
  sharp(randomBytes(width * height * channels), { raw: { width, height, channels } });

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
