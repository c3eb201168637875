import { existsSync } from 'node:fs';
import { readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { databasePath } from '../stores/sqlite/database-file.ts';
import { makeFolder, realDisk, writeWhole } from '../uploads/disk.ts';

/*
 * A restore replaces a database and a folder, which takes several renames. Before the first one it notes them durably. Whoever uses the
 * data folder next finishes them: every rename is one that has happened or can still happen, so it does not matter where the last
 * attempt was cut off.
 */

/** A prepared content of a data folder, and where its present content goes. Both are names in the data folder. */
interface SwitchOver {
  readonly fresh: string;
  readonly aside: string;
}

/** The note of a switch that has been decided. */
const NOTE = 'restore-under-way.json';
/** Prefix of folders with content that is being prepared. */
export const PREPARING = '.restoring-';

/** Replaces the content of a data folder by a prepared one. Returns the folder with the former content, if there was any. */
export async function switchOver(dataDir: string, { fresh, aside }: SwitchOver): Promise<string | undefined> {
  for (const folder of [join(dataDir, fresh, 'uploads'), join(dataDir, fresh)]) await realDisk.flushFolder(folder);
  const note = Buffer.from(JSON.stringify({ fresh, aside }));
  await writeWhole(realDisk, join(dataDir, `${NOTE}.part`), join(dataDir, NOTE), note);
  await realDisk.flushFolder(dataDir);
  return finishSwitch(dataDir);
}

/**
 * Finishes what a killed restore had decided, and removes what it had only prepared. Call with the data folder to oneself. Returns the
 * folder with the former content, if there is any.
 */
export async function finishSwitch(dataDir: string): Promise<string | undefined> {
  const text = await readFile(join(dataDir, NOTE), 'utf8').catch(() => undefined);
  const aside = text === undefined ? undefined : await exchange(dataDir, JSON.parse(text) as SwitchOver);
  await rm(join(dataDir, NOTE), { force: true });
  for (const name of await readdir(dataDir))
    if (name.startsWith(PREPARING)) await rm(join(dataDir, name), { recursive: true, force: true });
  return aside;
}

/** True while a decided switch is unfinished. */
export function isSwitching(dataDir: string): boolean {
  return existsSync(join(dataDir, NOTE));
}

async function exchange(dataDir: string, { fresh, aside }: SwitchOver): Promise<string | undefined> {
  const [from, to] = [join(dataDir, fresh), join(dataDir, aside)];
  const database = databasePath('');
  // the log first: SQLite would read it into the restored database
  await replace(from, dataDir, to, [`${database}-wal`, `${database}-shm`, database]);
  await replace(from, dataDir, to, ['uploads']);
  for (const folder of [to, dataDir]) if (existsSync(folder)) await realDisk.flushFolder(folder);
  return existsSync(to) ? to : undefined;
}

/** Moves things aside and the last one's replacement in their place, unless that has happened already. */
async function replace(from: string, dataDir: string, aside: string, names: readonly string[]): Promise<void> {
  const last = names.at(-1) ?? '';
  if (!existsSync(join(from, last))) return;
  for (const name of names.filter((one) => existsSync(join(dataDir, one)))) {
    await makeFolder(aside);
    await realDisk.rename(join(dataDir, name), join(aside, name));
  }
  await realDisk.rename(join(from, last), join(dataDir, last));
}
