import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqliteEngine } from '../../server/stores/sqlite/store.ts';
import { openBucket } from '../../server/uploads/bucket.ts';
import { MARKER } from '../../server/uploads/marker.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import type { ObjectStorage } from '../harness/object-storage.ts';
import { create } from './feed-client.ts';
import { freshFolder, signedIn } from './harness.ts';
import { withObjectStorage } from './with-object-storage.ts';

const DAY = 24 * 60 * 60 * 1000;
const MONTH = 31 * DAY;

let storage: ObjectStorage;

withObjectStorage((started) => (storage = started));

/** A signed-in server with its files in the bucket, and the identity of its database. */
async function onBucket(dataDir: string, { folder = 'site', identity = 'a/1', later = 0 } = {}) {
  const openEngine = async () => ({
    ...(await openSqliteEngine(dataDir)),
    filesOf: await openBucket(storage.address(folder)),
    identity: async () => identity,
  });
  return signedIn({ DATA_DIR: dataDir }, { openEngine, now: () => Date.now() + later });
}

const newFolder = async () => join(await freshFolder(), 'data');
const photos = () => [...storage.objects.keys()].filter((key) => !key.includes('/.')).toSorted();

async function withPhoto(dataDir: string, mark: string, options = {}) {
  const { admin, app } = await onBucket(dataDir, options);
  await create(admin, partners, mark);
  await app.services.sizes.done();
  await app.close();
}

/** Makes every stored file older than a change in flight can be. */
function age(): void {
  for (const object of storage.objects.values()) object.at = new Date(Date.now() - 2 * DAY);
}

test('refuses a copy of the database that has the bucket of the original, and removes nothing', async () => {
  const [original, copy] = [await newFolder(), await newFolder()];
  await withPhoto(original, 'one');
  await cp(join(original, 'voltdesk.sqlite'), join(await made(copy), 'voltdesk.sqlite'));
  const words = /folder site\/ of the bucket uploads has the files of another copy of this database.*UPLOADS_URL/;
  await expect(onBucket(copy, { identity: 'a/2' })).rejects.toThrow(words);
  await withPhoto(original, 'two');
  age();
  await expect(onBucket(copy)).rejects.toThrow(/has files of a later state/);
  expect(photos()).toHaveLength(2);
  await onBucket(original);
});

test('refuses a folder of the bucket without its files, and the files of a lost database', async () => {
  const [one, other] = [await newFolder(), await newFolder()];
  await withPhoto(one, 'one');
  await expect(onBucket(one, { folder: 'site/mistyped' })).rejects.toThrow(
    'The folder site/mistyped/ of the bucket uploads has none of the files that the database names.',
  );
  await expect(onBucket(other)).rejects.toThrow('has files, but their database is missing or empty.');
  storage.objects.delete(`site/${MARKER}`);
  age();
  await expect(onBucket(await newFolder())).rejects.toThrow('has files, but their database is missing or empty.');
  expect(photos()).toHaveLength(1);
});

test('keeps a file in the bucket that no record names for 30 days', async () => {
  const dataDir = await newFolder();
  await withPhoto(dataDir, 'one');
  const [key = ''] = photos();
  const stray = storage.objects.get(key);
  if (stray !== undefined) storage.objects.set(`site/${'f'.repeat(40)}.png`, { ...stray });
  age();
  for (const [later, left] of [
    [0, 2],
    [29 * DAY, 2],
    [MONTH, 1],
  ] as const) {
    await (await onBucket(dataDir, { later })).app.close();
    expect(photos()).toHaveLength(left);
  }
});

/** Creates a folder with an empty folder of files. */
async function made(dataDir: string): Promise<string> {
  await mkdir(join(dataDir, 'uploads'), { recursive: true });
  await writeFile(join(dataDir, 'reserve'), '');
  return dataDir;
}
