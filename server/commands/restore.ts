import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isSealed, unseal } from '../ops/sealed-file.ts';
import { installationId, installationIn } from '../stores/sql/files-owner.ts';
import type { Database } from '../stores/sql/tables.ts';
import { copyRows } from '../stores/sql/whole.ts';
import { databasePath } from '../stores/sqlite/database-file.ts';
import { openDatabase } from '../stores/sqlite/open.ts';
import { type BackupReport, unpackBackup } from '../stores/sqlite/sqlite-backup.ts';
import { idsGiven, installationAt } from '../stores/sqlite/sqlite-ids.ts';
import { lockDataFolder } from '../stores/sqlite/sqlite-lock.ts';
import { wholeSqlite } from '../stores/sqlite/whole-sqlite.ts';
import { fileNames, makeFolder, realDisk } from '../uploads/disk.ts';
import { markerIn, writeMarker } from '../uploads/marker.ts';
import { writeBackupOf } from './backup.ts';
import { type Installation, type Kept, openInstallation } from './installation.ts';
import { namedFiles, otherFiles } from './move.ts';
import { finishSwitch, isSwitching, PREPARING, switchOver } from './switch-over.ts';
import { inWorkFolder } from './work-folder.ts';

/** Number of files stored at a time. */
const AT_ONCE = 20;

/** The result of a restore. */
export interface RestoreReport extends BackupReport {
  /** Where the previous content was moved. Undefined if there was none. */
  readonly keptAside: string | undefined;
}

/** The inputs of a restore. */
export interface Restoring {
  /** The folder of the embedded database. With PostgreSQL, only the previous content is kept there. */
  readonly dataDir: string;
  readonly file: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Opens an encrypted backup. */
  readonly key?: string;
  /** Accepts a backup in which files are missing or damaged. */
  readonly despiteDamage?: boolean;
}

/**
 * Replaces the content of a data folder with a backup and keeps the previous content aside. Unpacks and verifies the whole backup
 * before it moves anything; decrypts it with `key`. Throws if a server is running or the backup is not valid; one with damaged
 * files is restored only with `despiteDamage`.
 */
export async function restore(restoring: Restoring): Promise<RestoreReport> {
  const { dataDir, file, now, key = '', despiteDamage = false } = restoring;
  const unlock = lockDataFolder(dataDir);
  await finishSwitch(dataDir);
  const fresh = await mkdtemp(join(dataDir, PREPARING));
  try {
    await makeFolder(join(fresh, 'uploads'));
    const report = await unpackBackup(await openedBackup(file, join(fresh, 'opened'), key), {
      database: databasePath(fresh),
      uploads: join(fresh, 'uploads'),
      given: async (installation) => idsGiven(databasePath(dataDir), installation),
    });
    if (!despiteDamage) assertSound(report);
    await mark(fresh);
    const keptAside = await switchOver(dataDir, { fresh: basename(fresh), aside: `before-restore-${stampOf(now)}` });
    return { ...report, keptAside };
  } finally {
    if (!isSwitching(dataDir)) await rm(fresh, { recursive: true, force: true });
    unlock();
  }
}

/**
 * Replaces the content of a PostgreSQL database with a backup, in one transaction. Keeps the previous content as a backup in the
 * data folder. Throws if a server uses the database or the backup is not valid.
 */
export async function restoreShared(restoring: Restoring & Kept): Promise<RestoreReport> {
  const { databaseUrl, uploadsUrl, dataDir, file, now, key = '', despiteDamage = false } = restoring;
  const to = await openInstallation(databaseUrl, { isThere: false, uploadsUrl });
  const inFolder = async (fresh: string) => {
    await makeFolder(join(fresh, 'uploads'));
    const report = await unpackBackup(await openedBackup(file, join(fresh, 'opened'), key), {
      database: databasePath(fresh),
      uploads: join(fresh, 'uploads'),
      given: (installation) => idsGivenIn(to, installation),
    });
    if (!despiteDamage) assertSound(report);
    const aside = join(dataDir, `before-restore-${stampOf(now)}.voltdesk`);
    const keptAside = (await isEmpty(to)) ? undefined : aside;
    if (keptAside !== undefined) await writeBackupOf(restoring, keptAside, key, { opened: to.whole.db });
    await replace(to, fresh);
    return { ...report, keptAside };
  };
  return inWorkFolder(dataDir, [], inFolder).finally(() => to.close());
}

/** Replaces the content, files first. A damaged existing file is replaced by the backup's, if that has one. */
async function replace(to: Installation, fresh: string): Promise<void> {
  const db = await openDatabase(fresh);
  try {
    const uploads = join(fresh, 'uploads');
    const present = new Set(await fileNames(uploads));
    const missing = (await otherFiles(to, await namedFiles(db))).filter((name) => present.has(name));
    const files = to.filesIn(uploads);
    await files.remove(missing);
    for (let at = 0; at < missing.length; at += AT_ONCE) await files.keep(missing.slice(at, at + AT_ONCE));
    if (files.marker !== undefined) {
      const installations = [await idIn(db), await idIn(to.whole.db)];
      // either of them may use the files: which one it is, the transaction decides
      await writeMarker(files.marker, {
        installations,
        ...(to.identity === undefined ? {} : { database: to.identity }),
      });
    }
    const from = wholeSqlite(db);
    await from.atOneMoment((reading) =>
      to.whole.db.transaction().execute(async (writing) => {
        await copyRows(from, reading, to.whole, writing);
        await to.assertAlone();
      }),
    );
  } finally {
    await db.destroy();
  }
}

const idIn = (db: Database) => installationIn({ db, randomBytes });

/** Marks prepared files as those of the prepared database. */
async function mark(fresh: string): Promise<void> {
  const secret = Buffer.from(installationAt(databasePath(fresh)), 'hex');
  await writeMarker(markerIn(join(fresh, 'uploads'), realDisk), { installations: [installationId(secret)] });
}

async function isEmpty({ whole }: Installation): Promise<boolean> {
  return (await whole.db.selectFrom('users').select('id').executeTakeFirst()) === undefined;
}

async function idsGivenIn({ whole }: Installation, installation: string) {
  const secret = whole.db.selectFrom('secrets').select('value').where('name', '=', 'anti-forgery');
  return (await secret.executeTakeFirst())?.value === installation ? whole.counters(whole.db) : undefined;
}

function assertSound({ damaged }: BackupReport): void {
  if (damaged.length === 0) return;
  throw new Error(`The backup is damaged: ${damaged.join(', ')}\n--despite-damage restores everything else.`);
}

function stampOf(now: number): string {
  return new Date(now).toISOString().replaceAll(/[:.]/g, '-');
}

/** The path of a readable backup: its own, or that of its decrypted content in a new file, `target`. Throws without the right key. */
export async function openedBackup(file: string, target: string, secret: string): Promise<string> {
  if (!existsSync(file)) return file;
  if (!(await isSealed(file))) {
    // whoever can put a file in the place of a backup could otherwise choose the owners
    if (secret !== '')
      throw new Error(
        `${file} is not encrypted, although BACKUP_KEY is set. To restore it on purpose, unset BACKUP_KEY.`,
      );
    return file;
  }
  if (secret === '') throw new Error(`${file} is encrypted. BACKUP_KEY, as it was when the backup was made, opens it.`);
  await unseal(file, target, secret);
  return target;
}
