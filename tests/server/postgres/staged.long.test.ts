import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { clockOf } from '../../../server/stores/postgres/shared/clock.ts';
import { uploadsAmong } from '../../../server/stores/postgres/shared/uploads.ts';
import { realDisk } from '../../../server/uploads/disk.ts';
import { generators } from '../../../src/domain/resources/generators.ts';
import { PIECE_TYPE, TUS_VERSION } from '../../../src/domain/protocol/staging.ts';
import { signedIn } from '../harness.ts';
import { picture, sha256 } from '../samples.ts';
import { begin, bigPdf, createWith, named, offsetOf, sendPiece, stage, uploadOf } from '../staging-client.ts';
import { twoServers } from './two-servers.ts';
import '../staging.test.ts';
import '../staged-files.test.ts';
import '../sent-files.test.ts';

const DAY = 24 * 60 * 60_000;

test('continues an upload on the other server, and creates a record from it on either', async () => {
  const { one, here, there } = await twoServers();
  const bytes = bigPdf(900_000);
  await begin(here, bytes, bytes.subarray(0, 300_001));
  expect(await offsetOf(there, bytes)).toBe(300_001);
  expect((await sendPiece(there, bytes, 300_001, 300_000)).headers['upload-offset']).toBe('600001');
  expect((await sendPiece(there, bytes, 300_001)).headers['upload-offset']).toBe('600001');
  expect((await sendPiece(here, bytes, 600_001)).headers['upload-offset']).toBe('900000');
  const photo = await picture('png');
  await stage(there, photo);
  const made = await createWith(here, [named('catalog', bytes), named('images', photo)]);
  const record = await there.get(`${generators.endpoints.single}/${made.json().id}`);
  expect(sha256(await readFile(join(one.dataDir, 'uploads', record.json().catalog)))).toBe(sha256(bytes));
});

test('adds nothing from a piece still arriving at one server to the offset reported by the other', async () => {
  const { one, here, there } = await twoServers();
  const kept = async () =>
    (await sql<{ size: number }>`SELECT size FROM staged_uploads`.execute(one.app.services.db)).rows[0]?.size;
  const bytes = bigPdf(900_000);
  await begin(here, bytes);
  const payload = new PassThrough();
  const headers = { 'tus-resumable': TUS_VERSION, 'content-type': PIECE_TYPE, 'upload-offset': '0' };
  const arriving = here.send({ method: 'PATCH', url: uploadOf(bytes), headers, payload });
  payload.write(bytes.subarray(0, 300_000));
  await expect.poll(kept).toBeGreaterThan(0);
  const told = (await offsetOf(there, bytes)) ?? 0;
  payload.end(bytes.subarray(300_000));
  expect((await arriving).statusCode).toBe(409);
  expect(await offsetOf(there, bytes)).toBe(told);
  expect((await sendPiece(there, bytes, told)).headers['upload-offset']).toBe('900000');
});

test('counts a user’s staged files across both servers', async () => {
  const { here, there } = await twoServers({ STAGING_MB: '1', MAX_FILE_MB: '1' });
  await begin(here, bigPdf(800_000, 'first'));
  const refused = await begin(there, bigPdf(800_000, 'second'));
  expect([refused.statusCode, refused.json().code]).toEqual([507, 'staging-full']);
  expect(await offsetOf(there, bigPdf(800_000, 'second'))).toBeUndefined();
  expect((await begin(there, bigPdf(200_000, 'third'))).statusCode).toBe(201);
});

test('takes files from the disk all at once or not at all, and none that is being sent already', async () => {
  const { admin, app, dataDir } = await signedIn();
  const uploads = uploadsAmong(app.services.db, clockOf(undefined), realDisk);
  const fileOf = async (bytes: Uint8Array, name: string, onDisk = bytes) => {
    const path = join(dataDir, name);
    await writeFile(path, onDisk);
    return { userId: 1, sha256: sha256(bytes), length: bytes.length, state: 'part', path } as const;
  };
  const [sent, other] = [bigPdf(700_000, 'sent'), bigPdf(600_000, 'other')];
  const counted: number[] = [];
  const count = async () => void counted.push((await uploads.of(1)).length);

  const wrong = await fileOf(other, 'wrong.pdf', other.with(500_000, 0));
  await expect(uploads.takeFiles?.([await fileOf(sent, 'a.pdf'), wrong], count)).rejects.toMatchObject({ status: 460 });
  expect([counted, await uploads.of(1)]).toEqual([[2], []]);
  const full = async () => {
    throw new Error('There is no room.');
  };
  await expect(uploads.takeFiles?.([await fileOf(sent, 'a.pdf')], full)).rejects.toThrow('There is no room.');
  expect(await uploads.of(1)).toEqual([]);

  await begin(admin, sent, sent.subarray(0, 300_000));
  await uploads.takeFiles?.([await fileOf(sent, 'a.pdf'), await fileOf(other, 'b.pdf')], count);
  expect(await offsetOf(admin, sent)).toBe(300_000);
  expect(await uploads.find(1, sha256(other))).toMatchObject({ state: 'used', length: other.length });
  expect(await uploads.isRight(await fileOf(other, 'b.pdf'))).toBe(true);
});

test('adds nothing to a complete upload', async () => {
  const { app } = await signedIn();
  const uploads = uploadsAmong(app.services.db, clockOf(undefined), realDisk);
  const bytes = bigPdf(3000);
  const upload = { userId: 1, sha256: sha256(bytes), length: bytes.length, state: 'part' } as const;
  await uploads.begin(upload);
  const arriving = await uploads.open(upload, 0);
  await arriving.write(bytes);
  await arriving.flush();
  await uploads.become(upload, 'whole');
  await arriving.write(bytes);
  await expect(arriving.flush()).rejects.toMatchObject({ status: 409 });
  expect(await uploads.sizeOf(upload)).toBe(bytes.length);
});

test('refuses a damaged staged file for a record, and stages it again', async () => {
  const { admin, app } = await signedIn();
  const bytes = bigPdf(300_000);
  const photo = await picture('png');
  const files = [named('catalog', bytes), named('images', photo)];
  for (const file of [bytes, photo]) await stage(admin, file);
  await sql`UPDATE staged_pieces SET bytes = set_byte(bytes, 5, 0) WHERE sha256 = ${sha256(bytes)} AND at = 0`.execute(
    app.services.db,
  );
  const refused = await createWith(admin, files);
  expect([refused.statusCode, refused.json().code, refused.json().missing]).toEqual([
    409,
    'stage-again',
    [sha256(bytes)],
  ]);
  await stage(admin, bytes);
  expect((await createWith(admin, files)).statusCode).toBe(200);
});

test('removes what no one touched for 30 days, with its pieces', async () => {
  let at = Date.parse('2026-11-20T12:00:00Z');
  const { admin, app } = await signedIn({}, { now: () => at });
  const [old, young] = [bigPdf(5000, 'old'), bigPdf(6000, 'young')];
  await stage(admin, old);
  at += 20 * DAY;
  await admin.signIn();
  await stage(admin, young);
  at += 11 * DAY;
  await admin.signIn();
  await begin(admin, bigPdf(7000));
  expect([await offsetOf(admin, old), await offsetOf(admin, young)]).toEqual([undefined, 6000]);
  const { rows } = await sql<{ sha256: string }>`SELECT sha256 FROM staged_pieces`.execute(app.services.db);
  expect(rows).toEqual([{ sha256: sha256(young) }]);
});
