import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { backUp } from '../../../server/commands/backup.ts';
import { openInstallation, openOrMake, withUploads } from '../../../server/commands/installation.ts';
import { move } from '../../../server/commands/move.ts';
import { restoreShared } from '../../../server/commands/restore.ts';
import { openDatabase } from '../../../server/stores/sqlite/open.ts';
import { openBucket } from '../../../server/uploads/bucket.ts';
import { bucketAt } from '../../../server/uploads/bucket-address.ts';
import { realDisk } from '../../../server/uploads/disk.ts';
import { MARKER } from '../../../server/uploads/marker.ts';
import { generators } from '../../../src/domain/resources/generators.ts';
import { type ObjectStorage, STORAGE_KEY } from '../../harness/object-storage.ts';
import { formOf, freshFolder, keepRecordsIn, signedIn, startServer, testSettings, withKey } from '../harness.ts';
import { untouchedDatabase } from '../on-postgres.ts';
import { filesFor, valuesFor } from '../samples.ts';
import { withObjectStorage } from '../with-object-storage.ts';

// here a server's settings say where its records are
keepRecordsIn({ openDatabase });

let storage: ObjectStorage;
let databases = 0;

withObjectStorage((started) => (storage = started));

const shared = async () => ({
  DATABASE_URL: await untouchedDatabase(`bucket_${(databases += 1)}`),
  UPLOADS_URL: storage.address(),
  // without a trash, a deletion removes files
  TRASH_DAYS: '0',
});

const generatorForm = async () => formOf(valuesFor(generators.fields), await filesFor(generators));

/** A server with its files in the bucket, with a generator that has a catalogue and photos. */
async function withGenerator() {
  const environment = await shared();
  const one = await signedIn(environment);
  const { id } = (await one.admin.post(generators.endpoints.create, await generatorForm())).json();
  const record = (await one.admin.get(`${generators.endpoints.single}/${id}`)).json();
  await one.app.services.sizes.done();
  const names = { catalog: String(record.catalog), photo: String(record.images[0].image) };
  return { one, environment, id: Number(id), names };
}

type Server = Awaited<ReturnType<typeof startServer>>;
const get = ({ app }: Server, path: string) =>
  app.inject({ url: `/uploads/${path}`, headers: { accept: 'image/webp' } });
const kept = () => [...storage.objects.keys()].filter((key) => !key.endsWith(MARKER)).toSorted();

test('serves files received by another server, makes smaller pictures once, and keeps none in the database', async () => {
  const { one, environment, names } = await withGenerator();
  const before = kept();
  expect(before.every((key) => key.startsWith('site/'))).toBe(true);
  expect(before.filter((key) => key.startsWith('site/.sizes/') && key.includes(names.photo))).toHaveLength(6);
  const other = await startServer(environment);
  for (const path of [names.catalog, names.photo, `${names.photo}?width=100`]) {
    const [made, given] = [await get(one, path), await get(other, path)];
    expect(given.statusCode).toBe(200);
    expect(given.rawPayload.equals(made.rawPayload)).toBe(true);
  }
  await rm(join(one.dataDir, 'uploads', names.photo));
  expect((await get(one, names.photo)).statusCode).toBe(200);
  expect(kept()).toEqual(before);
  expect((await sql`SELECT 1 FROM stored_files`.execute(one.app.services.db)).rows).toEqual([]);
});

test('stores a file of many pieces in the bucket, and fetches it unchanged', async () => {
  const { UPLOADS_URL } = await shared();
  const content = randomBytes(700_000);
  const [here, there] = [await freshFolder(), await freshFolder()];
  await writeFile(join(here, 'long.pdf'), content);
  // by a host name, for which there is no subdomain per bucket
  const openIn = await openBucket(UPLOADS_URL.replace('127.0.0.1', 'localhost'));
  await openIn({ folder: here, disk: realDisk, randomBytes }).keep(['long.pdf']);
  await mkdir(join(there, '.incoming'));
  await openIn({ folder: there, disk: realDisk, randomBytes }).fetch('long.pdf');
  expect((await readFile(join(there, 'long.pdf'))).equals(content)).toBe(true);
});

test('answers a change whose files cannot be stored with a retry time, and applies it once when they can', async () => {
  const { admin, app, dataDir } = await signedIn(await shared());
  const key = withKey();
  storage.fault = 'refuse';
  const refused = await admin.post(generators.endpoints.create, await generatorForm(), key);
  expect([refused.statusCode, refused.headers['retry-after'], refused.json().message]).toEqual([
    503,
    '10',
    'The storage of files cannot be reached.',
  ]);
  const left = await readdir(join(dataDir, 'uploads'), { recursive: true, withFileTypes: true });
  expect(left.filter((entry) => entry.isFile() && entry.name !== MARKER)).toEqual([]);
  storage.fault = undefined;
  expect((await admin.post(generators.endpoints.create, await generatorForm(), key)).statusCode).toBe(200);
  expect((await admin.post(generators.endpoints.create, await generatorForm(), key)).statusCode).toBe(200);
  expect((await admin.get(generators.endpoints.list)).json()).toHaveLength(1);
  const known = await app.services.db.selectFrom('files').select('name').execute();
  await app.services.sizes.done();
  const originals = kept().filter((name) => !name.includes('.sizes'));
  expect(originals).toEqual(known.map(({ name }) => `site/${name}`).toSorted());
});

test('stores the files of the sample data in the bucket too', async () => {
  const settings = testSettings(await shared());
  const db = await openOrMake(settings);
  onTestFinished(() => db.destroy());
  await withUploads(settings, db, async ({ folder, files }) => {
    await writeFile(join(folder, 'drawn.jpg'), 'drawn');
    await files.keep(['drawn.jpg']);
  });
  expect(kept()).toEqual(['site/drawn.jpg']);
});

test('never serves a truncated or altered file', async () => {
  const { environment, names } = await withGenerator();
  const other = await startServer(environment);
  storage.fault = 'cut';
  expect((await get(other, names.catalog)).statusCode).toBe(503);
  storage.fault = 'damage';
  expect((await get(other, names.catalog)).statusCode).toBe(500);
  storage.fault = undefined;
  expect(await readdir(join(other.dataDir, 'uploads', '.incoming'))).toEqual([]);
  expect((await get(other, names.catalog)).statusCode).toBe(200);
});

test('removes the files of a deleted record, and notes at start its own unreferenced files, but no others', async () => {
  const { one, environment, id } = await withGenerator();
  await one.admin.post(`${generators.endpoints.delete}/${id}`, undefined);
  expect(kept()).toEqual([]);
  const old = { bytes: Buffer.alloc(1), metadata: {}, at: new Date(Date.now() - 2 * 24 * 60 * 60 * 1000) };
  const [dead, fresh] = [`site/${'a'.repeat(40)}.jpg`, `site/${'b'.repeat(40)}.jpg`];
  // a slow change may be about to name it
  storage.objects.set(dead, old).set(fresh, { ...old, at: new Date(Date.now() - 23 * 60 * 60 * 1000) });
  storage.objects.set('site/of-somebody-else.jpg', old).set('elsewhere.jpg', old);
  await startServer(environment);
  expect(kept()).toEqual(['elsewhere.jpg', dead, fresh, 'site/of-somebody-else.jpg']);
  const noted = await one.app.services.db.selectFrom('unnamed_files').select('name').execute();
  expect(noted).toEqual([{ name: dead.slice('site/'.length) }]);
});

test('moves an installation into a bucket and back, and backs it up and restores it there', async () => {
  const embedded = await signedIn();
  await embedded.admin.post(generators.endpoints.create, await generatorForm());
  await embedded.app.close();
  const { DATABASE_URL: databaseUrl, UPLOADS_URL: uploadsUrl } = await shared();
  const between = async (source: string, target: string) => {
    const from = await openInstallation(source, { isThere: true, uploadsUrl });
    const to = await openInstallation(target, { isThere: false, uploadsUrl });
    return move(from, to, () => undefined).finally(async () => {
      await from.close();
      await to.close();
    });
  };
  expect(await between(`sqlite:${embedded.dataDir}`, databaseUrl)).toMatchObject({ differences: [] });
  const dataDir = await freshFolder();
  const file = join(await freshFolder(), 'backup.voltdesk');
  const beside: number[] = [];
  storage.onRequest = () => {
    const names = readdirSync(dataDir, { recursive: true }).map(String);
    beside.push(names.filter((name) => /[0-9a-f]{40}\.\w+$/.test(name)).length);
  };
  const { files, damaged } = await backUp(dataDir, file, '', { databaseUrl, uploadsUrl });
  storage.onRequest = undefined;
  expect(damaged).toEqual([]);
  // each file leaves the disk before the next one arrives
  expect([files, Math.max(...beside)]).toEqual([3, 0]);
  storage.objects.clear();
  await restoreShared({ databaseUrl, uploadsUrl, dataDir, file, key: '', now: 0 });
  expect(kept()).toHaveLength(files);
  expect(await between(databaseUrl, `sqlite:${await freshFolder()}`)).toMatchObject({ differences: [] });
});

test.each([
  ['no bucket of this name', () => storage.address('site', 'other'), STORAGE_KEY],
  ['does not know the key', () => storage.address(), 'another key'],
  ['its key may not read this bucket', () => storage.address('elsewhere'), STORAGE_KEY],
  ['cannot be reached', () => 's3://uploads/site?endpoint=http://127.0.0.1:1', STORAGE_KEY],
])('explains at start: %s', async (words, address, key) => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', key);
  const environment = { ...(await shared()), UPLOADS_URL: address() };
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(startServer(environment)).rejects.toThrow(words);
});

test.each([
  ['https://uploads', 'not an address as s3://'],
  ['s3://key:secret@uploads', 'keys stand in AWS_ACCESS_KEY_ID'],
  ['s3://key@uploads', 'keys stand in AWS_ACCESS_KEY_ID'],
  ['s3://uploads?endpoint=storage', 'is not an address with http:// or https://'],
  ['s3://uploads', 'needs DATABASE_URL'],
])('refuses the setting %s', (address, words) => {
  expect(() => testSettings({ UPLOADS_URL: address })).toThrow(words);
});

test('reads the folder of a bucket decoded, with a trailing slash', () => {
  expect(bucketAt('s3://uploads/North%20Power/').prefix).toBe('North Power/');
  expect(bucketAt('s3://uploads').prefix).toBe('');
});
