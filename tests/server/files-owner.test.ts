import { cp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { adopt } from '../../server/commands/adopt.ts';
import { assertDatabase, databasePath } from '../../server/stores/sqlite/database-file.ts';
import { MARKER } from '../../server/uploads/marker.ts';
import { findingsOf, HEALTH_PATH } from '../../src/domain/protocol/health.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { create } from './feed-client.ts';
import { freshFolder, signedIn, startServer } from './harness.ts';

const DAY = 24 * 60 * 60 * 1000;

/** Runs a server on a data folder, adds a record with a photo for every mark, and stops it. */
async function withPhotos(dataDir: string, ...marks: readonly string[]): Promise<void> {
  const { admin, app } = await signedIn({ DATA_DIR: dataDir });
  for (const mark of marks) await create(admin, partners, mark);
  await app.services.sizes.done();
  await app.close();
}

const newFolder = async () => join(await freshFolder(), 'data');
const settingsOf = (dataDir: string) => ({ dataDir, databaseUrl: '', uploadsUrl: '' });
const photosIn = async (dataDir: string) =>
  (await readdir(join(dataDir, 'uploads')).catch(() => [])).filter((name) => !name.startsWith('.')).toSorted();

/** Asserts that a server refuses to start with these words, and leaves every file where it is. */
async function expectRefusal(dataDir: string, words: RegExp): Promise<void> {
  const before = await photosIn(dataDir);
  await expect(startServer({ DATA_DIR: dataDir })).rejects.toThrow(words);
  expect(await photosIn(dataDir)).toEqual(before);
}

test.each([
  ['missing', (path: string) => rm(path)],
  ['empty', (path: string) => writeFile(path, '')],
])('refuses to start beside files whose database is %s, and starts anew on request', async (_what, lose) => {
  const dataDir = await newFolder();
  await withPhotos(dataDir, 'one', 'two');
  await lose(databasePath(dataDir));
  await expectRefusal(dataDir, /database is missing or empty.*npm run restore.*npm run adopt/);
  expect(() => assertDatabase(dataDir)).toThrow('There is no database');
  await adopt(settingsOf(dataDir));
  const { admin } = await signedIn({ DATA_DIR: dataDir });
  expect(await photosIn(dataDir)).toHaveLength(2);
  expect((await admin.get(HEALTH_PATH)).json().files).toMatchObject({ unnamed: 2 });
});

test('refuses to start on an older database, and goes on when the newer one is back', async () => {
  const [dataDir, older] = [await newFolder(), join(await freshFolder(), 'older')];
  await withPhotos(dataDir, 'one');
  await cp(databasePath(dataDir), older);
  await withPhotos(dataDir, 'two');
  const newer = join(await freshFolder(), 'newer');
  await rename(databasePath(dataDir), newer);
  await cp(older, databasePath(dataDir));
  await expectRefusal(dataDir, /files of a later state.*npm run adopt/);
  await rename(newer, databasePath(dataDir));
  const { admin } = await signedIn({ DATA_DIR: dataDir });
  expect((await admin.get(HEALTH_PATH)).json().files).toBeUndefined();
});

test('recognizes a database that is older by one change', async () => {
  const [dataDir, older] = [await newFolder(), join(await freshFolder(), 'older')];
  const { admin, app } = await signedIn({ DATA_DIR: dataDir });
  await create(admin, partners, 'one');
  await app.services.sizes.done();
  await cp(dataDir, older, { recursive: true });
  await create(admin, partners, 'two');
  await app.services.sizes.done();
  await app.close();
  await cp(databasePath(older), databasePath(dataDir));
  await cp(`${databasePath(older)}-wal`, `${databasePath(dataDir)}-wal`);
  await expectRefusal(dataDir, /files of a later state/);
});

test('refuses the files of another installation', async () => {
  const [one, other] = [await newFolder(), await newFolder()];
  await withPhotos(one, 'one');
  await withPhotos(other, 'two');
  await rm(join(other, 'uploads'), { recursive: true });
  await cp(join(one, 'uploads'), join(other, 'uploads'), { recursive: true });
  await expectRefusal(other, /files of another installation.*npm run adopt/);
});

test('refuses a folder without the files, and starts without them on request', async () => {
  const dataDir = await newFolder();
  await withPhotos(dataDir, 'one', 'two');
  await rm(join(dataDir, 'uploads'), { recursive: true });
  await expectRefusal(dataDir, /none of the files that the database names/);
  await adopt(settingsOf(dataDir));
  await signedIn({ DATA_DIR: dataDir });
});

test('marks the files of an earlier version at its first start', async () => {
  const dataDir = await newFolder();
  await withPhotos(dataDir, 'one');
  await rm(join(dataDir, 'uploads', MARKER));
  await withPhotos(dataDir, 'two');
  expect(await readdir(join(dataDir, 'uploads'))).toContain(MARKER);
});

test('explains a damaged marker', async () => {
  const dataDir = await newFolder();
  await withPhotos(dataDir, 'one');
  await writeFile(join(dataDir, 'uploads', MARKER), '{');
  await expectRefusal(dataDir, /is damaged. npm run adopt/);
});

test('keeps a file that no record names for 30 days, told in Health', async () => {
  const dataDir = await newFolder();
  let now = Date.parse('2026-11-28T12:00:00Z');
  const stray = join(dataDir, 'uploads', `${'a'.repeat(40)}.png`);
  await withPhotos(dataDir, 'one');
  await writeFile(stray, 'photo');
  const started = async () => {
    const { admin, app } = await signedIn({ DATA_DIR: dataDir }, { now: () => now });
    const health = (await admin.get(HEALTH_PATH)).json();
    await app.close();
    const finding = findingsOf(health, now).find(({ subject }) => subject === 'Files');
    return [(await photosIn(dataDir)).length, finding?.state, finding?.text];
  };
  const text = '1 file without a record. Kept for 30 days, the first for 30 more days.';
  expect(await started()).toEqual([2, 'warning', text]);
  now += 29 * DAY;
  expect(await started()).toEqual([2, 'warning', text.replace('30 more days', '1 more day')]);
  now += DAY + 1;
  expect(await started()).toEqual([1, undefined, undefined]);
});

test('removes nothing once another database has taken over the files', async () => {
  const dataDir = await newFolder();
  const { admin, app } = await signedIn({ DATA_DIR: dataDir, TRASH_DAYS: '0' });
  const id = await create(admin, partners, 'one');
  await app.services.sizes.done();
  const other = await newFolder();
  await withPhotos(other);
  await cp(join(other, 'uploads', MARKER), join(dataDir, 'uploads', MARKER));
  await admin.post(`${partners.endpoints.delete}/${id}`, undefined);
  await app.services.removal.done();
  expect(await photosIn(dataDir)).toHaveLength(1);
  expect((await admin.get(HEALTH_PATH)).json().files).toMatchObject({ isForeign: true });
});
