import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { noteBackup } from '../ops/last-backup.ts';
import { seal } from '../ops/sealed-file.ts';
import { assertDatabase, databasePath } from '../stores/sqlite/database-file.ts';
import { openDatabase } from '../stores/sqlite/open.ts';
import { type BackupReport, writeBackup } from '../stores/sqlite/sqlite-backup.ts';
import type { Database } from '../stores/sql/tables.ts';
import { realDisk } from '../uploads/disk.ts';

/** A hold outlives a backup that was killed by this much at most, in milliseconds. */
const LONGEST_BACKUP = 6 * 60 * 60 * 1000;

/**
 * Writes a backup of a data folder into one new file, also while the server runs and works: files that are dropped in
 * the meantime stay on the disk until the backup is done. It is encrypted with `key`, if there is one. Throws when the file
 * exists or has no folder.
 */
export async function backUp(dataDir: string, file: string, key = ''): Promise<BackupReport> {
  const target = resolve(file);
  if (existsSync(target)) throw new Error(`${target} exists already. A backup never replaces a file.`);
  if (!existsSync(dirname(target))) throw new Error(`There is no folder ${dirname(target)}.`);
  assertDatabase(dataDir);
  const db = await openDatabase(dataDir);
  const release = await hold(db);
  try {
    const report = await writeWholeBackup(dataDir, target, key);
    await noteBackup(dataDir, { at: new Date().toISOString(), file: target, damaged: report.damaged.length });
    return report;
  } finally {
    await release();
    await db.destroy();
  }
}

/** Where backups go, and how many stay there. */
export interface BackupFolder {
  readonly folder: string;
  readonly keep: number;
  /** What they are encrypted with; empty for not at all. */
  readonly key: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Writes a backup named by its time into a folder, and then removes all but the newest so many there. Answers its path too. */
export async function backUpTo(dataDir: string, { folder, keep, now, key }: BackupFolder) {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `voltdesk-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}.voltdesk`);
  const report = await backUp(dataDir, file, key);
  const names = (await readdir(folder)).filter((name) => OWN_NAMES.test(name)).toSorted();
  await Promise.all(names.slice(0, -keep).map((name) => realDisk.remove(join(folder, name))));
  await removeParts(folder, now);
  return { ...report, file };
}

/** Other files in the folder are somebody else's. */
const OWN_NAMES = /^voltdesk-\d{4}-\d\d-\d\dT[\d-]+Z\.voltdesk$/;

/** An encrypted backup leaves the data folder encrypted: what it is made of never stands beside it. */
async function writeWholeBackup(dataDir: string, target: string, key: string): Promise<BackupReport> {
  const part = `${target}.part`;
  const plain = key === '' ? part : join(dataDir, `backup-${randomUUID()}.voltdesk.part`);
  await removeParts(dataDir, Date.now());
  try {
    const report = await writeBackup(databasePath(dataDir), join(dataDir, 'uploads'), plain);
    if (key !== '') await seal(plain, part, key);
    await realDisk.flush(part);
    await rename(part, target);
    await realDisk.flushFolder(dirname(target));
    return report;
  } finally {
    await rm(plain, { force: true });
    await rm(part, { force: true });
  }
}

/** Removes what backups that were killed have left. */
async function removeParts(folder: string, now: number): Promise<void> {
  for (const name of (await readdir(folder)).filter((one) => /\.voltdesk\.part(-journal)?$/.test(one))) {
    const changed = (await stat(join(folder, name)).catch(() => undefined))?.mtimeMs ?? now;
    if (changed < now - LONGEST_BACKUP) await realDisk.remove(join(folder, name));
  }
}

/** Keeps dropped files on the disk until the returned function is called. */
async function hold(db: Database): Promise<() => Promise<void>> {
  const id = randomUUID();
  const until = new Date(Date.now() + LONGEST_BACKUP).toISOString();
  await db.insertInto('file_holds').values({ id, until }).execute();
  return async () => void (await db.deleteFrom('file_holds').where('id', '=', id).execute());
}
