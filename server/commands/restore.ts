import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isSealed, unseal } from '../ops/sealed-file.ts';
import { prepareDataFolder } from '../data-folder.ts';
import { copyRows } from '../stores/sql/whole.ts';
import { databasePath } from '../stores/sqlite/database-file.ts';
import { openDatabase } from '../stores/sqlite/open.ts';
import { type BackupReport, unpackBackup } from '../stores/sqlite/sqlite-backup.ts';
import { idsGiven } from '../stores/sqlite/sqlite-ids.ts';
import { lockDataFolder } from '../stores/sqlite/sqlite-lock.ts';
import { wholeSqlite } from '../stores/sqlite/whole-sqlite.ts';
import { realDisk } from '../uploads/disk.ts';
import { writeBackupOf } from './backup.ts';
import { type Installation, type Kept, openInstallation } from './installation.ts';
import { namedFiles, otherFiles } from './move.ts';

/** Files that are kept at once. */
const AT_ONCE = 20;

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
      given: async (installation) => idsGiven(databasePath(dataDir), installation),
    });
    assertSound(report);
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

/** What is restored into a PostgreSQL database, and with what. */
export interface SharedRestore extends Kept {
  /** Where the backup is unpacked, and the content from before is kept. */
  readonly dataDir: string;
  readonly file: string;
  readonly key: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Puts a backup in the place of what a PostgreSQL database holds, in one transaction. The content from before is kept as a backup in the
 * data folder. Throws when a server works on the database or the file is no good backup.
 */
export async function restoreShared(restoring: SharedRestore): Promise<RestoreReport> {
  const { databaseUrl, uploadsUrl, dataDir, file, key, now } = restoring;
  const to = await openInstallation(databaseUrl, { isThere: false, uploadsUrl });
  prepareDataFolder(dataDir);
  const fresh = await mkdtemp(join(dataDir, '.restoring-'));
  try {
    await mkdir(join(fresh, 'uploads'));
    const report = await unpackBackup(await opened(file, join(fresh, 'opened'), key), {
      database: databasePath(fresh),
      uploads: join(fresh, 'uploads'),
      given: (installation) => idsGivenIn(to, installation),
    });
    assertSound(report);
    const aside = join(dataDir, `before-restore-${stampOf(now)}.voltdesk`);
    const keptAside = (await isEmpty(to)) ? undefined : aside;
    if (keptAside !== undefined) await writeBackupOf(restoring, keptAside, key);
    await replace(to, fresh);
    return { ...report, keptAside };
  } finally {
    await rm(fresh, { recursive: true, force: true });
    await to.close();
  }
}

/** Files first. One that is there already, and damaged, makes room for the backup's. */
async function replace(to: Installation, fresh: string): Promise<void> {
  const db = await openDatabase(fresh);
  try {
    const missing = await otherFiles(to, await namedFiles(db));
    const files = to.filesIn(join(fresh, 'uploads'));
    await files.remove(missing);
    for (let at = 0; at < missing.length; at += AT_ONCE) await files.keep(missing.slice(at, at + AT_ONCE));
    const from = wholeSqlite(db);
    await from.atOneMoment((reading) =>
      to.whole.db.transaction().execute((writing) => copyRows(from, reading, to.whole, writing)),
    );
  } finally {
    await db.destroy();
  }
}

async function isEmpty({ whole }: Installation): Promise<boolean> {
  return (await whole.db.selectFrom('users').select('id').executeTakeFirst()) === undefined;
}

async function idsGivenIn({ whole }: Installation, installation: string) {
  const secret = whole.db.selectFrom('secrets').select('value').where('name', '=', 'anti-forgery');
  return (await secret.executeTakeFirst())?.value === installation ? whole.counters(whole.db) : undefined;
}

function assertSound({ damaged }: BackupReport): void {
  if (damaged.length > 0) throw new Error(`The backup is damaged: ${damaged.join(', ')}`);
}

function stampOf(now: number): string {
  return new Date(now).toISOString().replaceAll(/[:.]/g, '-');
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
  const aside = join(dataDir, `before-restore-${stampOf(now)}`);
  await mkdir(aside);
  for (const path of [`${database}-wal`, `${database}-shm`, database, join(dataDir, 'uploads')]) {
    if (existsSync(path)) await rename(path, join(aside, path.slice(dataDir.length + 1)));
  }
  return aside;
}
