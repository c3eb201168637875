import { readdir, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { Overrides } from '../../server/app.ts';
import { storedPictures } from '../../server/stores/sql/record-files.ts';
import { realDisk } from '../../server/uploads/disk.ts';
import { SIZES } from '../../server/uploads/picture-sizes.ts';
import { certifications } from '../../src/domain/resources/certifications.ts';
import { signedIn, startServer } from './harness.ts';
import { picture } from './samples.ts';
import { sizesOf, sizesOnDisk, store, uploadsOf } from './stored-pictures.ts';

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
  const server = await signedIn({ TRASH_DAYS: '0' });
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
