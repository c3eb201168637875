import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { backUpTo } from '../../server/commands/backup.ts';
import { measured } from '../../server/ops/measured.ts';
import { isSealed } from '../../server/ops/sealed-file.ts';
import { openBackupBucket } from '../../server/uploads/backup-bucket.ts';
import type { ObjectStorage } from '../harness/object-storage.ts';
import { freshFolder, signedIn } from './harness.ts';
import { openBelow } from './open-below.ts';
import { withObjectStorage } from './with-object-storage.ts';

const KEY = 'a key of twenty letters and more';
const NOW = Date.parse('2026-11-28T12:00:00Z');
const NAME = 'voltdesk-2026-11-28T12-00-00-000Z.voltdesk';
const SENDING = { part: 1000, pause: 1 };

let storage: ObjectStorage;

withObjectStorage((started) => (storage = started));

/** A file of some bytes, and its hash. */
async function fileOf(size: number) {
  const path = join(await freshFolder(), 'file');
  await writeFile(path, Buffer.alloc(size, 'some bytes '));
  return { path, sha256: (await measured(path)).hash.toString('hex') };
}

test.each([1, 1000, 1001, 3500])('stores %i bytes in parts of a thousand, and reads them back', async (size) => {
  const bucket = await openBackupBucket(storage.address(), SENDING);
  const { path, sha256 } = await fileOf(size);
  await bucket.store(path, NAME, sha256);
  expect([...storage.objects.keys()]).toEqual([`site/${NAME}`]);
  expect(await buffer((await bucket.read(NAME)) ?? Readable.from([]))).toEqual(await readFile(path));
  expect(await bucket.list()).toEqual([{ name: NAME, size }]);
});

test('sends a part again that was refused, and gives up with nothing left when it always is', async () => {
  const bucket = await openBackupBucket(storage.address(), SENDING);
  const { path, sha256 } = await fileOf(2500);
  storage.failingParts = 2;
  await bucket.store(path, NAME, sha256);
  expect([...storage.objects.keys()]).toEqual([`site/${NAME}`]);
  await bucket.remove(NAME);
  storage.failingParts = Infinity;
  await expect(bucket.store(path, NAME, sha256)).rejects.toMatchObject({ code: 'FILES_AWAY' });
  expect([storage.objects.size, storage.parts.size]).toEqual([0, 0]);
  await expect.poll(() => openBelow(dirname(path)), { interval: 5 }).toEqual([]);
});

test.each(['cut', 'damage'] as const)('keeps no backup that does not come back as it was sent (%s)', async (fault) => {
  const bucket = await openBackupBucket(storage.address(), SENDING);
  const { path, sha256 } = await fileOf(2500);
  storage.fault = fault;
  await expect(bucket.store(path, NAME, sha256)).rejects.toThrow(
    fault === 'cut' ? 'The storage of files cannot be used.' : `Other bytes came back of ${NAME} than were sent.`,
  );
  expect(storage.objects.size).toBe(0);
});

test('reads and lists only what it has written itself', async () => {
  const bucket = await openBackupBucket(storage.address(), SENDING);
  for (const key of ['site/voltdesk-copy.voltdesk', 'site/else', 'other/secret', `site/${NAME}`])
    storage.objects.set(key, { bytes: Buffer.from('x'), metadata: {}, at: new Date() });
  expect((await bucket.list()).map(({ name }) => name)).toEqual([NAME]);
  for (const name of ['../other/secret', 'else', '']) expect(await bucket.read(name)).toBeUndefined();
});

test('explains a bucket of BACKUP_URL that cannot be used', async () => {
  await expect(openBackupBucket(storage.address('site', 'none'))).rejects.toThrow(
    'The bucket none of BACKUP_URL cannot be used: there is no bucket of this name.',
  );
});

test('keeps the newest backups in a bucket alone, encrypted, and nothing on the disk', async () => {
  const { app, dataDir } = await signedIn();
  const bucket = storage.address();
  for (const later of [0, 1000]) await backUpTo(dataDir, { folder: '', bucket, keep: 1, key: KEY, now: NOW + later });
  expect([...storage.objects.keys()]).toEqual(['site/voltdesk-2026-11-28T12-00-01-000Z.voltdesk']);
  const [stored] = storage.objects.values();
  const copy = join(await freshFolder(), 'copy');
  await writeFile(copy, stored?.bytes ?? '');
  const newest = await app.services.backups.last();
  expect([await isSealed(copy), newest?.verified?.size]).toEqual([true, stored?.bytes.length]);
  expect(newest).toMatchObject({ file: 's3://uploads/site/voltdesk-2026-11-28T12-00-01-000Z.voltdesk' });
  expect((await readdir(dataDir)).filter((name) => name.includes('.part'))).toEqual([]);
});

test('records why a backup in the folder did not reach the bucket, and none that is in neither', async () => {
  const { app, dataDir, admin } = await signedIn();
  const folder = join(await freshFolder(), 'backups');
  const bucket = storage.address();
  storage.fault = 'refuse';
  const targets = { bucket, keep: 2, key: '', now: NOW };
  await expect(backUpTo(dataDir, { ...targets, folder: '' })).rejects.toThrow('of BACKUP_URL cannot be used');
  expect(await app.services.backups.last()).toBeUndefined();
  const { file, problem } = await backUpTo(dataDir, { ...targets, folder });
  expect([file, await readdir(folder)]).toEqual([join(folder, NAME), [NAME]]);
  expect(problem).toContain('of BACKUP_URL cannot be used');
  expect((await admin.get('/api/health')).json().backup).toMatchObject({ problem });
  storage.fault = undefined;
  await backUpTo(dataDir, { ...targets, folder, now: NOW + 1000 });
  expect([storage.objects.size, (await app.services.backups.last())?.problem]).toEqual([1, undefined]);
});
