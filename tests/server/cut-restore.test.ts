import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { backUp } from '../../server/commands/backup.ts';
import { openBeside } from '../../server/commands/installation.ts';
import { restore } from '../../server/commands/restore.ts';
import { lockDataFolder } from '../../server/stores/sqlite/sqlite-lock.ts';
import { realDisk } from '../../server/uploads/disk.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { create } from './feed-client.ts';
import { freshFolder, signedIn } from './harness.ts';

const settingsOf = (dataDir: string) => ({ dataDir, databaseUrl: '', uploadsUrl: '' });

async function withRecord(dataDir: string, mark: string): Promise<void> {
  const { admin, app } = await signedIn({ DATA_DIR: dataDir });
  await create(admin, partners, mark);
  await app.services.sizes.done();
  await app.close();
}

/** The names of the partners that a server of this folder lists, and whether all their pictures are served. */
async function servedBy(dataDir: string) {
  const { admin, app } = await signedIn({ DATA_DIR: dataDir });
  const rows = (await admin.get(partners.endpoints.list)).json() as { name: string; image: string }[];
  const pictures = await Promise.all(rows.map(({ image }) => admin.get(`/uploads/${image}`)));
  await app.close();
  return { names: rows.map(({ name }) => name), isWhole: pictures.every(({ statusCode }) => statusCode === 200) };
}

test('finishes or undoes at the next start a restore that was killed at any step', async () => {
  const dataDir = join(await freshFolder(), 'data');
  await withRecord(dataDir, 'restored');
  const file = join(await freshFolder(), 'one.voltdesk');
  await backUp(dataDir, file);
  await withRecord(dataDir, 'later');
  const copies = await freshFolder();
  const left: string[] = [];
  const copy = async () => {
    left.push(join(copies, String(left.length)));
    await cp(dataDir, left.at(-1) ?? '', { recursive: true });
  };
  const { rename } = realDisk;
  const watched = vi.spyOn(realDisk, 'rename').mockImplementation(async (from, to) => {
    await copy();
    await rename(from, to);
    await copy();
  });
  onTestFinished(() => watched.mockRestore());
  await restore({ dataDir, file, now: 0 });
  watched.mockRestore();
  // the marker, the note, the database and the folder aside, and their replacements
  expect(left.length).toBeGreaterThanOrEqual(12);
  for (const each of left) {
    const { names, isWhole } = await servedBy(each);
    expect([[names.length, isWhole]]).toContainEqual([names.length === 1 ? 1 : 2, true]);
    expect(names[0]).toContain('restored');
  }
  expect((await servedBy(left.at(-1) ?? '')).names).toHaveLength(1);
  expect((await servedBy(left[0] ?? '')).names).toHaveLength(2);
});

test('lets a restore begin only without a server and without commands, and no command during one', async () => {
  const dataDir = join(await freshFolder(), 'data');
  await withRecord(dataDir, 'one');
  const file = join(await freshFolder(), 'one.voltdesk');
  await backUp(dataDir, file);
  const command = await openBeside(settingsOf(dataDir));
  await expect(restore({ dataDir, file, now: 0 })).rejects.toThrow('Another Voltdesk is using');
  const serving = lockDataFolder(dataDir, 'serve');
  expect(() => lockDataFolder(dataDir, 'serve')).toThrow('Another Voltdesk is using');
  await command.destroy();
  await expect(restore({ dataDir, file, now: 0 })).rejects.toThrow('Another Voltdesk is using');
  const beside = await openBeside(settingsOf(dataDir));
  await beside.destroy();
  serving();
  const restoring = lockDataFolder(dataDir);
  await expect(openBeside(settingsOf(dataDir))).rejects.toThrow('Another Voltdesk is using');
  restoring();
  await restore({ dataDir, file, now: 0 });
});

test('restores into a folder that was lost in the middle of another restore', async () => {
  const dataDir = join(await freshFolder(), 'data');
  await withRecord(dataDir, 'one');
  const file = join(await freshFolder(), 'one.voltdesk');
  await backUp(dataDir, file);
  await rm(dataDir, { recursive: true });
  await restore({ dataDir, file, now: 0 });
  expect(await servedBy(dataDir)).toMatchObject({ isWhole: true });
});
