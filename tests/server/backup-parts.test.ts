import { mkdirSync, readdirSync } from 'node:fs';
import { mkdir, readdir, readlink, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { backUp, backUpTo } from '../../server/commands/backup.ts';
import { inPassingFolder, openInstallation } from '../../server/commands/installation.ts';
import { restore } from '../../server/commands/restore.ts';
import { lockDataFolder } from '../../server/stores/sqlite/sqlite-lock.ts';
import { exists } from '../../server/uploads/disk.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { formOf, freshFolder, signedIn } from './harness.ts';
import { filesFor, valuesFor } from './samples.ts';

const KEY = 'a key of twenty letters and more';
const HOUR = 60 * 60_000;

/** A server with one record and its files. */
async function withRecord() {
  const server = await signedIn();
  const form = formOf(valuesFor(generators.fields), await filesFor(generators));
  await server.admin.post(generators.endpoints.create, form);
  return { ...server, folder: await freshFolder() };
}

/** Puts files into a folder, last changed the given number of hours ago. */
async function put(folder: string, names: readonly string[], hours: number): Promise<void> {
  const at = new Date(Date.now() - hours * HOUR);
  for (const name of names) {
    await writeFile(join(folder, name), 'left');
    await utimes(join(folder, name), at, at);
  }
}

const partsIn = async (folder: string) => (await readdir(folder)).filter((name) => name.includes('.part')).toSorted();

test('removes what killed backups left, but nothing of one that may still be running', async () => {
  const { dataDir, folder } = await withRecord();
  const old = ['backup-1.voltdesk.part', 'backup-1.voltdesk.part-journal'];
  const young = ['backup-2.voltdesk.part', 'backup-2.voltdesk.part-journal'];
  const others = ['somebody-else.part', 'backup.voltdesk.partly'];
  for (const place of [dataDir, folder]) {
    await put(place, [...old, ...others], 7);
    await put(place, young, 5);
  }
  await mkdir(join(dataDir, 'backup-3.voltdesk.part', 'uploads'), { recursive: true });
  await backUpTo(dataDir, { folder, keep: 2, key: '', now: Date.now() });
  expect(await partsIn(dataDir)).toEqual([...young, ...others].toSorted());
  expect(await partsIn(folder)).toEqual([...young, ...others].toSorted());
});

test('makes the backup folder accessible to this user only', async () => {
  const { dataDir, folder } = await withRecord();
  const own = join(folder, 'own', 'backups');
  await backUpTo(dataDir, { folder: own, keep: 2, key: '', now: Date.now() });
  expect((await stat(own)).mode & 0o777).toBe(0o700);
});

test('writes only sealed bytes to the target of an encrypted backup, and leaves nothing when it fails', async () => {
  const { dataDir, folder } = await withRecord();
  const seen = new Set<string>();
  const target = join(folder, 'one.voltdesk');
  const work = { isDone: false };
  const running = backUp(dataDir, target, KEY).finally(() => (work.isDone = true));
  while (!work.isDone) {
    for (const name of readdirSync(folder)) seen.add(name);
    await setImmediate();
  }
  await running;
  expect([...seen].filter((name) => name !== 'one.voltdesk')).toEqual(['one.voltdesk.part']);

  const other = join(folder, 'other.voltdesk');
  const failing = backUp(dataDir, other, KEY);
  mkdirSync(join(other, 'taken'), { recursive: true });
  await expect(failing).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST|ENOTDIR/);
  expect((await readdir(folder)).toSorted()).toEqual(['one.voltdesk', 'other.voltdesk']);
  expect(await partsIn(dataDir)).toEqual([]);
});

test('leaves nothing in the data folder of a failed restore, and releases its lock', async () => {
  const folder = await freshFolder();
  const dataDir = join(folder, 'data');
  await mkdir(dataDir);
  await writeFile(join(folder, 'none'), 'no backup');
  await expect(restore({ dataDir, file: join(folder, 'none'), now: 0 })).rejects.toThrow('cannot be read as a backup');
  expect((await readdir(dataDir)).filter((name) => name.includes('restoring'))).toEqual([]);
  lockDataFolder(dataDir)();
});

test('releases the lock of a data folder whose database cannot be opened', async () => {
  const dataDir = await freshFolder();
  await writeFile(join(dataDir, 'voltdesk.sqlite'), Buffer.alloc(8192, 'no database'));
  await expect(openInstallation(`sqlite:${dataDir}`, { isThere: true })).rejects.toThrow('damaged');
  lockDataFolder(dataDir)();
});

test('refuses a database address without a database name before it connects', async () => {
  const opening = openInstallation('postgres://a:b@127.0.0.1:9/', { isThere: true });
  await expect(opening).rejects.toThrow('This address of a database cannot be used');
});

test('removes its temporary folder afterwards, also when the work fails', async () => {
  const used: string[] = [];
  const work = async (folder: string) => {
    used.push(folder);
    await writeFile(join(folder, 'file'), 'x');
    if (used.length > 1) throw new Error('no room');
    return exists(join(folder, '.incoming'));
  };
  expect(await inPassingFolder(work)).toBe(true);
  await expect(inPassingFolder(work)).rejects.toThrow('no room');
  expect(await Promise.all(used.map(exists))).toEqual([false, false]);
});

test.runIf(process.platform === 'linux')('holds no file open after sealing and reopening a backup', async () => {
  const { dataDir, folder } = await withRecord();
  const warnings: string[] = [];
  const warned = ({ message }: Error) => void warnings.push(message);
  process.on('warning', warned);
  onTestFinished(() => void process.off('warning', warned));
  await backUp(dataDir, join(folder, 'one.voltdesk'), KEY);
  await restore({ dataDir: folder, file: join(folder, 'one.voltdesk'), now: 0, key: KEY });
  const numbers = await readdir('/proc/self/fd');
  const open = await Promise.all(numbers.map((number) => readlink(`/proc/self/fd/${number}`).catch(() => '')));
  expect(open.filter((path) => path.startsWith(folder) || path.includes('.voltdesk.part'))).toEqual([]);
  expect(warnings.filter((warning) => warning.includes('garbage collection'))).toEqual([]);
});

test('completes a backup without a missing file, and names the file in the report and the record', async () => {
  const { app, admin, dataDir, folder } = await withRecord();
  await app.services.sizes.done();
  const names = (await app.services.db.selectFrom('files').select('name').orderBy('name').execute()).map(
    ({ name }) => name,
  );
  const [missing = ''] = names;
  await rm(join(dataDir, 'uploads', missing));
  const report = await backUp(dataDir, join(folder, 'one.voltdesk'));
  expect(report.damaged).toEqual([missing]);
  expect((await admin.get('/api/health')).json().backup).toMatchObject({ damaged: 1 });
});
