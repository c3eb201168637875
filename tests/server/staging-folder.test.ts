import { appendFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { StagingFolder } from '../../server/staging/staging-folder.ts';
import { type Disk, type NewFile, realDisk } from '../../server/uploads/disk.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { formOf, freshFolder, signedIn } from './harness.ts';
import { filesFor, picture, sha256, valuesFor } from './samples.ts';
import {
  begin,
  bigPdf,
  createWith,
  named,
  offsetOf,
  sendPiece,
  stage,
  stagedFiles,
  uploadOf,
} from './staging-client.ts';

const DAY = 24 * 60 * 60_000;

const TUS = { 'tus-resumable': '1.0.0' };

test('accepts at most a thousand uploads per user, however small', async () => {
  const { admin, app, dataDir } = await signedIn();
  await begin(admin, bigPdf(1000));
  const folder = join(dataDir, 'staging', '1');
  const names = Array.from({ length: 999 }, (_, index) => `${sha256(Buffer.from(String(index)))}.1.part`);
  const now = new Date(app.services.now());
  await Promise.all(
    names.map((name) => writeFile(join(folder, name), '').then(() => utimes(join(folder, name), now, now))),
  );
  expect((await begin(admin, bigPdf(2000))).statusCode).toBe(507);
});

test.each(['append', 'write', 'flush'] as const)(
  'reports a full disk at the %s, and continues once there is space',
  async (step) => {
    const state = { full: false };
    const refuse = () => {
      if (state.full) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    };
    const append: Disk['append'] = async (path) => {
      if (step === 'append') refuse();
      const file = await realDisk.append(path);
      const write: NewFile['write'] = async (bytes) => {
        await file.write(bytes.subarray(0, bytes.length / 2));
        if (step === 'write') refuse();
        await file.write(bytes.subarray(bytes.length / 2));
      };
      const flush = async () => (step === 'flush' ? refuse() : undefined, file.flush());
      return { ...file, write, flush };
    };
    const { admin } = await signedIn({}, { disk: { ...realDisk, append } });
    const bytes = bigPdf(9000);
    await begin(admin, bytes, bytes.subarray(0, 3000));
    state.full = true;
    const answer = await sendPiece(admin, bytes, 3000, 3000);
    expect([answer.statusCode, answer.json()]).toEqual([
      503,
      { message: "The server's disk is full. Nothing was changed.", code: 'storage' },
    ]);
    state.full = false;
    const offset = (await offsetOf(admin, bytes)) ?? 0;
    expect(offset).toBeGreaterThanOrEqual(3000);
    expect((await sendPiece(admin, bytes, offset)).headers['upload-offset']).toBe('9000');
  },
);

test('removes what no one touched for 30 days, at start and in between', async () => {
  let at = Date.parse('2026-11-20T12:00:00Z');
  const dataDir = await freshFolder();
  const { admin, app } = await signedIn({ DATA_DIR: dataDir }, { now: () => at });
  const [old, young] = [bigPdf(5000, 'old'), bigPdf(5000, 'young')];
  await stage(admin, old);
  at += 20 * DAY;
  await admin.signIn();
  await stage(admin, young);
  at += 11 * DAY;
  await admin.signIn();
  await begin(admin, bigPdf(6000));
  expect((await stagedFiles(dataDir)).map((name) => name.split('.')[1])).toEqual(
    expect.arrayContaining(['5000', '6000']),
  );
  expect(await stagedFiles(dataDir)).toHaveLength(2);
  await app.close();
  at += 31 * DAY;
  await signedIn({ DATA_DIR: dataDir }, { now: () => at });
  expect(await stagedFiles(dataDir)).toEqual([]);
});

test('dates the last touch by its own clock, even when a piece was refused half-way', async () => {
  const { admin, app, dataDir } = await signedIn({}, { now: () => Date.parse('2020-01-01T00:00:00Z') });
  const bytes = bigPdf(5000);
  await begin(admin, bytes);
  const path = join(dataDir, 'staging', '1', `${sha256(bytes)}.5000.part`);
  expect((await stat(path)).mtimeMs).toBe(app.services.now());
  await sendPiece(admin, bytes, 0, 2000);
  const more = Buffer.concat([bytes.subarray(2000), Buffer.alloc(9)]);
  const headers = { ...TUS, 'content-type': 'application/offset+octet-stream', 'upload-offset': '2000' };
  expect((await admin.send({ method: 'PATCH', url: uploadOf(bytes), headers, payload: more })).statusCode).toBe(413);
  expect((await stat(path)).mtimeMs).toBe(app.services.now());
});

test('checks what a killed server had written but not yet checked', async () => {
  const { admin, dataDir } = await signedIn();
  const [bytes, damaged] = [bigPdf(5000, 'whole'), bigPdf(5000, 'damaged')];
  for (const file of [bytes, damaged]) await begin(admin, file, file.subarray(0, 4000));
  const partOf = (file: typeof bytes) => join(dataDir, 'staging', '1', `${sha256(file)}.5000.part`);
  await appendFile(partOf(bytes), bytes.subarray(4000));
  await appendFile(partOf(damaged), Buffer.alloc(1000));
  expect(await offsetOf(admin, bytes)).toBe(5000);
  expect(await offsetOf(admin, damaged)).toBeUndefined();
  expect((await begin(admin, damaged)).headers['upload-offset']).toBe('0');
});

test('refuses a staged file that the disk has damaged, and has it staged again', async () => {
  const { admin, dataDir } = await signedIn();
  const [bytes, photo] = [bigPdf(5000), await picture('png')];
  const files = [named('catalog', bytes), named('images', photo)];
  for (const file of [bytes, photo]) await stage(admin, file);
  const spoilt = Buffer.from(bytes);
  spoilt[3000] = 7;
  await writeFile(join(dataDir, 'staging', '1', `${sha256(bytes)}.5000.whole`), spoilt);
  const refused = await createWith(admin, files);
  expect([refused.statusCode, refused.json()]).toMatchObject([409, { missing: [sha256(bytes)] }]);
  expect((await begin(admin, bytes)).headers['upload-offset']).toBe('0');
  expect((await stage(admin, bytes)).statusCode).toBe(204);
  expect((await createWith(admin, files)).statusCode).toBe(200);
});

test('removes untouched uploads of all users, and counts the last use by a change as a touch', async () => {
  let at = Date.parse('2026-11-20T12:00:00Z');
  const { app, dataDir } = await signedIn({}, { now: () => at });
  const { staging } = app.services;
  const [missing, one, other] = ['0', '1', '2'].map((mark) => sha256(bigPdf(100, mark))) as [string, string, string];
  const put = async (userId: number, mark: string) => {
    const bytes = bigPdf(100, mark);
    await staging.begin(userId, sha256(bytes), 100);
    await staging.append(userId, sha256(bytes), { offset: 0, content: Readable.from([Buffer.from(bytes)]) });
  };
  for (const userId of [1, 2, 3]) await put(userId, '1');
  await put(3, '2');
  at += 29 * DAY;
  // a missing one is no reason to skip the others
  await staging.noteUse(3, [missing, one, other]);
  at += 2 * DAY;
  await staging.sweep();
  expect((await stagedFiles(dataDir)).toSorted()).toEqual([`${one}.100.used`, `${other}.100.used`].toSorted());
});

test('keeps a staged file for its waiting change when the same file is attached to another one', async () => {
  const { admin, dataDir } = await signedIn();
  const bytes = bigPdf(1000);
  await stage(admin, bytes);
  const files = (await filesFor(generators)).map((file) => (file.field === 'catalog' ? { ...file, bytes } : file));
  const form = formOf(valuesFor(generators.fields), files);
  expect((await admin.post(generators.endpoints.create, form)).statusCode).toBe(200);
  expect(await stagedFiles(dataDir)).toEqual([`${sha256(bytes)}.1000.whole`]);
});

test('keeps staged files unreadable for other users of the machine', async () => {
  const { admin, dataDir } = await signedIn();
  const bytes = bigPdf(5000);
  await begin(admin, bytes, bytes.subarray(0, 2000));
  const [part = ''] = await stagedFiles(dataDir);
  expect((await stat(join(dataDir, 'staging', '1', part))).mode & 0o777).toBe(0o600);
});

test('ignores foreign files in its folder, and leaves them there', async () => {
  const folder = await freshFolder();
  const uploads = new StagingFolder({ folder, disk: realDisk, now: Date.now });
  const one = { userId: 1, sha256: sha256(Buffer.from('one')), length: 3, state: 'part' } as const;
  await uploads.begin(one);
  const stray = join(folder, '1', '.DS_Store');
  await writeFile(stray, 'x');
  expect(await uploads.of(1)).toMatchObject([one]);
  await uploads.removeResting(-1);
  expect(await uploads.of(1)).toEqual([]);
  expect((await stat(stray)).size).toBe(1);
});
