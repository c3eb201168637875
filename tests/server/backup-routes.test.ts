import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { printSteps } from '../../server/ops/backup-steps.ts';
import type { BackupsPage } from '../../src/domain/protocol/backups.ts';
import { certifications } from '../../src/domain/resources/certifications.ts';
import type { ObjectStorage } from '../harness/object-storage.ts';
import { formOf, freshFolder, signedIn } from './harness.ts';
import { picture, valuesFor } from './samples.ts';
import { withObjectStorage } from './with-object-storage.ts';

let storage: ObjectStorage;

withObjectStorage((started) => (storage = started));

/** A server that keeps backups in a folder and in a bucket, with one record. */
async function withPlaces() {
  const folder = await freshFolder();
  const server = await signedIn({ BACKUP_DIR: folder, BACKUP_URL: storage.address(), BACKUP_KEY: 'x'.repeat(20) });
  const file = { field: 'image', bytes: await picture(), name: 'a.png', type: 'image/png' };
  await server.admin.post(certifications.endpoints.create, formOf(valuesFor(certifications.fields), [file]));
  const page = async () => (await server.admin.get('/api/backups')).json() as BackupsPage;
  const idle = () =>
    expect
      .poll(async () => (await server.admin.get('/api/backups/work')).json().running, { timeout: 60_000 })
      .toBe(undefined);
  return { ...server, folder, page, idle };
}

test('backs up on request into every place, and lists each backup with what was read back', async () => {
  const { admin, folder, page, idle } = await withPlaces();
  expect(await page()).toEqual({
    places: [
      { kind: 'folder', address: folder },
      { kind: 'bucket', address: 's3://uploads/site/' },
    ],
    backups: [],
    everyHours: 24,
    keep: 14,
    hasKey: true,
  });
  expect((await admin.post('/api/backups/work', {})).json()).toEqual({ message: 'Backup started' });
  const again = await admin.post('/api/backups/work', {});
  expect([again.statusCode, again.json().message]).toEqual([409, 'A backup or a rehearsal is already running.']);
  expect((await admin.get('/api/backups/work')).json().running.what).toBe('backup');
  await idle();
  const { backups, failure } = await page();
  expect(failure).toBeUndefined();
  const facts = { records: 1, files: 1, damaged: 0, isEncrypted: true, verifiedAt: expect.any(String) };
  expect(backups).toMatchObject([
    { place: 'folder', ...facts },
    { place: 'bucket', ...facts },
  ]);
  const [one] = backups;
  expect(one?.size).toBe((await readFile(join(folder, one?.name ?? ''))).length);

  await admin.post('/api/backups/rehearsals', { name: one?.name, place: 'bucket' });
  await idle();
  expect((await page()).rehearsal).toMatchObject({
    name: one?.name,
    place: 'bucket',
    result: { records: {}, damaged: [], total: { records: 1, files: 1 } },
    command: `npm run restore -- ${one?.name}`,
  });

  const { path } = (await admin.post('/api/backups/downloads', { name: one?.name, place: 'bucket' })).json();
  const download = await admin.get(path);
  expect(download.rawPayload).toEqual(await readFile(join(folder, one?.name ?? '')));
  expect(download.headers).toMatchObject({
    'content-disposition': `attachment; filename="${one?.name}"`,
    'cache-control': 'no-store',
  });
  expect((await admin.get(path)).statusCode).toBe(404);
});

test('shows a folder although the bucket cannot be used, and files of another name in neither', async () => {
  const { folder, page } = await withPlaces();
  await writeFile(join(folder, 'voltdesk-2026-11-28T12-00-00-000Z.voltdesk'), 'x');
  await writeFile(join(folder, 'secret.txt'), 'x');
  await mkdir(join(folder, 'voltdesk-2026-11-28T13-00-00-000Z.voltdesk'));
  storage.fault = 'refuse';
  const { places, backups } = await page();
  expect(places.map(({ problem }) => problem)).toEqual([undefined, expect.stringContaining('of BACKUP_URL cannot be')]);
  // nobody has read it back
  expect(backups).toEqual([
    {
      name: 'voltdesk-2026-11-28T12-00-00-000Z.voltdesk',
      place: 'folder',
      at: '2026-11-28T12:00:00.000Z',
      size: 1,
    },
  ]);
});

test('refuses names that are no backups, and says what is gone', async () => {
  const { admin } = await withPlaces();
  const ask = async (name: string, place = 'folder') =>
    (await admin.post('/api/backups/downloads', { name, place })).statusCode;
  expect([await ask('../data/voltdesk.sqlite'), await ask('', 'bucket')]).toEqual([422, 422]);
  expect(await ask('voltdesk-2026-11-28T12-00-00-000Z.voltdesk', 'attic')).toBe(422);
  expect(await ask('voltdesk-2026-11-28T12-00-00-000Z.voltdesk')).toBe(404);
});

test('says that no place is set up, and starts nothing', async () => {
  const { admin } = await signedIn();
  expect((await admin.get('/api/backups')).json()).toMatchObject({ places: [], backups: [] });
  const answer = await admin.post('/api/backups/work', {});
  expect([answer.statusCode, answer.json().message]).toEqual([
    409,
    'Set BACKUP_DIR or BACKUP_URL first, and restart the server.',
  ]);
});

test('keeps why a rehearsal failed', async () => {
  const { admin, folder, page, idle } = await withPlaces();
  const name = 'voltdesk-2026-11-28T12-00-00-000Z.voltdesk';
  await writeFile(join(folder, name), 'no backup at all');
  await admin.post('/api/backups/rehearsals', { name, place: 'folder' });
  await idle();
  const { failure, rehearsal } = await page();
  expect([failure, rehearsal]).toEqual([expect.stringContaining('is not encrypted'), undefined]);
});

test('prints every step, and the progress within one at a bearable pace', () => {
  const [printed, clock] = [[] as string[], { at: 0 }];
  const tell = printSteps(
    (line) => printed.push(line),
    () => clock.at,
  );
  tell('copy');
  for (const done of [0, 1, 2, 3]) {
    tell('files', done, 4);
    clock.at += 100;
  }
  expect(printed).toEqual([
    '{"step":"copy"}',
    '{"step":"files","done":0,"total":4}',
    '{"step":"files","done":2,"total":4}',
  ]);
});
