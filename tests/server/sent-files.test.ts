import { randomBytes } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { fetchNamed } from '../../server/protocol/named-files.ts';
import { secondNames } from '../../server/protocol/sent-files.ts';
import type { Staging } from '../../server/staging/staging.ts';
import { addUser } from '../../server/stores/sql/users.ts';
import { STAGED_FROM_BYTES } from '../../src/domain/protocol/staging.ts';
import { realDisk } from '../../server/uploads/disk.ts';
import type { ReceivedFile } from '../../server/uploads/received.ts';
import { incomingPath, prepareFolders, type Storage } from '../../server/uploads/storage.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { change, sendBatch, statuses } from './batch-client.ts';
import { type Client, formOf, freshFolder, signedIn, type TestFile, withKey } from './harness.ts';
import { picture, sha256, valuesFor } from './samples.ts';
import { begin, bigPdf, createWith, named, offsetOf, stage } from './staging-client.ts';

type Bytes = ReturnType<typeof bigPdf>;

const SIZE = 300_000;

/** A generator with all its files as parts. */
async function createWhole({ post }: Client, catalog: Bytes, mark = 'one') {
  const parts: TestFile[] = [
    { field: 'catalog', bytes: catalog, name: 'a.pdf', type: 'application/pdf' },
    { field: 'images[]', bytes: await picture('png'), name: 'a.png', type: 'image/png' },
  ];
  return post(generators.endpoints.create, formOf(valuesFor(generators.fields, mark), parts), withKey());
}

/** A picture that compression makes no smaller, with sides of that many pixels. */
async function noise(side: number): Promise<Bytes> {
  const raw = { width: side, height: side, channels: 3 } as const;
  return sharp(randomBytes(side * side * 3), { raw })
    .png()
    .toBuffer();
}

/** The offset in the answer to the start of an upload. */
async function toldOf(sender: Client, bytes: Bytes): Promise<number> {
  return Number((await begin(sender, bytes)).headers['upload-offset']);
}

async function signedInOther({ services }: Awaited<ReturnType<typeof signedIn>>['app'], client: () => Promise<Client>) {
  const at = new Date().toISOString();
  await addUser(services, { name: 'Other', email: 'other@example.com', password: 'four grey donkeys', at });
  const other = await client();
  await other.signIn('other@example.com', 'four grey donkeys');
  return other;
}

test('does not ask a sender again for a large file attached to a change', async () => {
  const { admin, app, client, dataDir } = await signedIn();
  const other = await signedInOther(app, client);
  const bytes = bigPdf(SIZE);
  const first = await createWhole(admin, bytes);
  expect(first.statusCode).toBe(200);
  expect(await toldOf(admin, bytes)).toBe(SIZE);
  expect(await toldOf(other, bytes)).toBe(0);
  await admin.post(`${generators.endpoints.delete}/${first.json().id}`, undefined);
  const photo = await picture('png');
  await stage(admin, photo);
  const second = await createWith(admin, [named('catalog', bytes), named('images', photo)], withKey(), 'two');
  const { catalog } = (await admin.get(`${generators.endpoints.single}/${second.json().id}`)).json();
  expect(sha256(await readFile(join(dataDir, 'uploads', catalog)))).toBe(sha256(bytes));
  expect(await readdir(join(dataDir, 'uploads', '.incoming'))).toEqual([]);
});

test('does not ask again for a file attached to a batch either', async () => {
  const { admin } = await signedIn();
  const bytes = bigPdf(SIZE);
  const photo = await picture('png');
  const create = change('create', 'generators', {
    id: 'local-1',
    fields: valuesFor(generators.fields),
    files: [named('catalog', bytes, 'a.pdf'), named('images', photo, 'a.png')],
  });
  const parts: TestFile[] = [
    { field: '', bytes, name: 'a.pdf', type: 'application/pdf' },
    { field: '', bytes: photo, name: 'a.png', type: 'image/png' },
  ];
  expect(statuses(await sendBatch(admin, [create], parts))).toEqual([200]);
  expect(await toldOf(admin, bytes)).toBe(SIZE);
});

test('keeps neither a small file nor one of a refused change', async () => {
  const { admin, dataDir } = await signedIn();
  const [small, refused] = [bigPdf(STAGED_FROM_BYTES - 1, 'small'), bigPdf(SIZE, 'refused')];
  expect((await createWhole(admin, small)).statusCode).toBe(200);
  expect(await offsetOf(admin, small)).toBeUndefined();
  const part = { field: 'catalog', bytes: refused, name: 'a.pdf', type: 'application/pdf' };
  expect((await admin.post(generators.endpoints.create, formOf({}, [part]))).statusCode).toBe(422);
  expect(await offsetOf(admin, refused)).toBeUndefined();
  expect(await readdir(join(dataDir, 'uploads', '.incoming'))).toEqual([]);
});

test('charges attached files nothing against the quota, and evicts them for staged ones', async () => {
  const log: string[] = [];
  const logStream = { write: (line: string) => void log.push(line) };
  const { admin } = await signedIn({ STAGING_MB: '1', MAX_FILE_MB: '1', LOG_LEVEL: 'info' }, { logStream });
  const [waiting, sent, later] = [bigPdf(500_000, 'waiting'), bigPdf(SIZE, 'sent'), bigPdf(500_000, 'later')];
  await stage(admin, waiting);
  expect((await createWhole(admin, sent)).statusCode).toBe(200);
  expect(await offsetOf(admin, sent)).toBe(SIZE);
  await stage(admin, later);
  expect(await offsetOf(admin, sent)).toBeUndefined();
  expect((await createWhole(admin, sent, 'two')).statusCode).toBe(200);
  expect(await offsetOf(admin, sent)).toBeUndefined();
  expect(log.join('')).toContain('a file that was sent is not kept');
  expect(await Promise.all([waiting, later].map((bytes) => offsetOf(admin, bytes)))).toEqual([500_000, 500_000]);
});

/** A generator whose photos are attached as parts. */
function createWithPhotos({ post }: Client, photos: readonly Bytes[]) {
  const catalog = { field: 'catalog', bytes: bigPdf(1000), name: 'a.pdf', type: 'application/pdf' };
  const parts = photos.map((bytes): TestFile => ({ field: 'images[]', bytes, name: 'a.png', type: 'image/png' }));
  return post(generators.endpoints.create, formOf(valuesFor(generators.fields), [catalog, ...parts]), withKey());
}

test('keeps several attached files, including one sent twice and one half uploaded before', async () => {
  const { admin } = await signedIn();
  const [half, twice, other] = await Promise.all([noise(400), noise(410), noise(420)]);
  await begin(admin, half, half.subarray(0, 100_000));
  expect((await createWithPhotos(admin, [half, twice, other, twice])).statusCode).toBe(200);
  const offsets = await Promise.all([half, twice, other].map((bytes) => offsetOf(admin, bytes)));
  expect(offsets).toEqual([half.length, twice.length, other.length]);
});

test('makes a change although the disk cannot link its files', async () => {
  const link = () => Promise.reject(new Error('no names'));
  const { admin } = await signedIn({}, { disk: { ...realDisk, link } });
  const bytes = bigPdf(SIZE);
  expect((await createWhole(admin, bytes)).statusCode).toBe(200);
  expect(await offsetOf(admin, bytes)).toBeUndefined();
});

test('keeps as many attached files as there is space for', async () => {
  const { admin } = await signedIn({ STAGING_MB: '1', MAX_FILE_MB: '1' });
  const photos = await Promise.all([noise(360), noise(370), noise(380)]);
  expect((await createWithPhotos(admin, photos)).statusCode).toBe(200);
  const offsets = await Promise.all(photos.map((bytes) => offsetOf(admin, bytes)));
  expect(offsets.filter((offset) => offset !== undefined)).toHaveLength(2);
});

test('completes a half-finished upload when its file is attached to a change', async () => {
  const { admin } = await signedIn();
  const bytes = bigPdf(SIZE);
  await begin(admin, bytes, bytes.subarray(0, 100_000));
  expect((await createWhole(admin, bytes)).statusCode).toBe(200);
  expect(await offsetOf(admin, bytes)).toBe(SIZE);
});

test('forgets attached files after 30 days', async () => {
  let at = Date.parse('2026-11-20T12:00:00Z');
  const { admin, app } = await signedIn({}, { now: () => at });
  const bytes = bigPdf(SIZE);
  await createWhole(admin, bytes);
  expect(await app.services.staging.progress(1, sha256(bytes))).toEqual({ offset: SIZE, length: SIZE });
  at += 31 * 24 * 60 * 60_000;
  await app.services.staging.sweep();
  expect(await app.services.staging.progress(1, sha256(bytes))).toBeUndefined();
});

test('counts a staged file that is also attached to a change as just used', async () => {
  let at = Date.parse('2026-11-20T12:00:00Z');
  const { admin, app } = await signedIn({}, { now: () => at });
  const bytes = bigPdf(SIZE);
  await stage(admin, bytes);
  at += 29 * 24 * 60 * 60_000;
  await admin.signIn();
  expect((await createWhole(admin, bytes)).statusCode).toBe(200);
  at += 2 * 24 * 60 * 60_000;
  await app.services.staging.sweep();
  expect(await app.services.staging.progress(1, sha256(bytes))).toEqual({ offset: SIZE, length: SIZE });
});

test('links only files large enough for staging, within the limit, and of an accepted type', async () => {
  const folder = await freshFolder();
  const limits = { maxFileBytes: STAGED_FROM_BYTES + 2, maxRequestBytes: 0, maxFiles: 9 };
  const storage = { folder, disk: realDisk, limits, randomBytes } as unknown as Storage;
  await prepareFolders(storage);
  const received = async (more: number, type: ReceivedFile['type'] = 'image/png', path = incomingPath(storage)) => {
    if (more < 9) await writeFile(path, 'x');
    return { field: 'f', originalName: 'n', sha256: '', type, path, size: STAGED_FROM_BYTES + more };
  };
  const files = await Promise.all([-1, 0, 2, 3].map((more) => received(more)));
  const odd = { ...(await received(1)), type: undefined };
  const gone = { ...(await received(1)), path: join(folder, 'gone') };
  const kept = await secondNames({ storage, staging: undefined as never }, [...files, odd, gone]);
  expect(kept.map(({ size }) => size - STAGED_FROM_BYTES)).toEqual([0, 2]);
  expect(kept.map(({ path }) => path)).not.toContain(files[1]?.path);
  for (const { path } of kept) expect(await readFile(path, 'utf8')).toBe('x');
});

test('fetches a named file with its own name, size and type, however short, for its user', async () => {
  const folder = await freshFolder();
  const storage = { folder, disk: realDisk, randomBytes } as unknown as Storage;
  await prepareFolders(storage);
  const asked: unknown[] = [];
  const fetch = (content: string | undefined) =>
    fetchNamed(
      {
        storage,
        userId: 7,
        staging: {
          async take(userId: number, hash: string, path: string) {
            asked.push([userId, hash]);
            if (content === undefined) return undefined;
            await writeFile(path, content, 'latin1');
            return content.length;
          },
        } as unknown as Staging,
      },
      { field: 'catalog', sha256: 'a hash', name: 'Own name.pdf', type: 'text/plain' },
    );
  const found = await fetch('%PDF-');
  expect(found).toMatchObject({
    field: 'catalog',
    sha256: 'a hash',
    originalName: 'Own name.pdf',
    size: 5,
    type: 'application/pdf',
  });
  expect(await readFile(found?.path ?? '', 'latin1')).toBe('%PDF-');
  expect((await fetch('no picture'))?.type).toBeUndefined();
  expect(await fetch(undefined)).toBeUndefined();
  expect(asked).toEqual([
    [7, 'a hash'],
    [7, 'a hash'],
    [7, 'a hash'],
  ]);
});
