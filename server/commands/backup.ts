import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { prepareDataFolder } from '../ops/data-folder.ts';
import { tellNobody, type TellStep } from '../ops/backup-steps.ts';
import { backupsIn, nameAt, removeSurplus } from '../ops/backup-places.ts';
import { backupNotesIn, type LastBackup, notePart, type Verified } from '../ops/last-backup.ts';
import { measured } from '../ops/measured.ts';
import { seal, unseal } from '../ops/sealed-file.ts';
import type { Database } from '../stores/sql/tables.ts';
import { copyRows } from '../stores/sql/whole.ts';
import { databasePath } from '../stores/sqlite/database-file.ts';
import { openDatabase } from '../stores/sqlite/open.ts';
import { type BackupReport, type ContentOf, writeBackup } from '../stores/sqlite/sqlite-backup.ts';
import { readBackup } from '../stores/sqlite/sqlite-read-backup.ts';
import { wholeSqlite } from '../stores/sqlite/whole-sqlite.ts';
import { makeFolder, realDisk } from '../uploads/disk.ts';
import type { FileStore } from '../uploads/file-store.ts';
import { incomingFolder } from '../uploads/storage.ts';
import { type Kept, openBeside, sharedFiles } from './installation.ts';
import { inWorkFolder, partsOf, removeOldParts } from './work-folder.ts';

/** Maximum age of a hold, which may outlive a killed backup. Milliseconds. */
const LONGEST_BACKUP = 6 * 60 * 60 * 1000;

/** The PostgreSQL database that keeps the records, and the bucket that keeps the files, as the settings name them. */
type Shared = Omit<Kept, 'dataDir'>;

const EMBEDDED: Shared = { databaseUrl: '', uploadsUrl: '' };

/**
 * Writes a backup of a data folder or a PostgreSQL database into one new file, even while servers run: files dropped meanwhile are
 * held until the backup is done. Encrypts it with `key`, if given. The file gets its name only after all of it was read back. Throws if
 * the file exists, if its folder does not, or if it cannot be restored.
 */
export async function backUp(dataDir: string, file: string, key = '', shared = EMBEDDED): Promise<WrittenBackup> {
  const target = resolve(file);
  const source = { dataDir, ...shared };
  return writeBackupOf(source, target, key, {
    async onWritten({ damaged, verified }) {
      const isEncrypted = key !== '';
      const at = new Date().toISOString();
      await noteBackup(source, { at, file: target, damaged: damaged.length, isEncrypted, verified });
    },
  });
}

/** Records the backup where every server of the installation finds it. */
async function noteBackup(source: Kept, backup: LastBackup): Promise<void> {
  if (source.databaseUrl === '') return backupNotesIn(source.dataDir).note(backup);
  const { backupNotesAmong } = await import('../stores/postgres/backup-notes.ts');
  const db = await openBeside(source);
  await backupNotesAmong(db)
    .note(backup)
    .finally(() => db.destroy());
}

/** A backup that was written, and read back from the disk. */
export interface WrittenBackup extends BackupReport {
  readonly verified: Verified;
}

/** How a backup is written. */
interface Writing {
  readonly tell?: TellStep;
  /** The opened database, if its caller has it to itself. */
  readonly opened?: Database;
  /** Called when the backup is complete. */
  readonly onWritten?: (report: WrittenBackup) => Promise<void>;
}

/** Writes a backup without recording it as the latest. Throws like `backUp`. */
export async function writeBackupOf(
  source: Kept,
  target: string,
  key: string,
  { opened, onWritten, tell = tellNobody }: Writing = {},
): Promise<WrittenBackup> {
  if (existsSync(target)) throw new Error(`${target} exists already. A backup never replaces a file.`);
  if (!existsSync(dirname(target))) throw new Error(`There is no folder ${dirname(target)}.`);
  const { dataDir } = source;
  const db = opened ?? (await openBeside(source));
  prepareDataFolder(dataDir);
  const outside = [...partsOf(`${target}.part`), notePart(dataDir)];
  try {
    return await inWorkFolder(dataDir, outside, async (folder) => {
      const release = await hold(db);
      const report = await writeFrom(source, db, { folder, target, key, tell }).finally(release);
      await onWritten?.(report);
      return report;
    });
  } finally {
    if (opened === undefined) await db.destroy();
  }
}

function writeFrom(source: Kept, db: Database, to: Target): Promise<WrittenBackup> {
  const { dataDir } = source;
  const readUpload = (name: string) => readFile(join(dataDir, 'uploads', name)).catch(() => undefined);
  if (source.databaseUrl === '') return writeWhole(databasePath(dataDir), readUpload, to);
  return withCopy(source, db, to.folder, (path, contentOf) => writeWhole(path, contentOf, to));
}

/** Where backups are kept, and how many. */
export interface BackupTargets {
  /** Empty for none. */
  readonly folder: string;
  /** The address of a bucket; empty for none. */
  readonly bucket?: string;
  readonly keep: number;
  /** The encryption key; empty for none. */
  readonly key: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** The database and files to back up instead of the data folder. */
  readonly shared?: Shared;
  readonly tell?: TellStep;
}

/**
 * Writes a backup named by its time into a folder, a bucket or both, then removes all but the newest `keep` in each. Returns its path or
 * address too. One that is in the folder and did not reach the bucket is recorded with the reason, which is returned.
 */
export async function backUpTo(dataDir: string, targets: BackupTargets) {
  const name = nameAt(targets.now);
  const { folder } = targets;
  if (folder === '') return inWorkFolder(dataDir, [], (work) => writeTo(dataDir, join(work, name), targets));
  await makeFolder(folder);
  const written = await writeTo(dataDir, join(folder, name), targets);
  await removeSurplus(backupsIn(folder), name, targets.keep);
  await removeOldParts(folder, PARTS);
  return written;
}

async function writeTo(dataDir: string, path: string, targets: BackupTargets) {
  const { folder, bucket = '', key, shared = EMBEDDED, tell = tellNobody } = targets;
  const source = { dataDir, ...shared };
  let file = path;
  let problem: string | undefined;
  const report = await writeBackupOf(source, path, key, {
    tell,
    async onWritten({ damaged, verified }) {
      if (bucket !== '') {
        tell('send');
        const stored = storeIn(bucket, path, verified, targets.keep);
        const address = await stored.catch((error: Error) => {
          if (folder === '') throw error;
          problem = error.message;
        });
        if (folder === '') file = address ?? path;
      }
      await noteBackup(source, {
        at: new Date().toISOString(),
        file,
        damaged: damaged.length,
        isEncrypted: key !== '',
        verified,
        ...(problem === undefined ? {} : { problem }),
      });
    },
  });
  return { ...report, file, ...(problem === undefined ? {} : { problem }) };
}

/** Stores a backup in a bucket, reads it back there, and removes those that are too many. Returns its address. */
async function storeIn(address: string, path: string, { sha256 }: Verified, keep: number): Promise<string> {
  const { openBackupBucket } = await import('../uploads/backup-bucket.ts');
  const bucket = await openBackupBucket(address);
  const name = basename(path);
  await bucket.store(path, name, sha256);
  await removeSurplus(bucket, name, keep);
  return `${bucket.address}${name}`;
}

/** Unfinished backups. */
const PARTS = /\.voltdesk\.part(-\w+)?$/;

interface Target {
  /** The work folder. */
  readonly folder: string;
  readonly target: string;
  readonly key: string;
  readonly tell: TellStep;
}

/** Writes a complete backup and reads it back. An encrypted one is never unencrypted outside of the data folder. */
async function writeWhole(database: string, contentOf: ContentOf, { folder, target, key, tell }: Target) {
  const part = `${target}.part`;
  const plain = key === '' ? part : join(folder, 'plain.voltdesk');
  const report = await writeBackup(database, contentOf, plain, tell);
  if (key !== '') {
    tell('encrypt');
    await seal(plain, part, key);
    await rm(plain);
  }
  await realDisk.flush(part);
  const verified = await readBack(part, { folder, key, report, tell });
  await rename(part, target);
  await realDisk.flushFolder(dirname(target));
  return { ...report, verified };
}

/** What a written backup is read back with, and what its writing reported. */
interface ReadingBack extends Pick<Target, 'folder' | 'key' | 'tell'> {
  readonly report: BackupReport;
}

/** Reads a written backup back, decrypted in the work folder. Throws if it could not be restored as it was written. */
async function readBack(file: string, { folder, key, report, tell }: ReadingBack): Promise<Verified> {
  tell('verify');
  const { size, hash } = await measured(file);
  const opened = key === '' ? file : join(folder, 'read-back.voltdesk');
  if (key !== '') await unseal(file, opened, key);
  const { position, records, files, damaged } = readBackup(opened, tell);
  const lost = damaged.filter((name) => !report.damaged.includes(name));
  if (lost.length > 0) throw new Error(`Other bytes were read back than were written: ${lost.join(', ')}`);
  return { at: new Date().toISOString(), position, records, files, size, sha256: hash.toString('hex') };
}

/** Copies a snapshot of a PostgreSQL database into a temporary embedded one for the task. */
async function withCopy<T>(
  source: Kept,
  db: Database,
  workFolder: string,
  task: (path: string, contentOf: ContentOf) => Promise<T>,
): Promise<T> {
  const { wholePostgres } = await import('../stores/postgres/whole.ts');
  const filesIn = await sharedFiles(source, db);
  const folder = join(workFolder, 'copy');
  await makeFolder(incomingFolder({ folder }));
  const whole = wholePostgres(db);
  const copy = await openDatabase(folder);
  await whole
    .atOneMoment((reading) =>
      copy.transaction().execute((writing) => copyRows(whole, reading, wholeSqlite(copy), writing)),
    )
    .finally(() => copy.destroy());
  const files = filesIn({ folder, disk: realDisk, randomBytes });
  return task(databasePath(folder), (name) => fetched(files, folder, name));
}

/** Fetches one file. Only one is on the disk at a time. */
async function fetched(files: FileStore, folder: string, name: string): Promise<Buffer | undefined> {
  await files.fetch(name).catch(() => undefined);
  const content = await readFile(join(folder, name)).catch(() => undefined);
  await rm(join(folder, name), { force: true });
  return content;
}

/** Holds dropped files on the disk until the returned function is called. */
async function hold(db: Database): Promise<() => Promise<void>> {
  const id = randomUUID();
  const until = new Date(Date.now() + LONGEST_BACKUP).toISOString();
  await db.insertInto('file_holds').values({ id, until }).execute();
  return async () => void (await db.deleteFrom('file_holds').where('id', '=', id).execute());
}
