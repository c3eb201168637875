import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { prepareDataFolder } from '../../ops/data-folder.ts';
import { keepToOneself } from './sqlite.ts';

/** Another program uses the data folder. */
export class DataFolderInUse extends Error {
  constructor(dataDir: string) {
    super(`Another Voltdesk is using ${dataDir}. Stop it first.`);
  }
}

/** References to held locks: garbage collection would close and release them. */
const held = new Set<DatabaseSync>();

/**
 * Who uses a data folder. One server may serve it, beside commands that use it; whoever replaces its content has it alone. SQLite's own
 * locks have this order: RESERVED, SHARED, EXCLUSIVE.
 */
const MODES = {
  serve: 'BEGIN IMMEDIATE',
  use: 'BEGIN; SELECT count(*) FROM sqlite_schema',
  alone: 'BEGIN EXCLUSIVE',
} as const;

/**
 * Locks a data folder for this process. Returns a function that releases it. The operating system holds the lock through SQLite, so
 * it ends with the process, however that ends. Throws DataFolderInUse.
 */
export function lockDataFolder(dataDir: string, mode: keyof typeof MODES = 'alone'): () => void {
  prepareDataFolder(dataDir);
  const path = join(dataDir, 'lock.sqlite');
  keepToOneself(path);
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    lock.exec(MODES[mode]);
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

/** Upper bound of servers on one data folder. */
const MOST_SERVERS = 100;

/**
 * Locks a subfolder for a server on a shared database, for received and cached files: the first one without a running server, so
 * that a restarted server finds its own again.
 */
export function takeServerFolder(dataDir: string): string {
  for (let number = 1; ; number += 1) {
    const folder = join(dataDir, 'servers', String(number));
    try {
      lockDataFolder(folder, 'serve');
      return folder;
    } catch (error) {
      if (!(error instanceof DataFolderInUse) || number === MOST_SERVERS) throw error;
    }
  }
}
