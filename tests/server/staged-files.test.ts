import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addUser } from '../../server/stores/sql/users.ts';
import { STAGED_FILES } from '../../src/domain/protocol/staging.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { projects } from '../../src/domain/resources/projects.ts';
import { change, sendBatch, statuses } from './batch-client.ts';
import { bytesOf } from './corpus/bytes.ts';
import { wordDocuments } from './corpus/documents.ts';
import { formOf, signedIn, withKey } from './harness.ts';
import { filesFor, picture, sha256, valuesFor } from './samples.ts';
import { begin, bigPdf, named, offsetOf, stage, createWith, stagedFiles } from './staging-client.ts';

async function twoSignedIn() {
  const server = await signedIn();
  const at = new Date().toISOString();
  await addUser(server.app.services, { name: 'Other', email: 'other@example.com', password: 'four grey donkeys', at });
  const other = await server.client();
  await other.signIn('other@example.com', 'four grey donkeys');
  return { ...server, other };
}

type App = Awaited<ReturnType<typeof signedIn>>['app'];

/** The SHA-256 of all photos, in their order. */
async function storedPhotos({ services }: App): Promise<string[]> {
  const photos = services.db.selectFrom('images').innerJoin('files', 'files.name', 'images.image');
  const rows = await photos.select('received_sha256').orderBy('images.id').execute();
  return rows.map(({ received_sha256 }) => received_sha256);
}

test('knows nothing of files that another user has staged or stored', async () => {
  const { admin, other } = await twoSignedIn();
  const [bytes, photo] = [bigPdf(5000), await picture('png')];
  await stage(admin, bytes);
  await stage(admin, photo);
  expect(await offsetOf(other, bytes)).toBeUndefined();
  const files = [named('catalog', bytes), named('images', photo)];
  const answer = await createWith(other, files);
  expect([answer.statusCode, answer.json().code]).toEqual([409, 'stage-again']);
  expect((await createWith(admin, files)).statusCode).toBe(200);
  expect((await begin(other, bytes)).headers['upload-offset']).toBe('0');
});

test('asks for a missing file to be staged again, and changes nothing', async () => {
  const { admin } = await signedIn();
  const [bytes, photo] = [bigPdf(5000), await picture('png')];
  await stage(admin, photo);
  await begin(admin, bytes, bytes.subarray(0, 4000));
  const key = withKey();
  const files = [named('catalog', bytes), named('images', photo)];
  const answer = await createWith(admin, files, key);
  expect([answer.statusCode, answer.json()]).toMatchObject([409, { code: 'stage-again', missing: [sha256(bytes)] }]);
  expect((await admin.get(generators.endpoints.list)).json()).toEqual([]);
  await stage(admin, bytes);
  expect((await createWith(admin, files, key)).statusCode).toBe(200);
});

test('answers a repeat by its key after the staged files are gone, however its bytes arrive', async () => {
  const { admin, app, dataDir } = await signedIn();
  const [bytes, photo] = [bigPdf(5000), await picture('png')];
  for (const file of [bytes, photo]) await stage(admin, file);
  const key = withKey();
  const files = [named('catalog', bytes, 'a.pdf'), named('images', photo, 'a.png')];
  const first = await createWith(admin, files, key);
  for (const file of [bytes, photo]) await app.services.staging.drop(1, sha256(file));
  expect(await stagedFiles(dataDir)).toEqual([]);
  const again = await createWith(admin, files, key);
  expect([again.json(), again.headers['idempotent-replayed']]).toEqual([first.json(), 'true']);
  const parts = [
    { field: 'catalog', bytes, name: 'a.pdf', type: 'application/pdf' },
    { field: 'images[]', bytes: photo, name: 'a.png', type: 'image/png' },
  ];
  const whole = await admin.post(generators.endpoints.create, formOf(valuesFor(generators.fields), parts), key);
  expect([whole.json(), whole.headers['idempotent-replayed']]).toEqual([first.json(), 'true']);
  const other = await createWith(admin, files, key, 'two');
  expect([other.statusCode, other.json().code]).toEqual([422, 'idempotency-key-reused']);
});

test('puts named photos at their places, whatever their order in the list', async () => {
  const { admin, app } = await signedIn();
  const photos = await Promise.all(['#111111', '#222222', '#333333'].map((colour) => picture('png', colour)));
  const [first, second, third] = photos as [(typeof photos)[0], (typeof photos)[0], (typeof photos)[0]];
  for (const photo of [second, third]) await stage(admin, photo);
  const list = [named('images', third, 'c.png', 3), named('images', second, 'b.png', 2)];
  const values = { ...valuesFor(projects.fields), [STAGED_FILES]: JSON.stringify(list) };
  const image = (await filesFor(projects)).filter(({ field }) => field === 'image');
  const part = { field: 'images[]', bytes: first, name: 'a.png', type: 'image/png' };
  expect((await admin.post(projects.endpoints.create, formOf(values, [...image, part]))).statusCode).toBe(200);
  expect(await storedPhotos(app)).toEqual(photos.map((photo) => sha256(photo)));
});

test('puts a named photo at its place among attached ones', async () => {
  const { admin, app } = await signedIn();
  const photos = await Promise.all(['#111111', '#222222', '#333333'].map((colour) => picture('png', colour)));
  const [first, second, third] = photos as [(typeof photos)[0], (typeof photos)[0], (typeof photos)[0]];
  await stage(admin, second);
  const part = (bytes: typeof first) => ({ field: 'images[]', bytes, name: 'a.png', type: 'image/png' });
  const values = {
    ...valuesFor(projects.fields),
    [STAGED_FILES]: JSON.stringify([named('images', second, 'b.png', 2)]),
  };
  const image = (await filesFor(projects)).filter(({ field }) => field === 'image');
  const form = formOf(values, [...image, part(first), part(third)]);
  expect((await admin.post(projects.endpoints.create, form)).statusCode).toBe(200);
  expect(await storedPhotos(app)).toEqual(photos.map((photo) => sha256(photo)));
});

test('puts consecutive named photos before an attached one', async () => {
  const { admin, app } = await signedIn();
  const photos = await Promise.all(['#111111', '#222222', '#333333'].map((colour) => picture('png', colour)));
  const [first, second, third] = photos as [(typeof photos)[0], (typeof photos)[0], (typeof photos)[0]];
  for (const photo of [first, second]) await stage(admin, photo);
  const list = [named('images', second, 'b.png', 2), named('images', first, 'a.png', 1)];
  const values = { ...valuesFor(projects.fields), [STAGED_FILES]: JSON.stringify(list) };
  const image = (await filesFor(projects)).filter(({ field }) => field === 'image');
  const part = { field: 'images[]', bytes: third, name: 'c.png', type: 'image/png' };
  expect((await admin.post(projects.endpoints.create, formOf(values, [...image, part]))).statusCode).toBe(200);
  expect(await storedPhotos(app)).toEqual(photos.map((photo) => sha256(photo)));
});

test('checks the content of a named file like that of an attached one', async () => {
  const { admin } = await signedIn();
  const noPicture = new Uint8Array(Buffer.concat([Buffer.from('\x89PNG\r\n\x1A\n', 'latin1'), Buffer.alloc(400)]));
  const bytes = bigPdf(5000);
  for (const file of [noPicture, bytes]) await stage(admin, file);
  const wrong = await createWith(admin, [named('catalog', bytes), named('images', noPicture)]);
  expect([wrong.statusCode, Object.keys(wrong.json().errors)]).toEqual([422, ['images.0']]);
  const swapped = await createWith(admin, [named('catalog', bytes), named('images', bytes)]);
  expect([swapped.statusCode, Object.keys(swapped.json().errors)]).toEqual([422, ['images.0']]);
  expect((await createWith(admin, [{ field: 'catalog', sha256: 'nonsense' }])).statusCode).toBe(400);
  // what was refused stays for the corrected change
  expect(await offsetOf(admin, bytes)).toBe(5000);
});

test('leaves no second name of a staged file, whatever happens to the change', async () => {
  const { admin, dataDir } = await signedIn();
  const [bytes, photo] = [bigPdf(5000), await picture('png')];
  for (const file of [bytes, photo]) await stage(admin, file);
  await createWith(admin, [named('catalog', photo), named('images', bytes)]);
  await createWith(admin, [named('catalog', bytes), named('images', photo)]);
  await createWith(admin, [named('catalog', bytes), named('images', bigPdf(99))]);
  expect(await readdir(join(dataDir, 'uploads', '.incoming'))).toEqual([]);
});

test('uses one staged file for several records', async () => {
  const { admin, dataDir } = await signedIn();
  const [bytes, photo] = [bigPdf(5000), await picture('png')];
  for (const file of [bytes, photo]) await stage(admin, file);
  const files = [named('catalog', bytes), named('images', photo)];
  const answers = await Promise.all(['one', 'two', 'three'].map((mark) => createWith(admin, files, withKey(), mark)));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  await admin.post(`${generators.endpoints.delete}/${answers[0]?.json().id}`, undefined);
  const { catalog } = (await admin.get(`${generators.endpoints.single}/${answers[1]?.json().id}`)).json();
  expect(sha256(await readFile(join(dataDir, 'uploads', catalog)))).toBe(sha256(bytes));
});

test('refuses a list of files that is longer or written otherwise than a device would send', async () => {
  const { admin } = await signedIn();
  const bytes = bigPdf(1000);
  const statusOf = async (...files: object[]) => (await createWith(admin, files)).statusCode;
  const one = named('images', bytes, 'x'.repeat(255), 0);
  const bad = [
    { ...one, name: `${one.name}x` },
    { ...one, place: -1 },
    { ...one, sha256: `../${one.sha256}` },
    { ...one, sha256: `${one.sha256}/..` },
    { ...one, sha256: one.sha256.toUpperCase() },
    { ...one, field: 7 },
  ];
  for (const file of bad) expect(await statusOf(file)).toBe(400);
  expect(await statusOf(...Array<object>(1001).fill(one))).toBe(400);
  expect(await statusOf(...Array<object>(201).fill(one))).toBe(422);
  expect(await statusOf(...Array<object>(200).fill(one))).toBe(409);
  // these are merely missing
  expect(await statusOf(one)).toBe(409);
});

test('accepts a change with MAX_FILES staged files, alone and in a batch', async () => {
  const { admin } = await signedIn({ MAX_FILES: '201' });
  const photo = await picture('png');
  await stage(admin, photo);
  await stage(admin, bigPdf(1000));
  const files = [named('catalog', bigPdf(1000)), ...Array<object>(200).fill(named('images', photo))];
  expect((await createWith(admin, [...files, named('images', photo)])).json().code).toBe('too-many-files');
  expect((await createWith(admin, files)).statusCode).toBe(200);
  const fields = valuesFor(generators.fields);
  const create = { key: 'change-of-many', op: 'create', resource: 'generators', id: 'local-1', fields, files };
  expect(statuses(await sendBatch(admin, [create]))).toEqual([200]);
});

test('counts named files towards the limit of a request', async () => {
  const { admin, dataDir } = await signedIn({ MAX_FILES: '2' });
  const photos = await Promise.all(['#111111', '#222222'].map((colour) => picture('png', colour)));
  const catalog = bigPdf(1000);
  for (const bytes of [catalog, ...photos]) await stage(admin, bytes);
  const files = [named('catalog', catalog), ...photos.map((photo) => named('images', photo))];
  const refused = await createWith(admin, files);
  expect([refused.statusCode, refused.json()]).toEqual([
    422,
    { message: 'Not more than 2 files can be sent in one request.', code: 'too-many-files' },
  ]);
  expect(await readdir(join(dataDir, 'uploads', '.incoming'))).toEqual([]);
  expect((await createWith(admin, files.slice(0, 2))).statusCode).toBe(200);
});

test('makes a change even if the use of its staged files cannot be recorded, and logs that', async () => {
  const log: string[] = [];
  const { admin, app } = await signedIn({ LOG_LEVEL: 'warn' }, { logStream: { write: (line) => log.push(line) } });
  const [catalog, photo] = [bigPdf(1000), await picture('png')];
  for (const bytes of [catalog, photo]) await stage(admin, bytes);
  Object.assign(app.services.staging, { noteUse: () => Promise.reject(new Error('no note')) });
  const answer = await createWith(admin, [named('catalog', catalog, 'Prices.pdf'), named('images', photo, 'a.png')]);
  expect(answer.statusCode).toBe(200);
  expect(log.map((line) => JSON.parse(line).msg)).toEqual(['signed in', 'use of staged files not noted']);
  const { files } = (await admin.get(`${generators.endpoints.single}/1`)).json();
  expect(files.map((file: { originalName: string }) => file.originalName)).toEqual(['Prices.pdf', 'a.png']);
});

test('recognises a staged Word document by its full content, whatever its name', async () => {
  const { admin } = await signedIn();
  const photo = await picture('png');
  const [[, word]] = wordDocuments() as [[string, typeof photo]];
  const zip = bytesOf('PK\x03\x04', 'evil.exe', 'PK\x01\x02', 'evil.exe');
  for (const file of [photo, word, zip]) await stage(admin, file);
  const createOf = (bytes: typeof word, name: string) =>
    createWith(admin, [named('catalog', bytes, name), named('images', photo)]);
  expect((await createOf(word, 'prices.doc')).statusCode).toBe(200);
  expect((await createOf(zip, 'prices.docx')).statusCode).toBe(422);
});

test('never uses a file from its own disk for one that a sender names', async () => {
  const { admin, dataDir } = await signedIn();
  const photo = await picture('png');
  await stage(admin, photo);
  const own = join(dataDir, 'own.pdf');
  await writeFile(own, bigPdf(1000, 'secret'));
  // the properties of an attached file
  const received = { path: own, originalName: 'a.pdf', size: 1000, type: 'application/pdf' };
  const files = [{ ...named('catalog', bigPdf(1000)), ...received }, named('images', photo)];
  const alone = await createWith(admin, files);
  expect([alone.statusCode, alone.json().code]).toEqual([409, 'stage-again']);
  const create = change('create', 'generators', { id: 'local-1', fields: valuesFor(generators.fields), files });
  expect(statuses(await sendBatch(admin, [create]))).toEqual([409]);
  expect((await readFile(own)).length).toBe(1000);
  expect((await admin.get(generators.endpoints.list)).json()).toEqual([]);
});
