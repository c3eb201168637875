import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { openBucket } from '../../server/uploads/bucket.ts';
import { realDisk } from '../../server/uploads/disk.ts';
import type { ObjectStorage } from '../harness/object-storage.ts';
import { freshFolder } from './harness.ts';
import { notedDisk } from './noted-disk.ts';
import { openBelow } from './open-below.ts';
import { withObjectStorage } from './with-object-storage.ts';

const DAY = 24 * 60 * 60_000;
const NAME = `${'a'.repeat(40)}.png`;
const SIZE = `.sizes/100/${NAME}.webp`;

let storage: ObjectStorage;

withObjectStorage((started) => (storage = started));

/** A server's folder over the bucket. */
async function server(limits?: Parameters<typeof openBucket>[1]) {
  const folder = await freshFolder();
  await mkdir(join(folder, '.incoming'));
  const files = (await openBucket(storage.address(), limits))({ folder, disk: realDisk, randomBytes });
  const put = async (...names: string[]) => {
    for (const name of names) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), `of ${name}`);
    }
  };
  return { folder, files, put };
}

test('names a fetched file only after all its bytes are flushed to disk', async () => {
  const { files, put } = await server();
  await put(NAME);
  await files.keep([NAME]);
  const { disk, steps } = notedDisk();
  const folder = await freshFolder();
  await mkdir(join(folder, '.incoming'));
  const other = (await openBucket(storage.address()))({ folder, disk, randomBytes });
  await other.fetch(NAME);
  expect(steps).toEqual(['flushed', 'named']);
});

test('shares files with other servers, which list them by folder and fetch each one once', async () => {
  const [one, other] = [await server(), await server()];
  const sizes = [SIZE, SIZE.replace('webp', 'avif'), `.sizes/100/${'b'.repeat(40)}.png.webp`, `.sizes/100/c.webp`];
  await one.put(NAME, ...sizes, '.sizes/1000/a.webp');
  await one.files.keep([NAME]);
  for (const name of [...sizes, '.sizes/1000/a.webp']) await one.files.share(name);
  expect((await other.files.list('.sizes/100')).toSorted()).toEqual(
    sizes.map((name) => name.slice('.sizes/100/'.length)).toSorted(),
  );
  expect(await other.files.list('.sizes/300')).toEqual([]);
  expect([await other.files.has(SIZE), await other.files.keeps(NAME), await other.files.has('none.png')]).toEqual([
    true,
    true,
    false,
  ]);
  await Promise.all([other.files.fetch(SIZE), other.files.fetch(SIZE)]);
  expect(await readFile(join(other.folder, SIZE), 'utf8')).toBe(`of ${SIZE}`);
  storage.fault = 'refuse';
  await other.files.fetch(SIZE);
  await expect(other.files.fetch(NAME)).rejects.toMatchObject({ code: 'FILES_AWAY' });
  storage.fault = undefined;
  await other.files.fetch('none.png');
  expect((await readdir(other.folder)).toSorted()).toEqual(['.incoming', '.sizes']);
});

test('distinguishes files in the folder from kept ones, and keeps none that was removed', async () => {
  const { files, put } = await server();
  await put(NAME);
  expect([await files.has(NAME), await files.keeps(NAME)]).toEqual([true, false]);
  await files.keep([NAME]);
  expect(await files.keeps(NAME)).toBe(true);
  await files.remove([NAME, 'none.png']);
  expect([await files.has(NAME), await files.keeps(NAME)]).toEqual([true, false]);
});

test('lists as settled only its own files that were written at least a day ago', async () => {
  const { files, put } = await server();
  const fresh = `${'f'.repeat(40)}.png`;
  await put(NAME, SIZE, fresh, 'another.txt', `folder/${NAME}`);
  await files.keep([NAME, SIZE, fresh, 'another.txt', `folder/${NAME}`]);
  for (const [key, object] of storage.objects)
    object.at = new Date(Date.now() - (key.includes('f'.repeat(40)) ? DAY - 60_000 : DAY + 60_000));
  expect((await files.settled()).toSorted()).toEqual([SIZE, NAME].toSorted());
});

test('gives up a storage that accepts a request and never answers it', async () => {
  const limits = { connectionTimeout: 1000, socketTimeout: 50 };
  const { files, put } = await server(limits);
  await put(NAME);
  storage.fault = 'stall';
  await expect(files.keep([NAME])).rejects.toMatchObject({ code: 'FILES_AWAY' });
  await expect(files.fetch(SIZE)).rejects.toMatchObject({ code: 'FILES_AWAY' });
  storage.fault = undefined;
  await files.fetch(SIZE);
});

test('closes a file when the storage drops the connection', async () => {
  const { files, folder } = await server();
  await writeFile(join(folder, NAME), Buffer.alloc(4 * 1024 * 1024));
  storage.fault = 'hang-up';
  await expect(files.keep([NAME])).rejects.toMatchObject({ code: 'FILES_AWAY' });
  await expect.poll(() => openBelow(folder), { interval: 5 }).toEqual([]);
});

test.each(['cut', 'damage'] as const)('leaves nothing of a file whose answer is wrong (%s)', async (fault) => {
  const [one, other] = [await server(), await server()];
  await one.put(NAME);
  await one.files.keep([NAME]);
  storage.fault = fault;
  await expect(other.files.fetch(NAME)).rejects.toThrow(
    fault === 'cut' ? 'The storage of files cannot be used.' : `The stored file ${NAME} is damaged.`,
  );
  expect([await readdir(other.folder), await readdir(join(other.folder, '.incoming'))]).toEqual([['.incoming'], []]);
  storage.fault = undefined;
  await other.files.fetch(NAME);
  expect(await readFile(join(other.folder, NAME), 'utf8')).toBe(`of ${NAME}`);
});

test('keeps and removes every one of many files', async () => {
  const { files, put } = await server();
  const names = Array.from({ length: 20 }, (_, n) => `${n.toString(16).padStart(40, '0')}.png`);
  await put(...names);
  await files.keep(names);
  expect([...storage.objects.keys()].toSorted()).toEqual(names.map((name) => `site/${name}`).toSorted());
  await files.remove(names);
  expect(storage.objects.size).toBe(0);
});

test('takes the region from the address, then from the environment, then the default', async () => {
  const signedFor = async (address: string) => {
    await openBucket(address);
    return storage.region;
  };
  vi.stubEnv('AWS_REGION', undefined);
  expect(await signedFor(storage.address())).toBe('us-east-1');
  vi.stubEnv('AWS_REGION', 'eu-2');
  expect(await signedFor(storage.address())).toBe('eu-2');
  expect(await signedFor(`${storage.address()}&region=eu-1`)).toBe('eu-1');
});

test.each([
  [403, 'SignatureDoesNotMatch', 'the secret in AWS_SECRET_ACCESS_KEY is not that of its key'],
  [301, 'PermanentRedirect', 'the bucket is in another region: add ?region= to the address'],
])('explains a storage that answers %i with %s', async (status, code, words) => {
  storage.refusal = [status, code];
  await expect(openBucket(storage.address())).rejects.toThrow(
    `The bucket uploads of UPLOADS_URL cannot be used: ${words}.`,
  );
});

test('explains missing storage keys', async () => {
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, undefined);
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
  await expect(openBucket(storage.address())).rejects.toThrow(
    'cannot be used: there are no keys: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
  );
});
