import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DataFolderInUse, lockDataFolder } from '../stores/sqlite/sqlite-lock.ts';
import { realDisk, writeWhole } from '../uploads/disk.ts';

/*
 * A backup and a restore keep unencrypted copies of all data while they work. Those are in one folder of the data folder, locked by the
 * process: the operating system releases the lock however the process ends, and whoever comes next removes what is not locked.
 */

/** The note in a work folder of what its process writes elsewhere. */
interface Note {
  /** The work folder, so that a copy of it is no reason to remove anything. */
  readonly folder: string;
  readonly outside: readonly string[];
}

const NAME = /^backup-[\da-f-]+\.voltdesk\.part(-\w+)?$/;
const NOTE = 'note.json';

/** How long an unfinished file without a lock is left alone: those of earlier versions have none. Milliseconds. */
const LEFT_FOR = 6 * 60 * 60 * 1000;

/**
 * Runs a task in a new folder for unencrypted copies, which is removed afterwards, with all that killed processes left. `outside` are the
 * paths of unfinished files elsewhere, which go with the folder.
 */
export async function inWorkFolder<T>(
  dataDir: string,
  outside: readonly string[],
  task: (folder: string) => Promise<T>,
): Promise<T> {
  await sweepWorkFolders(dataDir);
  const { folder, unlock } = lockNewFolder(dataDir);
  try {
    const note: Note = { folder, outside };
    await writeWhole(realDisk, join(folder, `${NOTE}.part`), join(folder, NOTE), Buffer.from(JSON.stringify(note)));
    return await task(folder);
  } finally {
    await removeAll(outside);
    await rm(folder, { recursive: true, force: true });
    unlock();
  }
}

function lockNewFolder(dataDir: string): { readonly folder: string; readonly unlock: () => void } {
  for (;;) {
    const folder = join(dataDir, `backup-${randomUUID()}.voltdesk.part`);
    const unlock = lockIfFree(folder);
    // somebody may have swept it before it was locked
    if (unlock !== undefined && existsSync(join(folder, 'lock.sqlite'))) return { folder, unlock };
    unlock?.();
  }
}

/** Removes the work folders of killed processes, with what they had begun elsewhere. Also those of the servers that share the folder. */
export async function sweepWorkFolders(dataDir: string): Promise<void> {
  for (const entry of await readdir(dataDir, { withFileTypes: true }).catch(() => []))
    if (entry.isDirectory() && NAME.test(entry.name)) await sweep(join(dataDir, entry.name));
  await removeOldParts(dataDir, NAME);
  const servers = join(dataDir, 'servers');
  for (const name of await readdir(servers).catch(() => [])) await sweepWorkFolders(join(servers, name));
}

async function sweep(folder: string): Promise<void> {
  const unlock = lockIfFree(folder);
  if (unlock === undefined) return;
  try {
    const note = await noteIn(folder);
    if (note?.folder === folder) await removeAll(note.outside);
    await rm(folder, { recursive: true, force: true });
  } finally {
    unlock();
  }
}

/** The paths of an unfinished database and of SQLite's files beside it. */
export function partsOf(path: string): readonly string[] {
  return ['', '-journal', '-wal', '-shm'].map((ending) => path + ending);
}

/** Removes unfinished files of these names that nobody has touched for hours. */
export async function removeOldParts(folder: string, names: RegExp): Promise<void> {
  const before = Date.now() - LEFT_FOR;
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    if (!entry.isFile() || !names.test(entry.name)) continue;
    const changed = (await stat(path).catch(() => undefined))?.mtimeMs ?? before;
    if (changed < before) await rm(path, { force: true });
  }
}

/** Locks a folder. Undefined if another process has it. */
function lockIfFree(folder: string): (() => void) | undefined {
  try {
    return lockDataFolder(folder);
  } catch (error) {
    if (error instanceof DataFolderInUse) return undefined;
    throw error;
  }
}

async function noteIn(folder: string): Promise<Note | undefined> {
  const text = await readFile(join(folder, NOTE), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Note);
}

async function removeAll(paths: readonly string[]): Promise<void> {
  for (const path of paths) await rm(path, { force: true });
}
