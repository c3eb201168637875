import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isSealed, unseal } from '../ops/sealed-file.ts';
import { databasePath } from '../stores/sqlite/database-file.ts';
import { type BackupReport, unpackBackup } from '../stores/sqlite/sqlite-backup.ts';
import { lockDataFolder } from '../stores/sqlite/sqlite-lock.ts';
import { realDisk } from '../uploads/disk.ts';

/** What a restore did. */
export interface RestoreReport extends BackupReport {
  /** Where the content from before is kept, or undefined when there was none. */
  readonly keptAside: string | undefined;
}

/**
 * Puts a backup in the place of a data folder's content, which is kept aside. The backup is unpacked and checked
 * completely before anything is moved; an encrypted one is opened with `key`. Throws when the server is running or the file
 * is no good backup.
 */
export async function restore(dataDir: string, file: string, now: number, key = ''): Promise<RestoreReport> {
  const unlock = lockDataFolder(dataDir);
  const fresh = await mkdtemp(join(dataDir, '.restoring-'));
  try {
    await mkdir(join(fresh, 'uploads'));
    const report = await unpackBackup(await opened(file, join(fresh, 'opened'), key), {
      database: databasePath(fresh),
      uploads: join(fresh, 'uploads'),
      previous: databasePath(dataDir),
    });
    if (report.damaged.length > 0) throw new Error(`The backup is damaged: ${report.damaged.join(', ')}`);
    const keptAside = await moveAside(dataDir, now);
    await rename(join(fresh, 'uploads'), join(dataDir, 'uploads'));
    await rename(databasePath(fresh), databasePath(dataDir));
    await realDisk.flushFolder(dataDir);
    return { ...report, keptAside };
  } finally {
    await rm(fresh, { recursive: true, force: true });
    unlock();
  }
}

/** The path of a backup that can be read: its own, or that of its content. */
async function opened(file: string, target: string, secret: string): Promise<string> {
  if (!existsSync(file) || !(await isSealed(file))) return file;
  if (secret === '') throw new Error(`${file} is encrypted. BACKUP_KEY, as it was when the backup was made, opens it.`);
  await unseal(file, target, secret);
  return target;
}

async function moveAside(dataDir: string, now: number): Promise<string | undefined> {
  const database = databasePath(dataDir);
  if (!existsSync(database)) return undefined;
  const aside = join(dataDir, `before-restore-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`);
  await mkdir(aside);
  for (const path of [`${database}-wal`, `${database}-shm`, database, join(dataDir, 'uploads')]) {
    if (existsSync(path)) await rename(path, join(aside, path.slice(dataDir.length + 1)));
  }
  return aside;
}
