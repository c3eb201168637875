import { randomBytes } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { StagingFolder } from '../../server/staging/staging-folder.ts';
import { Staging } from '../../server/staging/staging.ts';
import type { Upload, UploadedFile } from '../../server/staging/upload-store.ts';
import { type Disk, realDisk } from '../../server/uploads/disk.ts';
import { freshFolder } from './harness.ts';
import { sha256 } from './samples.ts';

const DAY = 24 * 60 * 60_000;
const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1A\n', 'latin1'), randomBytes(992)]);
const HASH = sha256(new Uint8Array(PNG));
const LIMITS = { maxFileBytes: 5000, maxStagedBytes: 2500 };
const JUST = { userId: 1, sha256: HASH, length: 1000 } as const;

/** Staging in its own folder, with flushes visible to the test and a clock that it moves. */
async function world(limits: { maxFileBytes: number; maxStagedBytes: number } = LIMITS) {
  const folder = await freshFolder();
  const flushed: string[] = [];
  const clock = { at: Date.parse('2026-11-20T12:00:00Z') };
  const state = { fails: false };
  const disk: Disk = {
    ...realDisk,
    flush: async (path) => void flushed.push(path.slice(-4)),
    append: async (path) => {
      const file = await realDisk.append(path);
      return {
        ...file,
        flush: async () => {
          if (state.fails) throw Object.assign(new Error('tired'), { code: 'EIO' });
          flushed.push('piece');
          return file.flush();
        },
      };
    },
  };
  const uploads = new StagingFolder({ folder, disk, now: () => clock.at });
  const staging = new Staging({ uploads, ...limits });
  const append = (bytes: Uint8Array, offset = 0, mayOverlap = false) =>
    staging
      .append(1, HASH, { offset, mayOverlap, content: Readable.from([bytes]) })
      .catch((error: { status: number }) => error.status);
  const stateOf = async () => (await uploads.find(1, HASH))?.state;
  const pathIn = (upload: Upload['state']) => uploads.pathOf({ ...JUST, state: upload });
  return { folder, flushed, clock, state, uploads, staging, append, stateOf, pathIn };
}

test('flushes what it acknowledges, of a piece and of what an earlier server left', async () => {
  const { flushed, staging, append, pathIn } = await world();
  await staging.begin(1, HASH, 1000);
  expect(flushed.splice(0)).toEqual([]);
  expect(await append(PNG.subarray(0, 300))).toEqual({ offset: 300, length: 1000 });
  expect(flushed.splice(0)).toEqual(['piece']);
  await writeFile(pathIn('part'), PNG.subarray(300, 400), { flag: 'a' });
  expect(await staging.progress(1, HASH)).toEqual({ offset: 400, length: 1000 });
  expect(flushed.splice(0)).toEqual(['part']);
  expect(await staging.begin(1, HASH, 1000)).toEqual({ offset: 400, length: 1000 });
  expect(flushed).toEqual(['part']);
});

test('checks a complete file left by a server before it counts as whole', async () => {
  const { staging, stateOf, pathIn } = await world();
  await staging.begin(1, HASH, 1000);
  await writeFile(pathIn('part'), PNG);
  expect(await staging.take(1, HASH, 'unused')).toBeUndefined();
  expect(await staging.progress(1, HASH)).toEqual({ offset: 1000, length: 1000 });
  expect(await stateOf()).toBe('whole');
  await staging.drop(1, HASH);
  await staging.begin(1, HASH, 1000);
  await writeFile(pathIn('part'), randomBytes(1000));
  expect(await staging.progress(1, HASH)).toBeUndefined();
  expect(await stateOf()).toBeUndefined();
});

test('restarts a file with another length while it arrives, but never once it is whole', async () => {
  const { staging, append, stateOf } = await world();
  await staging.begin(1, HASH, 900);
  await append(PNG.subarray(0, 300));
  expect(await staging.begin(1, HASH, 1000)).toEqual({ offset: 0, length: 1000 });
  expect(await staging.progress(1, HASH)).toEqual({ offset: 0, length: 1000 });
  expect(await append(PNG)).toEqual({ offset: 1000, length: 1000 });
  await expect(staging.begin(1, HASH, 999)).rejects.toMatchObject({ status: 460 });
  expect(await staging.begin(1, HASH, 1000)).toEqual({ offset: 1000, length: 1000 });
  expect(await stateOf()).toBe('whole');
  await staging.noteUse(1, [HASH]);
  await expect(staging.begin(1, HASH, 999)).rejects.toMatchObject({ status: 460 });
  expect(await stateOf()).toBe('used');
  expect(() => staging.begin(1, HASH, 5001)).toThrow('Too large: 4.9 kB. The limit is 4 kB.');
});

test('appends a piece at the end of the file, or slightly before it on request, and never beyond its length', async () => {
  const { staging, append, pathIn } = await world();
  await expect(append(PNG)).resolves.toBe(404);
  await staging.begin(1, HASH, 1000);
  await append(PNG.subarray(0, 300));
  expect(await append(PNG.subarray(200, 400), 200)).toBe(409);
  expect(await append(PNG.subarray(301), 301, true)).toBe(409);
  expect(await append(PNG.subarray(200, 250), 200, true)).toEqual({ offset: 300, length: 1000 });
  expect(await append(PNG.subarray(200, 400), 200, true)).toEqual({ offset: 400, length: 1000 });
  expect(await append(Buffer.concat([PNG.subarray(400), Buffer.of(0)]), 400)).toBe(413);
  expect(await append(PNG.subarray(400), 400)).toEqual({ offset: 1000, length: 1000 });
  expect(await readFile(pathIn('whole'))).toEqual(PNG);
  expect(await append(Buffer.of(1), 1000)).toEqual({ offset: 1000, length: 1000 });
});

test('lets a piece overlap the file by at most a quarter of a megabyte', async () => {
  const most = 256 * 1024;
  const bytes = Buffer.concat([PNG, randomBytes(most)]);
  const hash = sha256(new Uint8Array(bytes));
  const { staging } = await world({ maxFileBytes: bytes.length, maxStagedBytes: bytes.length });
  await staging.begin(1, hash, bytes.length);
  const append = (from: number, to: number) =>
    staging.append(1, hash, { offset: from, mayOverlap: true, content: Readable.from([bytes.subarray(from, to)]) });
  await append(0, most + 1);
  await expect(append(0, most + 2)).rejects.toMatchObject({ status: 409 });
  expect(await append(1, most + 2)).toMatchObject({ offset: most + 2 });
  expect(await append(most + 2, bytes.length)).toEqual({ offset: bytes.length, length: bytes.length });
});

test('refuses a file of an unaccepted type at its first bytes, and leaves nothing', async () => {
  const { staging, append, stateOf } = await world();
  await staging.begin(1, HASH, 1000);
  expect(await append(randomBytes(15))).toEqual({ offset: 15, length: 1000 });
  await staging.drop(1, HASH);
  await staging.begin(1, HASH, 1000);
  expect(await append(Buffer.alloc(16, 'no picture'))).toBe(415);
  expect(await stateOf()).toBeUndefined();
  expect(await staging.drop(1, HASH)).toBe(false);
});

test('refuses a file altered in transit once it is complete, and leaves nothing', async () => {
  const { staging, append, stateOf } = await world();
  await staging.begin(1, HASH, 1000);
  expect(await append(Buffer.concat([PNG.subarray(0, 999), Buffer.of((PNG[999] ?? 0) ^ 1)]))).toBe(460);
  expect(await stateOf()).toBeUndefined();
});

test('keeps a file used by a change for another one, until its space is needed', async () => {
  const { folder, clock, staging, append, stateOf } = await world();
  await staging.begin(1, HASH, 1000);
  await append(PNG);
  const path = join(folder, 'taken');
  expect(await staging.take(1, HASH, path)).toBe(1000);
  expect(await readFile(path)).toEqual(PNG);
  const [other, third] = ['b', 'c'].map((letter) => letter.repeat(64)) as [string, string];
  await staging.begin(1, other, 1500);
  await expect(staging.begin(1, third, 1)).rejects.toMatchObject({ status: 507 });
  await staging.noteUse(1, [HASH, HASH, other, third]);
  expect(await stateOf()).toBe('used');
  expect(await staging.take(1, HASH, join(folder, 'again'))).toBe(1000);
  expect(await staging.begin(1, third, 1)).toEqual({ offset: 0, length: 1 });
  expect(await stateOf()).toBeUndefined();
  expect(await staging.progress(1, other)).toEqual({ offset: 0, length: 1500 });
  clock.at += DAY;
  await expect(staging.begin(1, HASH, 2499)).rejects.toMatchObject({ status: 507 });
  clock.at += 1;
  await staging.begin(1, HASH, 2499);
  expect([await staging.progress(1, other), await staging.progress(1, third)]).toEqual([
    undefined,
    { offset: 0, length: 1 },
  ]);
});

test('keeps what was touched within thirty days, and removes it with the next upload after that', async () => {
  const { clock, staging, append, stateOf } = await world();
  await staging.begin(1, HASH, 1000);
  clock.at += 20 * DAY;
  await append(PNG);
  clock.at += 20 * DAY;
  await staging.noteUse(1, [HASH]);
  clock.at += 30 * DAY;
  await staging.sweep();
  expect(await stateOf()).toBe('used');
  clock.at += 1;
  await staging.begin(2, 'b'.repeat(64), 1);
  expect(await stateOf()).toBeUndefined();
});

test('completes a file’s own upload with the attached file, and keeps it for the change that it waits for', async () => {
  const { folder, clock, staging, append, stateOf, uploads, pathIn } = await world();
  const path = join(folder, 'came-along');
  await writeFile(path, PNG);
  const lost: unknown[] = [];
  const adopt = () => staging.adopt(1, [{ sha256: HASH, size: 1000, path }], (error) => lost.push(error));
  await adopt();
  expect(await stateOf()).toBe('used');
  await staging.drop(1, HASH);
  await staging.begin(1, HASH, 1000);
  await append(PNG.subarray(0, 300));
  clock.at += DAY;
  await adopt();
  expect(await stateOf()).toBe('whole');
  expect(await readFile(pathIn('whole'))).toEqual(PNG);
  clock.at += DAY;
  await adopt();
  expect((await stat(uploads.pathOf({ ...JUST, state: 'whole' }))).mtimeMs).toBe(clock.at);
  await staging.drop(1, HASH);
  await staging.begin(1, HASH, 900);
  await adopt();
  expect(await staging.progress(1, HASH)).toEqual({ offset: 0, length: 900 });
  expect(lost).toEqual([]);
});

test('does not acknowledge a piece that cannot be flushed, and continues the file', async () => {
  const { state, staging, append } = await world();
  await staging.begin(1, HASH, 1000);
  state.fails = true;
  await expect(
    staging.append(1, HASH, { offset: 0, content: Readable.from([PNG.subarray(0, 300)]) }),
  ).rejects.toMatchObject({ code: 'EIO' });
  state.fails = false;
  expect(await staging.progress(1, HASH)).toEqual({ offset: 300, length: 1000 });
  expect(await append(PNG.subarray(300), 300)).toEqual({ offset: 1000, length: 1000 });
});

test('stores attached files together if they fit beside waiting ones, and otherwise one by one', async () => {
  const { folder, clock, uploads, staging } = await world();
  const taken: string[][] = [];
  Object.assign(uploads, {
    takeFiles: async (files: readonly UploadedFile[], makeRoom: () => Promise<void>) => {
      taken.push(files.map(({ sha256: hash }) => hash));
      for (const file of files) await uploads.begin(file);
      await makeRoom().catch(async (error: unknown) => {
        for (const file of files) await uploads.remove(file);
        throw error;
      });
      for (const file of files) await uploads.become(await uploads.become(file, 'whole'), 'used');
    },
  });
  const file = async (size: number) => {
    const bytes = Buffer.concat([PNG.subarray(0, 16), randomBytes(size - 16)]);
    const path = join(folder, `came-${size}`);
    await writeFile(path, bytes);
    return { sha256: sha256(new Uint8Array(bytes)), size, path };
  };
  const lost: { status: number }[] = [];
  const adopt = async (...files: Awaited<ReturnType<typeof file>>[]) =>
    staging.adopt(1, files, (error) => lost.push(error as { status: number }));
  const states = async () => (await uploads.of(1)).map(({ length, state }) => `${length} ${state}`).toSorted();
  await staging.begin(1, HASH, 1000);
  clock.at += 2 * DAY;
  const [small, middle, large] = [await file(100), await file(1300), await file(1600)];
  await adopt(small, middle, small);
  expect(await states()).toEqual(['100 used', '1000 part', '1300 used']);
  await adopt(large);
  expect([lost, await states()]).toEqual([
    [expect.objectContaining({ status: 507 })],
    expect.arrayContaining(['1000 part']),
  ]);
  await adopt(large, small);
  expect([lost.length, await states()]).toEqual([2, ['100 used', '1000 part']]);
  clock.at += DAY;
  // it came again: its idle time starts now
  await adopt(small);
  expect(taken.map((hashes) => hashes.length)).toEqual([2, 1, 2]);
  expect((await uploads.of(1)).find(({ length }) => length === 100)?.restsFor).toBe(0);
});

test('removes what no one touched for thirty days before attached files are taken together', async () => {
  const { folder, clock, uploads, staging } = await world();
  const present: number[] = [];
  Object.assign(uploads, { takeFiles: async () => void present.push((await uploads.of(1)).length) });
  await staging.begin(1, HASH, 1000);
  clock.at += 31 * DAY;
  const came = { sha256: 'a'.repeat(64), size: 100, path: join(folder, 'came') };
  await staging.adopt(1, [came], () => undefined);
  expect(present).toEqual([0]);
});

test('reports a file that the disk cannot read as a disk error, and keeps it until it can', async () => {
  const { staging, uploads, stateOf, pathIn } = await world();
  await staging.begin(1, HASH, 1000);
  await writeFile(pathIn('part'), PNG);
  const { isRight } = uploads;
  Object.assign(uploads, { isRight: () => Promise.reject(Object.assign(new Error('tired'), { code: 'EIO' })) });
  await expect(staging.progress(1, HASH)).rejects.toMatchObject({ code: 'EIO' });
  expect(await stateOf()).toBe('part');
  Object.assign(uploads, { isRight });
  expect(await staging.progress(1, HASH)).toEqual({ offset: 1000, length: 1000 });
});
