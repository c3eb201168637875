import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { realDisk } from '../../server/uploads/disk.ts';
import { filesOnDisk } from '../../server/uploads/file-store.ts';
import { SIZES } from '../../server/uploads/picture-sizes.ts';
import { sizeMaker } from '../../server/uploads/size-maker.ts';
import {
  makeMissingSizes,
  originalOf,
  removeSizes,
  sizeNames,
  sizePath,
  sweepSizes,
  withoutSizes,
} from '../../server/uploads/sizes.ts';
import { incomingPath, place, prepareFolders, type Storage, UnreadablePicture } from '../../server/uploads/storage.ts';
import { freshFolder } from './harness.ts';
import { picture, sha256 } from './samples.ts';

const NOON = Date.parse('2026-11-20T12:00:00Z');
const SMALL = { width: 100, format: 'webp' } as const;

/** An uploads folder whose store and disk record their calls. */
async function world() {
  const folder = await freshFolder();
  const log: string[] = [];
  const note =
    (verb: string) =>
    async (names: string | readonly string[]): Promise<void> =>
      void log.push(...[names].flat().map((name) => `${verb} ${name}`));
  const files = {
    ...filesOnDisk(folder, realDisk),
    share: note('share'),
    remove: note('remove'),
    fetch: note('fetch'),
  };
  const flush = async (path: string) => void log.push(`flush ${dirname(path) === folder ? 'stored' : 'incoming'}`);
  const limits = { maxFileBytes: 1, maxRequestBytes: 1, maxFiles: 1 };
  const storage: Storage = { folder, files, disk: { ...realDisk, flush }, limits, randomBytes, now: () => NOON };
  await prepareFolders(storage);
  const put = async (name: string, side = 20) => {
    await writeFile(join(folder, name), await picture('png', '#446688', side));
    return name;
  };
  return { folder, log, storage, put };
}

const WANTED = { by: 'somebody' };

test('makes the missing sizes of a picture, shares them with other servers, and finds them again', async () => {
  const { log, storage, put } = await world();
  const [one, other] = [await put('a.png'), await put('b.png')];
  expect(await withoutSizes(storage, [one, other])).toEqual([one, other]);
  await makeMissingSizes(storage, one);
  expect(log).toEqual([`fetch ${one}`, ...sizeNames(one).map((name) => `share ${name}`)]);
  expect(await withoutSizes(storage, [one, other])).toEqual([other]);
  log.length = 0;
  await makeMissingSizes(storage, one);
  expect(log).toEqual([]);
  for (const name of [sizeNames(one)[0] ?? '', sizeNames(one).at(-1) ?? '']) {
    await realDisk.remove(join(storage.folder, name));
    expect(await withoutSizes(storage, [one])).toEqual([one]);
    await makeMissingSizes(storage, one);
    expect(log.splice(0)).toEqual([`fetch ${one}`, `share ${name}`]);
  }
});

test('makes a size on first request, and again after a failure or loss', async () => {
  const { folder, storage, put } = await world();
  await expect(sizePath(storage, 'a.png', SMALL, WANTED)).rejects.toThrow('missing');
  await put('a.png', 200);
  const [path, same] = await Promise.all([
    sizePath(storage, 'a.png', SMALL, WANTED),
    sizePath(storage, 'a.png', SMALL, WANTED),
  ]);
  expect([path, same]).toEqual([join(folder, '.sizes/100/a.png.webp'), path]);
  expect((await sharp(await readFile(path)).metadata()).width).toBe(100);
  await rename(join(folder, 'a.png'), join(folder, 'away.png'));
  expect(await sizePath(storage, 'a.png', SMALL, WANTED)).toBe(path);
  await realDisk.remove(path);
  await rename(join(folder, 'away.png'), join(folder, 'a.png'));
  await sizePath(storage, 'a.png', SMALL, WANTED);
  expect(await readdir(dirname(path))).toEqual([basename(path)]);
});

test('makes a size for the second who asks when the first has hung up', async () => {
  const { storage, put } = await world();
  await put('a.png', 200);
  const hangUp = new AbortController();
  const first = sizePath(storage, 'a.png', SMALL, { by: 'the first', signal: hangUp.signal });
  const second = sizePath(storage, 'a.png', SMALL, { by: 'the second' });
  hangUp.abort(new Error('gone'));
  await expect(first).rejects.toThrow('gone');
  expect(await readFile(await second)).not.toHaveLength(0);
});

test('removes sizes with their picture on every server, and orphaned ones in a sweep', async () => {
  const { folder, log, storage, put } = await world();
  for (const name of ['a.png', 'b.png', 'c.png']) await makeMissingSizes(storage, await put(name));
  log.length = 0;
  await removeSizes(storage, 'a.png');
  expect(log).toEqual(sizeNames('a.png').map((name) => `remove ${name}`));
  await writeFile(join(folder, '.sizes/100/c.png.webp.0011223344556677.part'), 'half');
  await sweepSizes(storage, new Set(['c.png']));
  const left = await readdir(join(folder, '.sizes'), { recursive: true, withFileTypes: true });
  expect(
    left
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(SIZES.map(({ format }) => `c.png.${format}`).toSorted());
});

test('derives the picture from the name of a file in the folder', () => {
  expect(['a.png', '.sizes/100/a.png.webp', '.sizes/1200/a.png.avif', 'a.webp'].map(originalOf)).toEqual([
    'a.png',
    'a.png',
    'a.png',
    'a.webp',
  ]);
});

test('queues only pictures with missing sizes after a start', async () => {
  const { storage, put } = await world();
  const [made, lacking] = [await put('a.png'), await put('b.png')];
  await makeMissingSizes(storage, made);
  const failed: string[] = [];
  const maker = sizeMaker(storage, (name) => failed.push(name));
  const adding = maker.addMissing([made, lacking]);
  await adding;
  expect(maker.waiting()).toBe(1);
  await maker.done();
  expect([maker.waiting(), failed, await withoutSizes(storage, [made, lacking])]).toEqual([0, [], []]);
  await writeFile(join(storage.folder, 'damaged.png'), 'no picture');
  maker.add(['damaged.png']);
  await maker.done();
  expect(failed).toEqual(['damaged.png']);
});

test('keeps a document unchanged, flushed before it is named, and records a picture as received and as kept', async () => {
  const { folder, log, storage } = await world();
  const receive = async (bytes: Uint8Array, originalName: string) => {
    const path = incomingPath(storage);
    await writeFile(path, bytes);
    return { field: 'f', path, originalName, size: bytes.length, sha256: sha256(bytes as never), type: undefined };
  };
  const pdf = Buffer.from('%PDF- as it is');
  const document = await place(storage, await receive(pdf, 'a.pdf'), 'application/pdf', WANTED);
  expect(log).toEqual(['flush incoming']);
  expect(document).toMatchObject({
    name: expect.stringMatching(/^[0-9a-f]{40}\.pdf$/),
    type: 'application/pdf',
    size: pdf.length,
    sha256: sha256(pdf as never),
    received_size: pdf.length,
    received_sha256: sha256(pdf as never),
    original_name: 'a.pdf',
    created_at: '2026-11-20T12:00:00.000Z',
  });
  expect(await readFile(join(folder, document.name))).toEqual(pdf);
  const photo = Buffer.concat([await picture('jpeg'), Buffer.from('something behind it')]);
  const received = await receive(photo, 'b.jpg');
  const stored = await place(storage, received, 'image/jpeg', WANTED);
  const kept = await readFile(join(folder, stored.name));
  expect(kept.includes('something behind it')).toBe(false);
  expect([stored.received_size, stored.received_sha256]).toEqual([photo.length, sha256(photo as never)]);
  expect([stored.size, stored.sha256]).toEqual([kept.length, sha256(kept as never)]);
  expect([existsSync(received.path), stored.name.endsWith('.jpg')]).toEqual([true, true]);
  const broken = await receive(Buffer.from('no picture'), 'c.png');
  const placing = place(storage, broken, 'image/png', WANTED).catch((error: unknown) => error);
  const error = (await placing) as UnreadablePicture;
  expect([error instanceof UnreadablePicture, error.file, error.message]).toEqual([
    true,
    broken,
    'The picture "c.png" could not be decoded.',
  ]);
  expect((await readdir(folder)).toSorted()).toEqual(['.incoming', document.name, stored.name].toSorted());
});
