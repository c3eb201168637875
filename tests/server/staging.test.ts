import { Readable } from 'node:stream';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MAY_OVERLAP, PIECE_TYPE, STAGED_FILES, STAGING_PATH } from '../../src/domain/protocol/staging.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { formOf, signedIn, withKey } from './harness.ts';
import { filesFor, picture, sha256, valuesFor } from './samples.ts';
import {
  begin,
  bigPdf,
  metadataOf,
  named,
  offsetOf,
  sendPiece,
  stage,
  uploadOf,
  createWith,
  stagedFiles,
} from './staging-client.ts';

const DAY = 24 * 60 * 60_000;

const TUS = { 'tus-resumable': '1.0.0' };

test('describes its protocol', async () => {
  const { client } = await signedIn();
  const answer = await (await client()).send({ method: 'OPTIONS', url: STAGING_PATH });
  expect(answer.statusCode).toBe(204);
  expect(answer.headers).toMatchObject({
    'tus-resumable': '1.0.0',
    'tus-version': '1.0.0',
    'tus-extension': 'creation,creation-with-upload,termination',
    'tus-max-size': String(10 * 1024 * 1024),
  });
});

test('accepts a file in pieces, reports its offset, and makes a record of it', async () => {
  const { admin, dataDir } = await signedIn();
  const bytes = bigPdf(700_000);
  const begun = await begin(admin, bytes, bytes.subarray(0, 300_000));
  expect([begun.statusCode, begun.headers['location'], begun.headers['upload-offset']]).toEqual([
    201,
    uploadOf(bytes),
    '300000',
  ]);
  expect(await offsetOf(admin, bytes)).toBe(300_000);
  expect((await sendPiece(admin, bytes, 300_000, 250_000)).headers['upload-offset']).toBe('550000');
  expect((await sendPiece(admin, bytes, 550_000)).headers['upload-offset']).toBe('700000');
  expect(await offsetOf(admin, bytes)).toBe(700_000);
  const photos = (await filesFor(generators)).filter(({ field }) => field !== 'catalog');
  const values = valuesFor(generators.fields);
  const form = formOf({ ...values, [STAGED_FILES]: JSON.stringify([named('catalog', bytes, 'p60.pdf')]) }, photos);
  const answer = await admin.post(generators.endpoints.create, form, withKey());
  expect(answer.statusCode).toBe(200);
  const { catalog } = (await admin.get(`${generators.endpoints.single}/${answer.json().id}`)).json();
  expect(sha256(await readFile(join(dataDir, 'uploads', catalog)))).toBe(sha256(bytes));
});

test('requires the tus version, a hash and a length', async () => {
  const { admin } = await signedIn();
  const upload = { 'upload-length': '5', 'upload-metadata': metadataOf('0'.repeat(64)) };
  const post = (headers: Record<string, string>) => admin.send({ method: 'POST', url: STAGING_PATH, headers });
  const old = await post({ ...upload, 'tus-resumable': '0.2.2' });
  expect([old.statusCode, old.headers['tus-version']]).toEqual([412, '1.0.0']);
  expect((await post({ ...upload, ...TUS, 'upload-metadata': metadataOf('../../etc/passwd') })).statusCode).toBe(400);
  expect((await post({ ...TUS, 'upload-metadata': upload['upload-metadata'] })).statusCode).toBe(400);
  const among = `filename YS5wZGY=, ${upload['upload-metadata']}`;
  expect((await post({ ...TUS, ...upload, 'upload-metadata': among })).statusCode).toBe(201);
});

test('reports an upload’s length to its owner only and uncached, and refuses a piece of another type', async () => {
  const { admin } = await signedIn();
  const bytes = bigPdf(5000);
  await begin(admin, bytes, bytes.subarray(0, 2000));
  const { headers } = await admin.send({ method: 'HEAD', url: uploadOf(bytes), headers: TUS });
  expect(headers).toMatchObject({ 'upload-offset': '2000', 'upload-length': '5000', 'cache-control': 'no-store' });
  const typed = { ...TUS, 'content-type': 'application/json', 'upload-offset': '2000' };
  for (const json of ['{}', '{"pipe":1}']) {
    const refused = await admin.send({ method: 'PATCH', url: uploadOf(bytes), headers: typed, payload: json });
    expect([refused.statusCode, refused.json().code]).toEqual([415, 'no-piece']);
  }
  const piece = { ...TUS, 'content-type': PIECE_TYPE, 'upload-offset': '1000', [MAY_OVERLAP]: '0' };
  const payload = Buffer.from(bytes.subarray(1000));
  const early = await admin.send({ method: 'PATCH', url: uploadOf(bytes), headers: piece, payload });
  const message = 'The upload goes on at 2000.';
  expect([early.statusCode, early.json()]).toEqual([409, { message, code: 'wrong-offset' }]);
});

test('requires sign-in and the anti-forgery value, like every call', async () => {
  const { admin, client } = await signedIn();
  const stranger = await client();
  await stranger.get('/api/user');
  expect((await begin(stranger, bigPdf(1000))).statusCode).toBe(401);
  admin.cookies.clear();
  expect((await begin(admin, bigPdf(1000))).statusCode).toBe(419);
});

test('continues an existing upload, and reports a complete one as such', async () => {
  const { admin } = await signedIn();
  const bytes = bigPdf(5000);
  await begin(admin, bytes, bytes.subarray(0, 2000));
  const again = await begin(admin, bytes, bytes.subarray(0, 2000));
  expect([again.statusCode, again.headers['upload-offset']]).toEqual([201, '2000']);
  await sendPiece(admin, bytes, 2000);
  expect((await begin(admin, bytes)).headers['upload-offset']).toBe('5000');
  expect((await createWith(admin, [named('catalog', bytes)])).statusCode).toBe(422);
  const photo = await picture('png');
  await stage(admin, photo);
  expect((await createWith(admin, [named('catalog', bytes), named('images', photo)])).statusCode).toBe(200);
  expect((await begin(admin, bytes)).headers['upload-offset']).toBe('5000');
});

test('skips the overlap of a piece that a browser sends again, if the sender allows it', async () => {
  const { admin } = await signedIn();
  const bytes = bigPdf(5000);
  await begin(admin, bytes, bytes.subarray(0, 2000));
  const piece = { ...TUS, 'content-type': PIECE_TYPE, [MAY_OVERLAP]: '1' };
  const again = (offset: number, size: number) => {
    const headers = { ...piece, 'upload-offset': String(offset) };
    const payload = Buffer.from(bytes.subarray(offset, offset + size));
    return admin.send({ method: 'PATCH', url: uploadOf(bytes), headers, payload });
  };
  const told = [await again(1000, 500), await again(1500, 2000), await again(4000, 500), await again(3000, 2000)];
  expect(told.map(({ statusCode, headers }) => [statusCode, headers['upload-offset']])).toEqual([
    [204, '2000'],
    [204, '3500'],
    [409, '3500'],
    [204, '5000'],
  ]);
  expect((await again(4000, 1000)).headers['upload-offset']).toBe('5000');
  // whole: its hash was checked
  expect((await begin(admin, bytes)).headers['upload-offset']).toBe('5000');
});

test('skips an overlap that arrives in many small parts', async () => {
  const { admin, app } = await signedIn();
  const bytes = bigPdf(5000);
  await begin(admin, bytes, bytes.subarray(0, 2000));
  const parts = Array.from({ length: 45 }, (_, at) => Buffer.from(bytes.subarray(500 + at * 100, 600 + at * 100)));
  const piece = { offset: 500, content: Readable.from(parts), mayOverlap: true };
  expect(await app.services.staging.append(1, sha256(bytes), piece)).toEqual({ offset: 5000, length: 5000 });
});

test('completes one user’s piece while another starts to send the same file', async () => {
  const { admin, app } = await signedIn();
  const { staging } = app.services;
  const bytes = bigPdf(5000);
  await begin(admin, bytes);
  const other = Promise.withResolvers<void>();
  async function* slowly() {
    yield Buffer.from(bytes.subarray(0, 1000));
    await other.promise;
    yield Buffer.from(bytes.subarray(1000));
  }
  const first = staging.append(1, sha256(bytes), { offset: 0, content: Readable.from(slowly()) });
  await staging.begin(2, sha256(bytes), bytes.length);
  other.resolve();
  expect(await first).toEqual({ offset: 5000, length: 5000 });
});

test('refuses a piece with a large overlap, so that little of it is sent in vain', async () => {
  const { admin } = await signedIn();
  const bytes = bigPdf(600_000);
  await begin(admin, bytes, bytes.subarray(0, 300_000));
  const again = (offset: number) => {
    const headers = { ...TUS, 'content-type': PIECE_TYPE, [MAY_OVERLAP]: '1', 'upload-offset': String(offset) };
    return admin.send({ method: 'PATCH', url: uploadOf(bytes), headers, payload: Buffer.from(bytes.subarray(offset)) });
  };
  const refused = await again(30_000);
  expect([refused.statusCode, refused.headers['upload-offset']]).toEqual([409, '300000']);
  expect((await again(40_000)).headers['upload-offset']).toBe('600000');
});

test('refuses a piece for another offset, and states the right one', async () => {
  const { admin } = await signedIn();
  const bytes = bigPdf(5000);
  await begin(admin, bytes, bytes.subarray(0, 2000));
  for (const offset of [0, 1999, 3000]) {
    const answer = await sendPiece(admin, bytes, offset, 500);
    expect([answer.statusCode, answer.json().code, answer.headers['upload-offset']]).toEqual([
      409,
      'wrong-offset',
      '2000',
    ]);
  }
  expect(await offsetOf(admin, bytes)).toBe(2000);
});

test('accepts nothing beyond the end of the file', async () => {
  const { admin } = await signedIn();
  const bytes = bigPdf(5000);
  await begin(admin, bytes, bytes.subarray(0, 2000));
  const more = new Uint8Array([...bytes, 1, 2, 3]);
  const headers = { ...TUS, 'content-type': 'application/offset+octet-stream', 'upload-offset': '2000' };
  const payload = Buffer.from(more.subarray(2000));
  const answer = await admin.send({ method: 'PATCH', url: uploadOf(bytes), headers, payload });
  const message = 'This piece goes beyond the end of its file.';
  expect([answer.statusCode, answer.json()]).toEqual([413, { message, code: 'beyond-length' }]);
  const offset = (await offsetOf(admin, bytes)) ?? 0;
  expect((await sendPiece(admin, bytes, offset)).headers['upload-offset']).toBe('5000');
});

test('drops a complete file with the wrong hash, and accepts it again', async () => {
  const { admin, dataDir } = await signedIn();
  const bytes = bigPdf(5000);
  const damaged = new Uint8Array(bytes);
  damaged[3000] = 7;
  await begin(admin, bytes, damaged.subarray(0, 4000));
  const answer = await sendPiece(admin, bytes, 4000);
  const message = 'The file did not arrive as it was sent. It has to be sent anew.';
  expect([answer.statusCode, answer.json()]).toEqual([460, { message, code: 'checksum-mismatch' }]);
  expect(await offsetOf(admin, bytes)).toBeUndefined();
  expect(await stagedFiles(dataDir)).toEqual([]);
  expect((await stage(admin, bytes)).headers['upload-offset']).toBe('5000');
});

test('keeps a complete file when someone starts it with another length', async () => {
  const { admin } = await signedIn();
  const bytes = bigPdf(5000);
  await stage(admin, bytes);
  const headers = { ...TUS, 'upload-length': '4000', 'upload-metadata': metadataOf(sha256(bytes)) };
  const answer = await admin.send({ method: 'POST', url: STAGING_PATH, headers });
  expect([answer.statusCode, answer.json().code]).toEqual([460, 'checksum-mismatch']);
  expect(await offsetOf(admin, bytes)).toBe(5000);
});

test('refuses a video at its first piece, and a file that is too large before any', async () => {
  const { admin, dataDir } = await signedIn();
  const video = new Uint8Array(Buffer.alloc(300_000, '\0\0\0\x20ftypisom'));
  const first = await begin(admin, video, video.subarray(0, 64_000));
  const message = 'The file is neither a picture nor a PDF or Word document.';
  expect([first.statusCode, first.json()]).toEqual([415, { message, code: 'type-not-taken' }]);
  await begin(admin, video);
  expect((await sendPiece(admin, video, 0, 64_000)).statusCode).toBe(415);
  expect(await offsetOf(admin, video)).toBeUndefined();
  const upload = { 'upload-length': String(10 * 1024 * 1024 + 1), 'upload-metadata': metadataOf('0'.repeat(64)) };
  const large = await admin.send({ method: 'POST', url: STAGING_PATH, headers: { ...TUS, ...upload } });
  expect([large.statusCode, large.json().code]).toEqual([413, 'file-too-large']);
  expect(await stagedFiles(dataDir)).toEqual([]);
});

test('forgets an upload that its sender withdraws', async () => {
  const { admin, dataDir } = await signedIn();
  const bytes = bigPdf(5000);
  await stage(admin, bytes);
  const forget = () => admin.send({ method: 'DELETE', url: uploadOf(bytes), headers: TUS });
  expect((await forget()).statusCode).toBe(204);
  const again = await forget();
  expect([again.statusCode, again.json()]).toEqual([404, { message: 'There is no such upload.' }]);
  expect(await stagedFiles(dataDir)).toEqual([]);
});

test('limits a user’s staged files to the setting, and evicts used ones for new ones', async () => {
  const { admin } = await signedIn({ STAGING_MB: '1', MAX_FILE_MB: '1' });
  const [one, two, three] = ['one', 'two', 'three'].map((mark) => bigPdf(400_000, mark)) as [
    ReturnType<typeof bigPdf>,
    ReturnType<typeof bigPdf>,
    ReturnType<typeof bigPdf>,
  ];
  const photo = await picture('png');
  for (const file of [one, two, photo]) await stage(admin, file);
  const full = await begin(admin, three);
  const message = 'Too many files of yours wait here for their changes: at most 1 MB and 1000 files.';
  expect([full.statusCode, full.json()]).toEqual([507, { message, code: 'staging-full' }]);
  expect((await createWith(admin, [named('catalog', two), named('images', photo)])).statusCode).toBe(200);
  expect((await stage(admin, three)).statusCode).toBe(204);
  expect(await offsetOf(admin, one)).toBe(400_000);
  expect(await offsetOf(admin, two)).toBeUndefined();
});

test('evicts a user’s uploads idle for a day for new ones', async () => {
  let at = Date.parse('2026-11-20T12:00:00Z');
  const { admin } = await signedIn({ STAGING_MB: '1', MAX_FILE_MB: '1' }, { now: () => at });
  const [old, young] = [bigPdf(800_000, 'old'), bigPdf(800_000, 'young')];
  await begin(admin, old, old.subarray(0, 1000));
  expect((await begin(admin, young)).statusCode).toBe(507);
  at += DAY + 1;
  expect((await begin(admin, young)).statusCode).toBe(201);
  expect(await offsetOf(admin, old)).toBeUndefined();
});

test('evicts what a change has used before idle uploads, however recently it was used', async () => {
  let at = Date.parse('2026-11-20T12:00:00Z');
  const { admin } = await signedIn({ STAGING_MB: '1', MAX_FILE_MB: '1' }, { now: () => at });
  const [resting, used, young] = [bigPdf(400_000, 'resting'), bigPdf(400_000, 'used'), bigPdf(400_000, 'young')];
  await begin(admin, resting, resting.subarray(0, 1000));
  at += DAY + 1;
  const photo = await picture('png');
  for (const file of [used, photo]) await stage(admin, file);
  expect((await createWith(admin, [named('catalog', used), named('images', photo)])).statusCode).toBe(200);
  expect((await begin(admin, young)).statusCode).toBe(201);
  expect(await offsetOf(admin, resting)).toBe(1000);
  expect(await offsetOf(admin, used)).toBeUndefined();
});

test('accepts a file of exactly the limit, and states the limit to a larger one', async () => {
  const { admin } = await signedIn({ MAX_FILE_MB: '1' });
  expect((await begin(admin, bigPdf(1024 * 1024))).statusCode).toBe(201);
  const refused = await begin(admin, bigPdf(1024 * 1024 + 1));
  expect([refused.statusCode, refused.json()]).toEqual([
    413,
    { message: 'Too large: 1.1 MB. The limit is 1 MB.', code: 'file-too-large' },
  ]);
});

test('restarts with another length, and keeps a half-finished upload for its sender when a change names it', async () => {
  const { admin, app } = await signedIn();
  const bytes = bigPdf(5000);
  await app.services.staging.begin(1, sha256(bytes), 4000);
  await begin(admin, bytes, bytes.subarray(0, 2000));
  expect(await app.services.staging.progress(1, sha256(bytes))).toEqual({ offset: 2000, length: 5000 });
  expect((await createWith(admin, [named('catalog', bytes)])).statusCode).toBe(409);
  expect(await offsetOf(admin, bytes)).toBe(2000);
});

test('accepts nothing beyond the end of the file from a piece whose parts would each fit', async () => {
  const { app } = await signedIn();
  const { staging } = app.services;
  const bytes = Buffer.from(bigPdf(3000));
  const hash = sha256(bigPdf(3000));
  await staging.begin(1, hash, 3000);
  const content = Readable.from([bytes.subarray(0, 2000), bytes.subarray(0, 2000)]);
  await expect(staging.append(1, hash, { offset: 0, content })).rejects.toMatchObject({ status: 413 });
  expect(await staging.progress(1, hash)).toEqual({ offset: 2000, length: 3000 });
});
