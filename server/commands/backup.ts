import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { assertDatabase, databasePath } from '../stores/sqlite/data-folder.ts';
import { openDatabase } from '../stores/sqlite/open.ts';
import { type BackupReport, writeBackup } from '../stores/sqlite/sqlite-backup.ts';
import type { Database } from '../stores/sqlite/tables.ts';
import { realDisk } from '../uploads/disk.ts';

/** A hold outlives a backup that was killed by this much at most, in milliseconds. */
const LONGEST_BACKUP = 6 * 60 * 60 * 1000;

/**
 * Writes a backup of a data folder into one new file, also while the server runs and works: files that are dropped in
 * the meantime stay on the disk until the backup is done. Throws when the file exists or has no folder.
 */
export async function backUp(dataDir: string, file: string): Promise<BackupReport> {
  const target = resolve(file);
  if (existsSync(target)) throw new Error(`${target} exists already. A backup never replaces a file.`);
  if (!existsSync(dirname(target))) throw new Error(`There is no folder ${dirname(target)}.`);
  assertDatabase(dataDir);
  const db = await openDatabase(dataDir);
  const part = `${target}.part`;
  const release = await hold(db);
  try {
    const report = await writeBackup(databasePath(dataDir), join(dataDir, 'uploads'), part);
    await realDisk.flush(part);
    await rename(part, target);
    await realDisk.flushFolder(dirname(target));
    return report;
  } finally {
    await release();
    await db.destroy();
    await rm(part, { force: true });
  }
}

/** Keeps dropped files on the disk until the returned function is called. */
async function hold(db: Database): Promise<() => Promise<void>> {
  const id = randomUUID();
  const until = new Date(Date.now() + LONGEST_BACKUP).toISOString();
  await db.insertInto('file_holds').values({ id, until }).execute();
  return async () => void (await db.deleteFrom('file_holds').where('id', '=', id).execute());
}
