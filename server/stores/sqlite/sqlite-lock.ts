import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { prepareDataFolder } from '../../data-folder.ts';

/** Another program is using the data folder. */
class DataFolderInUse extends Error {
  constructor(dataDir: string) {
    super(`Another Voltdesk is using ${dataDir}. Stop it first.`);
  }
}

/** Locks that are held: one that nobody refers to would be closed, and with it lost, when memory is cleaned up. */
const held = new Set<DatabaseSync>();

/**
 * Makes this process the only server on a data folder until the returned function is called or the process ends, however
 * it ends: the lock is the operating system's, held through SQLite. Throws DataFolderInUse.
 */
export function lockDataFolder(dataDir: string): () => void {
  prepareDataFolder(dataDir);
  const lock = new DatabaseSync(join(dataDir, 'lock.sqlite'), { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (error instanceof Error && error.message.includes('locked')) throw new DataFolderInUse(dataDir);
    throw error;
  }
  held.add(lock);
  return () => {
    held.delete(lock);
    lock.close();
  };
}

/** More servers of one data folder than anybody has. */
const MOST_SERVERS = 100;

/**
 * Gives a server whose records are in a shared database a folder of its own, for what it receives and has fetched: the first one in
 * the data folder that no running server has, so that a server which starts again finds what it had.
 */
export function takeServerFolder(dataDir: string): string {
  for (let number = 1; ; number += 1) {
    const folder = join(dataDir, 'servers', String(number));
    try {
      lockDataFolder(folder);
      return folder;
    } catch (error) {
      if (!(error instanceof DataFolderInUse) || number === MOST_SERVERS) throw error;
    }
  }
}
