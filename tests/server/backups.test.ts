import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backUp, backUpTo } from '../../server/commands/backup.ts';
import { restore } from '../../server/commands/restore.ts';
import { backupNotesIn } from '../../server/ops/last-backup.ts';
import { CannotUnseal, isSealed, seal, unseal } from '../../server/ops/sealed-file.ts';
import { readSettings } from '../../server/settings/settings.ts';
import { certifications } from '../../src/domain/resources/certifications.ts';
import { ADMIN, formOf, freshFolder, signedIn, startServer } from './harness.ts';
import { startProcess } from './process.ts';
import { picture, valuesFor } from './samples.ts';

const KEY = 'a key of twenty letters and more';
const DAY = 24 * 60 * 60 * 1000;
const TODAY = Date.parse('2026-11-22T02:30:00Z');

/** A server with one record, identified by its title, and its picture. */
async function withRecord(environment: Record<string, string> = {}) {
  const server = await signedIn(environment);
  const file = { field: 'image', bytes: await picture(), name: 'a.png', type: 'image/png' };
  await server.admin.post(certifications.endpoints.create, formOf(valuesFor(certifications.fields, 'kept'), [file]));
  const [{ image }] = (await server.admin.get(`${certifications.endpoints.list}?full=1`)).json();
  return { ...server, image: image as string };
}

/** What a server on that folder has: its certifications, and whether their pictures exist. */
async function contentOf(dataDir: string) {
  const { admin } = await signedIn({ DATA_DIR: dataDir });
  const rows = (await admin.get(`${certifications.endpoints.list}?full=1`)).json() as { image: string }[];
  const pictures = await Promise.all(rows.map(async ({ image }) => (await admin.get(`/uploads/${image}`)).statusCode));
  return { images: rows.map(({ image }) => image), pictures };
}

test('reveals nothing in an encrypted backup, and restores everything with its key', async () => {
  const { dataDir, image } = await withRecord();
  const file = join(await freshFolder(), 'one.voltdesk');
  await backUp(dataDir, file, KEY);
  const bytes = await readFile(file);
  for (const told of ['SQLite format', ADMIN.email, image]) expect(bytes.includes(told)).toBe(false);
  expect([await isSealed(file), (await stat(file)).mode & 0o777]).toEqual([true, 0o600]);
  expect((await readdir(dataDir)).filter((name) => name.includes('.part'))).toEqual([]);

  const elsewhere = await freshFolder();
  await expect(restore({ dataDir: elsewhere, file, now: TODAY })).rejects.toThrow('is encrypted. BACKUP_KEY');
  await expect(restore({ dataDir: elsewhere, file, now: TODAY, key: `${KEY}!` })).rejects.toThrow(CannotUnseal);
  expect(await readdir(elsewhere)).toEqual(['lock.sqlite']);
  await restore({ dataDir: elsewhere, file, now: TODAY, key: KEY });
  expect(await contentOf(elsewhere)).toEqual({ images: [image], pictures: [200] });
});

const PIECE = 1024 * 1024;

test.each([0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE])('opens a sealed file of %i bytes unchanged', async (size) => {
  const [plain, sealed, opened] = ['plain', 'sealed', 'opened'] as const;
  const folder = await freshFolder();
  const path = (name: string) => join(folder, name);
  await writeFile(path(plain), randomBytes(size));
  await seal(path(plain), path(sealed), KEY);
  await unseal(path(sealed), path(opened), KEY);
  expect((await readFile(path(opened))).equals(await readFile(path(plain)))).toBe(true);
  // files of every version are to be opened: no piece is empty but that of an empty file
  const pieces = Math.max(1, Math.ceil(size / PIECE));
  expect((await stat(path(sealed))).size).toBe(18 + 16 + size + pieces * 16);
});

test('seals the same file differently each time, though the key is the same', async () => {
  const folder = await freshFolder();
  await writeFile(join(folder, 'plain'), randomBytes(PIECE));
  for (const name of ['one', 'other']) await seal(join(folder, 'plain'), join(folder, name), KEY);
  const [one, other] = await Promise.all(['one', 'other'].map((name) => readFile(join(folder, name))));
  expect(one?.subarray(40, 56).equals(other?.subarray(40, 56) ?? one)).toBe(false);
});

test('refuses to open a sealed file whose pieces changed places', async () => {
  const folder = await freshFolder();
  await writeFile(join(folder, 'plain'), randomBytes(4 * PIECE));
  await seal(join(folder, 'plain'), join(folder, 'sealed'), KEY);
  const whole = await readFile(join(folder, 'sealed'));
  const [head, frame] = [18 + 16, PIECE + 16];
  const piece = (place: number) => whole.subarray(head + place * frame, head + (place + 1) * frame);
  for (const order of [
    [1, 0, 2, 3],
    [2, 1, 0, 3],
  ]) {
    await writeFile(join(folder, 'sealed'), Buffer.concat([whole.subarray(0, head), ...order.map(piece)]));
    await expect(unseal(join(folder, 'sealed'), join(folder, order.join('')), KEY)).rejects.toThrow(CannotUnseal);
  }
});

test('refuses to open a sealed file that was changed, cut off or recombined', async () => {
  const folder = await freshFolder();
  const path = (name: string) => join(folder, name);
  await writeFile(path('plain'), randomBytes(2 * PIECE + 10));
  await seal(path('plain'), path('sealed'), KEY);
  const whole = await readFile(path('sealed'));
  const [head, frame] = [18 + 16, PIECE + 16];
  const changed = Buffer.from(whole);
  changed[head + frame + 5] = (changed[head + frame + 5] ?? 0) ^ 1;
  const first = whole.subarray(head, head + frame);
  const second = whole.subarray(head + frame, head + 2 * frame);
  const damaged = {
    changed,
    cut: whole.subarray(0, head + 2 * frame),
    emptied: whole.subarray(0, head),
    swapped: Buffer.concat([whole.subarray(0, head), second, first, whole.subarray(head + 2 * frame)]),
    otherSalt: Buffer.concat([whole.subarray(0, 20), Buffer.from([1, 2, 3]), whole.subarray(23)]),
  };
  for (const [name, bytes] of Object.entries(damaged)) {
    await writeFile(path(name), bytes);
    await expect(unseal(path(name), path(`${name}-opened`), KEY)).rejects.toThrow(CannotUnseal);
  }
});

test('keeps the newest backups of a folder, and every file that is not a backup', async () => {
  const { dataDir } = await startServer();
  const folder = join(await freshFolder(), 'backups');
  await mkdir(folder);
  const others = ['by-hand.voltdesk', 'copy-of-voltdesk-2026-11-01T00-00-00-000Z.voltdesk'];
  const old = 'voltdesk-2026-11-01T00-00-00-000Z.voltdesk.old';
  for (const name of [...others, old]) await writeFile(join(folder, name), 'mine');
  await writeFile(join(folder, 'voltdesk-2026-11-01T00-00-00-000Z.voltdesk.part'), 'of a killed one');
  await utimes(join(folder, 'voltdesk-2026-11-01T00-00-00-000Z.voltdesk.part'), 1, 1);
  for (let day = 0; day < 4; day += 1) await backUpTo(dataDir, { folder, keep: 2, key: '', now: TODAY + day * DAY });
  expect((await readdir(folder)).toSorted()).toEqual([
    ...others,
    old,
    'voltdesk-2026-11-24T02-30-00-000Z.voltdesk',
    'voltdesk-2026-11-25T02-30-00-000Z.voltdesk',
  ]);
  expect(await backupNotesIn(dataDir).last()).toMatchObject({
    file: expect.stringContaining('2026-11-25'),
    damaged: 0,
  });
});

test('makes a backup with npm run backup -- --to DIR --keep 1, and reports unknown arguments', async () => {
  const { dataDir } = await startServer();
  const folder = await freshFolder();
  const command = (...words: string[]) => {
    const env = { ...process.env, DATA_DIR: dataDir, BACKUP_KEY: KEY };
    const { status, stdout, stderr } = spawnSync(process.execPath, ['server/cli.ts', 'backup', ...words], {
      env,
      encoding: 'utf8',
    });
    return { status, said: stdout + stderr };
  };
  for (const _ of [1, 2]) expect(command('--to', folder, '--keep', '1')).toMatchObject({ status: 0 });
  const [name = '', ...others] = await readdir(folder);
  expect([others, await isSealed(join(folder, name))]).toEqual([[], true]);
  const two = [join(folder, 'one'), join(folder, 'other')];
  for (const words of [[], ['--to', folder, '--keep', '0'], ['--to', folder, 'file'], ['--too', folder], two])
    expect(command(...words)).toMatchObject({ status: 1 });
  expect(await readdir(folder)).toEqual([name]);
});

test('makes backups by itself, and not again before they are due', async () => {
  const [DATA_DIR, BACKUP_DIR] = [await freshFolder(), join(await freshFolder(), 'backups')];
  const settings = { DATA_DIR, BACKUP_DIR, BACKUP_KEY: KEY, ADMIN_PASSWORD: ADMIN.password, LOG_LEVEL: 'info' };
  const first = startProcess(settings);
  await first.listening();
  await expect.poll(first.output).toContain('backup made');
  const [name = ''] = await readdir(BACKUP_DIR);
  expect(await isSealed(join(BACKUP_DIR, name))).toBe(true);
  first.child.kill('SIGTERM');
  expect(await first.ended).toBe(0);

  const second = startProcess({ ...settings, BACKUP_DIR: join(BACKUP_DIR, 'not-yet') });
  await second.listening();
  await expect.poll(() => existsSync(join(DATA_DIR, 'app-files'))).toBe(true);
  expect([existsSync(join(BACKUP_DIR, 'not-yet')), second.output().includes('backup')]).toEqual([false, false]);
});

test('logs a failed backup and keeps serving', async () => {
  const BACKUP_DIR = join(await freshFolder(), 'a-file');
  await writeFile(BACKUP_DIR, '');
  const server = startProcess({ DATA_DIR: await freshFolder(), BACKUP_DIR, LOG_LEVEL: 'info' });
  const address = await server.listening();
  await expect.poll(server.output).toContain('backup failed: ');
  expect((await fetch(`${address}/healthz`)).status).toBe(200);
});

test('ignores a damaged record of the last backup', async () => {
  const { dataDir } = await startServer();
  await backUp(dataDir, join(await freshFolder(), 'one.voltdesk'));
  await truncate(join(dataDir, 'last-backup.json'), 5);
  expect(await backupNotesIn(dataDir).last()).toBeUndefined();
});

test('names invalid backup settings', () => {
  const environment = { BACKUP_KEY: 'short', BACKUP_EVERY_HOURS: '0', BACKUP_DIR: '/b', API_URL: 'http://back.end' };
  for (const name of ['BACKUP_KEY', 'BACKUP_EVERY_HOURS', 'BACKUP_DIR'])
    expect(() => readSettings(environment)).toThrow(`  ${name}: `);
});
