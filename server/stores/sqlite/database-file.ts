import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The database file in the data folder. */
export function databasePath(dataDir: string): string {
  return join(dataDir, 'voltdesk.sqlite');
}

/** Throws, in words, when a data folder holds no database: a command for a server that runs is not to make an empty one. */
export function assertDatabase(dataDir: string): void {
  if (existsSync(databasePath(dataDir))) return;
  throw new Error(`There is no database in ${dataDir}. DATA_DIR names the data folder; the first start makes one.`);
}
