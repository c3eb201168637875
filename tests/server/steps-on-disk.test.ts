import { existsSync } from 'node:fs';
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { backUp } from '../../server/commands/backup.ts';
import { restore } from '../../server/commands/restore.ts';
import { StagingFolder } from '../../server/staging/staging-folder.ts';
import { databasePath } from '../../server/stores/sqlite/database-file.ts';
import { type Disk, realDisk, writeWhole } from '../../server/uploads/disk.ts';
import { filesOnDisk } from '../../server/uploads/file-store.ts';
import { receiveFile } from '../../server/uploads/received.ts';
import { freshFolder, startServer } from './harness.ts';

/** A disk that records its steps by subject, and fails at one of them. */
function noting(failing?: string) {
  const steps: string[] = [];
  const note = (verb: string, ...paths: string[]) => {
    steps.push([verb, ...paths.map((path) => basename(path))].join(' '));
    if (verb === failing) throw new Error(`cannot ${verb}`);
  };
  const begun = (verb: 'create' | 'append') => async (path: string) => {
    note(verb, path);
    const file = await realDisk[verb](path);
    return {
      write: async (bytes: Uint8Array) => (note('write'), file.write(bytes)),
      flush: async () => (note('flush'), file.flush()),
      close: async () => (note('close'), file.close()),
    };
  };
  const disk: Disk = {
    create: begun('create'),
    append: begun('append'),
    link: async (from, to) => (note('link', from, to), realDisk.link(from, to)),
    flush: async (path) => (note('flush', path), realDisk.flush(path)),
    rename: async (from, to) => (note('rename', from, to), realDisk.rename(from, to)),
    flushFolder: async (path) => (note('flushFolder', path), realDisk.flushFolder(path)),
    remove: async (path) => (note('remove', path), realDisk.remove(path)),
  };
  return { disk, steps };
}

test('flushes a file before it is named, and removes it when a step fails', async () => {
  const folder = await freshFolder();
  const write = async (failing?: string) => {
    const { disk, steps } = noting(failing);
    const writing = writeWhole(disk, join(folder, 'passing'), join(folder, 'own'), Buffer.from('x'));
    await (failing === undefined ? writing : expect(writing).rejects.toThrow(`cannot ${failing}`));
    return steps;
  };
  expect(await write()).toEqual(['create passing', 'write', 'flush', 'close', 'rename passing own']);
  expect(await write('write')).toEqual(['create passing', 'write', 'close', 'remove passing']);
  expect((await write('flush')).slice(-2)).toEqual(['close', 'remove passing']);
  expect((await write('rename')).at(-1)).toBe('remove passing');
  expect(await readdir(folder)).toEqual(['own']);
});

test('flushes the folder of stored files before they count as kept', async () => {
  const folder = await freshFolder();
  const { disk, steps } = noting();
  await filesOnDisk(folder, disk).keep(['a', 'b']);
  expect(steps).toEqual([`flushFolder ${basename(folder)}`]);
});

test('reads an incoming file that cannot be written to its end, and keeps nothing of it', async () => {
  const folder = await freshFolder();
  const { disk, steps } = noting('write');
  const source = Readable.from([Buffer.from('one'), Buffer.from('two')]);
  const about = { field: 'f', originalName: 'n', path: join(folder, 'file'), maxBytes: 9 };
  await expect(receiveFile(disk, source, about)).rejects.toThrow('cannot write');
  expect(steps).toEqual(['create file', 'write', 'remove file', 'close']);
  expect([source.readableEnded, await readdir(folder)]).toEqual([true, []]);
});

test('flushes the names of staged files with each step: started, whole, used', async () => {
  const folder = await freshFolder();
  const { disk, steps } = noting();
  const at = Date.parse('2026-11-20T12:00:00Z');
  const uploads = new StagingFolder({ folder, disk, now: () => at });
  const upload = { userId: 7, sha256: 'a'.repeat(64), length: 1, state: 'part' } as const;
  const other = { ...upload, sha256: 'b'.repeat(64) };
  const [part, whole] = ['part', 'whole'].map((state) => `${upload.sha256}.1.${state}`);
  await uploads.begin(upload);
  await uploads.begin(other);
  const begun = (name = '') => [`append ${name}`, 'close', 'flushFolder 7'];
  expect(steps.splice(0)).toEqual([
    `flushFolder ${basename(folder)}`,
    ...begun(part),
    ...begun(part?.replaceAll('a'.repeat(64), 'b'.repeat(64))),
  ]);
  expect(await uploads.of(7)).toMatchObject([{ restsFor: 0 }, { restsFor: 0 }]);
  await uploads.settle(upload);
  expect(await uploads.become(upload, 'whole')).toEqual({ ...upload, state: 'whole' });
  expect(steps).toEqual([`flush ${part}`, `rename ${part} ${whole}`, 'flushFolder 7']);
});

test('removes untouched staged files of all users completely, and nothing else', async () => {
  const folder = await freshFolder();
  const at = Date.parse('2026-11-20T12:00:00Z');
  const uploads = new StagingFolder({ folder, disk: realDisk, now: () => at });
  const [old, fresh] = ['a', 'b'].map((letter) => letter.repeat(64)) as [string, string];
  for (const userId of [7, 12])
    for (const sha256 of [old, fresh]) {
      const upload = { userId, sha256, length: 1, state: 'part' } as const;
      await uploads.begin(upload);
      const touched = new Date(at - (sha256 === old ? 1001 : 1000));
      await utimes(uploads.pathOf(upload), touched, touched);
    }
  await writeFile(join(folder, '7', 'of-somebody-else'), '');
  await utimes(join(folder, '7', 'of-somebody-else'), 1, 1);
  await uploads.removeResting(1000);
  expect((await readdir(join(folder, '7'))).toSorted()).toEqual([`${fresh}.1.part`, 'of-somebody-else']);
  expect(await readdir(join(folder, '12'))).toEqual([`${fresh}.1.part`]);
});

test('flushes a backup before it is named, and a restore once everything is in place', async () => {
  const { app, dataDir } = await startServer();
  await app.close();
  const file = join(await freshFolder(), 'one.voltdesk');
  const flushed: string[] = [];
  onTestFinished(() => void vi.restoreAllMocks());
  const spies = (['flush', 'flushFolder'] as const).map((verb) =>
    vi.spyOn(realDisk, verb).mockImplementation(async (path) => {
      flushed.push(`${verb} ${basename(path)}, ${existsSync(file)}, ${existsSync(databasePath(dataDir))}`);
    }),
  );
  await backUp(dataDir, file);
  expect(flushed.splice(0)).toEqual([
    'flush one.voltdesk.part, false, true',
    `flushFolder ${basename(dirname(file))}, true, true`,
  ]);
  await restore({ dataDir, file, now: Date.now() });
  expect(flushed.at(-1)).toBe(`flushFolder ${basename(dataDir)}, true, true`);
  for (const spy of spies) expect(spy).toHaveBeenCalled();
  expect((await readFile(databasePath(dataDir))).length).toBeGreaterThan(0);
  expect((await readdir(dataDir)).filter((name) => name.startsWith('.'))).toEqual([]);
});
