import { randomBytes } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keepFiles, removeFiles } from '../../server/stores/remote/received-files.ts';
import { realDisk } from '../../server/uploads/disk.ts';
import { filesOnDisk } from '../../server/uploads/file-store.ts';
import type { Storage } from '../../server/uploads/storage.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { freshFolder } from './harness.ts';

/** What a gateway keeps of a change's files until they have reached its back end. */

async function received() {
  const folder = await freshFolder();
  const limits = { maxFileBytes: 2048, maxRequestBytes: 100_000, maxFiles: 20 };
  const storage: Storage = {
    folder,
    disk: realDisk,
    files: filesOnDisk(folder, realDisk),
    limits,
    randomBytes,
    now: () => 0,
  };
  const fileOf = async (field: string, more: object = {}) => {
    const path = join(await freshFolder(), 'incoming');
    await writeFile(path, field);
    const type = 'image/png' as const;
    return { field, path, originalName: `${field}.png`, size: field.length, sha256: field, type, ...more };
  };
  const keep = (files: Awaited<ReturnType<typeof fileOf>>[]) =>
    keepFiles(storage, { target: { op: 'create', resource: generators }, form: { texts: new Map(), files } });
  return { storage, folder, fileOf, keep };
}

test('keeps each file under a new name, in order of arrival, until it has arrived', async () => {
  const { storage, folder, fileOf, keep } = await received();
  const kept = await keep([await fileOf('catalog'), await fileOf('images')]);
  expect(kept.map(({ field, sha256, size }) => [field, sha256, size])).toEqual([
    ['catalog', 'catalog', 7],
    ['images', 'images', 6],
  ]);
  const [one, other] = kept.map(({ name }) => name) as [string, string];
  expect([one === other, one.length]).toEqual([false, 40]);
  expect(await readFile(join(folder, one), 'utf8')).toBe('catalog');
  expect(await readFile(join(folder, other), 'utf8')).toBe('images');
  await removeFiles(storage, kept.slice(0, 1));
  expect(await readdir(folder)).toEqual([other]);
});

test('sends a file without a name or known type as a browser would', async () => {
  const { fileOf, keep } = await received();
  const kept = await keep([
    await fileOf('catalog', { originalName: '', type: undefined }),
    await fileOf('images', { originalName: 'a.png' }),
  ]);
  expect(kept.map(({ originalName, type }) => [originalName, type])).toEqual([
    ['blob', 'application/octet-stream'],
    ['a.png', 'image/png'],
  ]);
});

test('reports a file over the size limit by its field, and keeps none', async () => {
  const { folder, fileOf, keep } = await received();
  await keep([await fileOf('catalog', { size: 2048 })]);
  const before = await readdir(folder);
  const files = [await fileOf('images'), await fileOf('images', { size: 2049 })];
  await expect(keep(files)).rejects.toMatchObject({
    status: 422,
    body: { errors: { 'images.1': ['Too large: 2.1 kB. The limit is 2 kB.'] } },
  });
  expect(await readdir(folder)).toEqual(before);
});
