import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { backUp, backUpTo } from '../../server/commands/backup.ts';
import { inWorkFolder, sweepWorkFolders } from '../../server/commands/work-folder.ts';
import { lockDataFolder } from '../../server/stores/sqlite/sqlite-lock.ts';
import { realDisk } from '../../server/uploads/disk.ts';
import { freshFolder, signedIn, startServer } from './harness.ts';

const KEY = 'a key of twenty letters and more';
const partsIn = async (folder: string) => (await readdir(folder)).filter((name) => name.includes('.part')).toSorted();

/** What a killed backup leaves in its data folder: copied at every step, with the note of where it works. */
async function leftByKilled(key: string) {
  const { app, dataDir } = await signedIn();
  await app.close();
  const target = join(await freshFolder(), 'one.voltdesk');
  const copies = await freshFolder();
  const left: string[] = [];
  const copy = () => {
    const work = readdirSync(dataDir).find((name) => name.endsWith('.voltdesk.part'));
    if (work === undefined) return;
    left.push(join(copies, String(left.length)));
    cpSync(join(dataDir, work), join(left.at(-1) ?? '', work), { recursive: true });
  };
  for (const step of ['create', 'rename', 'flush', 'flushFolder', 'remove'] as const) {
    const carryOut = realDisk[step] as (...given: unknown[]) => Promise<never>;
    const watched = vi.spyOn(realDisk, step).mockImplementation(async (...given: unknown[]) => {
      copy();
      const done = await carryOut(...given);
      copy();
      return done;
    });
    onTestFinished(() => watched.mockRestore());
  }
  await backUp(dataDir, target, key);
  vi.restoreAllMocks();
  return { dataDir, left };
}

test.each(['', KEY])('removes at the next start and backup what a killed one left, with the key "%s"', async (key) => {
  const { dataDir, left } = await leftByKilled(key);
  expect(left.length).toBeGreaterThan(2);
  for (const folder of left) {
    expect(await partsIn(folder)).toHaveLength(1);
    if (folder === left.at(-1)) break;
    await sweepWorkFolders(folder);
    expect(await partsIn(folder)).toEqual([]);
  }
  cpSync(left.at(-1) ?? '', dataDir, { recursive: true });
  expect(await partsIn(dataDir)).toHaveLength(1);
  if (key === '') await (await startServer({ DATA_DIR: dataDir })).app.close();
  else await backUpTo(dataDir, { folder: join(dataDir, 'backups'), keep: 1, key, now: Date.now() });
  expect(await partsIn(dataDir)).toEqual([]);
});

test('removes what a killed process had begun elsewhere, and nothing for a copy of its folder', async () => {
  const [dataDir, elsewhere, copy] = [await freshFolder(), await freshFolder(), await freshFolder()];
  const part = join(elsewhere, 'one.voltdesk.part');
  const killed = join(dataDir, 'backup-5.voltdesk.part');
  mkdirSync(killed);
  writeFileSync(part, 'half');
  writeFileSync(join(killed, 'note.json'), JSON.stringify({ folder: killed, outside: [part] }));
  cpSync(dataDir, copy, { recursive: true });
  await sweepWorkFolders(copy);
  expect([await partsIn(copy), existsSync(part)]).toEqual([[], true]);
  await sweepWorkFolders(dataDir);
  expect([await partsIn(dataDir), existsSync(part)]).toEqual([[], false]);
});

test('leaves alone what a running process works in, also that of another server of the folder', async () => {
  const dataDir = await freshFolder();
  const server = join(dataDir, 'servers', '1');
  const unlock = lockDataFolder(server, 'serve');
  mkdirSync(join(server, 'backup-6.voltdesk.part'));
  await inWorkFolder(server, [], async (folder) => {
    writeFileSync(join(folder, 'plain.voltdesk'), 'all data');
    await sweepWorkFolders(dataDir);
    expect(readFileSync(join(folder, 'plain.voltdesk'), 'utf8')).toBe('all data');
    expect(await partsIn(server)).toHaveLength(1);
  });
  expect(await partsIn(server)).toEqual([]);
  unlock();
});
