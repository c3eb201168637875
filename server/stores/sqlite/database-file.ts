import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { noDatabase } from '../sql/files-owner.ts';
import { isFilled } from './sqlite.ts';

/** The database file in the data folder. */
export function databasePath(dataDir: string): string {
  return join(dataDir, 'voltdesk.sqlite');
}

/** True if a data folder holds a database. An empty file is none: a lost one may be left so. */
export function hasDatabase(dataDir: string): boolean {
  return (statSync(databasePath(dataDir), { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** True if a data folder's database has tables. A start or a move that was killed at its very beginning leaves one without. */
export function hasTables(dataDir: string): boolean {
  if (!hasDatabase(dataDir)) return false;
  return isFilled(databasePath(dataDir));
}

/** Throws, in words, when a data folder holds no database: a command for a server that runs is not to make an empty one. */
export function assertDatabase(dataDir: string): void {
  if (hasDatabase(dataDir)) return;
  throw new Error(`There is no database in ${dataDir}. DATA_DIR names the data folder; the first start makes one.`);
}

/** Throws, before anything is made, when a data folder has files and no database, or one without tables: the database was lost. */
export function assertDatabaseOfFiles(dataDir: string): void {
  if (hasTables(dataDir)) return;
  const uploads = join(dataDir, 'uploads');
  if (existsSync(uploads) && readdirSync(uploads, { withFileTypes: true }).some((entry) => entry.isFile()))
    throw noDatabase(uploads);
}
