import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** What is kept is for this user alone: other accounts of the machine have no business with it. */
export const OWN_ONLY = 0o600;

/** The database file in the data folder. */
export function databasePath(dataDir: string): string {
  return join(dataDir, 'voltdesk.sqlite');
}

/** Makes the data folder when it is missing. Throws, in words, when this user may not write to it. */
export function prepareDataFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true });
    accessSync(dataDir, constants.W_OK);
  } catch (cause) {
    throw new Error(`The data folder ${dataDir} cannot be written to. DATA_DIR names another one.`, { cause });
  }
}

/** Throws, in words, when a data folder holds no database: a command for a server that runs is not to make an empty one. */
export function assertDatabase(dataDir: string): void {
  if (existsSync(databasePath(dataDir))) return;
  throw new Error(`There is no database in ${dataDir}. DATA_DIR names the data folder; the first start makes one.`);
}
