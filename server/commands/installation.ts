import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { addressProblem, databaseName } from '../settings/database-address.ts';
import { prepareDataFolder } from '../ops/data-folder.ts';
import type { Settings } from '../settings/settings.ts';
import type { Owning } from '../stores/sql/files-owner.ts';
import type { Database } from '../stores/sql/tables.ts';
import type { Whole } from '../stores/sql/whole.ts';
import { finishSwitch } from './switch-over.ts';
import { assertDatabase, hasDatabase, hasTables } from '../stores/sqlite/database-file.ts';
import { openDatabase } from '../stores/sqlite/open.ts';
import { openSqlite } from '../stores/sqlite/sqlite.ts';
import { lockDataFolder } from '../stores/sqlite/sqlite-lock.ts';
import { wholeSqlite } from '../stores/sqlite/whole-sqlite.ts';
import { makeFolder, realDisk } from '../uploads/disk.ts';
import { type FileStore, type FileStoreIn, filesOnDisk, whereFilesLast } from '../uploads/file-store.ts';
import { incomingFolder, type Storage } from '../uploads/storage.ts';

/** All data of an installation without a running server. */
export interface Installation {
  /** A display name, without a password. */
  readonly name: string;
  readonly whole: Whole;
  /** The folder of its files, if they are in one. */
  readonly uploads: string | undefined;
  /** Its files, working in a folder. */
  filesIn(folder: string): FileStore;
  /** Identifies its database among copies of it. Undefined if nothing does. */
  readonly identity: string | undefined;
  /** Throws if something may have used the database meanwhile. Asked before a commit. */
  assertAlone(): Promise<void>;
  close(): Promise<void>;
}

/** The settings that locate records. */
type Named = Pick<Settings, 'databaseUrl' | 'dataDir'>;

/** The settings that locate records and files. */
export type Kept = Named & Pick<Settings, 'uploadsUrl'>;

/** The address of the configured database: `sqlite:` with a data folder, or a PostgreSQL address. */
export function addressOf({ databaseUrl, dataDir }: Named): string {
  return databaseUrl === '' ? `sqlite:${dataDir}` : databaseUrl;
}

/** A display name of the configured database, without a password. */
export function nameOf({ databaseUrl, dataDir }: Named): string {
  return databaseUrl === '' ? dataDir : databaseName(databaseUrl);
}

/** Opens the configured database for a command beside a running server. Throws if there is none yet. */
export async function openBeside(settings: Named): Promise<Database> {
  const { databaseUrl, dataDir } = settings;
  if (databaseUrl !== '') return openOrExplain(databaseUrl, 'beside');
  assertDatabase(dataDir);
  const unlock = lockDataFolder(dataDir, 'use');
  try {
    return unlockedAfter(await openDatabase(dataDir, openSqlite, false), unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Makes closing a database release its lock. */
function unlockedAfter(db: Database, unlock: () => void): Database {
  const destroy = db.destroy.bind(db);
  return Object.assign(db, {
    async destroy() {
      await destroy();
      unlock();
    },
  });
}

/** Opens or creates the configured database, and brings it up to date. */
export async function openOrMake({ databaseUrl, dataDir }: Named): Promise<Database> {
  return databaseUrl === '' ? openDatabase(dataDir) : openOrExplain(databaseUrl, 'start');
}

/** Where a command writes and reads files. */
type Place = Pick<Storage, 'folder' | 'disk' | 'files' | 'randomBytes'>;

/** Runs a task with the configured files, in the uploads folder or, if they are stored elsewhere, in a temporary one. */
export async function withUploads<T>(settings: Kept, db: Database, task: (place: Place) => Promise<T>): Promise<T> {
  const place = (folder: string) => ({ folder, disk: realDisk, randomBytes });
  if (settings.databaseUrl === '') {
    const own = place(join(settings.dataDir, 'uploads'));
    return task({ ...own, files: filesOnDisk(own.folder, realDisk) });
  }
  const filesIn = await sharedFiles(settings, db);
  return inPassingFolder(async (folder) => task({ ...place(folder), files: filesIn(place(folder)) }));
}

/** The files of a PostgreSQL installation, in the database or in the configured bucket. */
export async function sharedFiles({ uploadsUrl }: Pick<Kept, 'uploadsUrl'>, db: Database): Promise<FileStoreIn> {
  const { filesInDatabase } = await import('../stores/postgres/files.ts');
  return whereFilesLast(uploadsUrl, (place) => filesInDatabase(db, place));
}

/** The installation's database and files, which work in a folder. */
export function owningOf({ whole, identity, filesIn }: Installation, folder: string): Owning {
  return { db: whole.db, files: filesIn(folder), randomBytes, database: identity };
}

/** Runs a task in a temporary folder for uploads. */
export async function inPassingFolder<T>(task: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'voltdesk-files-'));
  try {
    await makeFolder(incomingFolder({ folder }));
    return await task(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Facts about an installation besides its address. */
interface Looking {
  readonly isThere: boolean;
  /** The bucket with the files; empty if they are in the database. */
  readonly uploadsUrl?: string;
}

/**
 * Opens an installation by its address with exclusive access. Throws a readable error if a server uses it, if `isThere` is set and
 * it does not exist, or if the address is invalid.
 */
export async function openInstallation(address: string, { isThere, uploadsUrl = '' }: Looking): Promise<Installation> {
  if (/^postgres(ql)?:/.test(address)) return openShared(address, uploadsUrl);
  if (!address.startsWith('sqlite:')) throw new Error(`"${address}" is neither sqlite:FOLDER nor postgres://…`);
  return openFolder(resolve(address.slice('sqlite:'.length)), isThere);
}

async function openFolder(dataDir: string, isThere: boolean): Promise<Installation> {
  if (isThere && !hasDatabase(dataDir)) throw new Error(`There is no database in ${dataDir}.`);
  prepareDataFolder(dataDir);
  const unlock = lockDataFolder(dataDir);
  try {
    await finishSwitch(dataDir);
    const db = await openDatabase(dataDir, openSqlite, !hasTables(dataDir));
    return {
      name: dataDir,
      whole: wholeSqlite(db),
      uploads: join(dataDir, 'uploads'),
      filesIn: (folder) => filesOnDisk(folder, realDisk),
      identity: undefined,
      // the operating system holds the lock
      assertAlone: async () => undefined,
      async close() {
        await db.destroy();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

async function openShared(address: string, uploadsUrl: string): Promise<Installation> {
  const problem = addressProblem(address);
  if (problem !== undefined) throw new Error(`This address of a database cannot be used: ${problem}`);
  const { haveAlone } = await import('../stores/postgres/alone.ts');
  const { wholePostgres } = await import('../stores/postgres/whole.ts');
  const { identityOf } = await import('../stores/postgres/identity.ts');
  const name = databaseName(address);
  const alone = await explained(address, () => haveAlone(address));
  if (alone === undefined)
    throw new Error(`A Voltdesk server works on the database ${name}. Stop every one of them first.`);
  try {
    const db = await openOrExplain(address, 'alone');
    const filesIn = await sharedFiles({ uploadsUrl }, db);
    return {
      name,
      whole: wholePostgres(db),
      uploads: undefined,
      filesIn: (folder) => filesIn({ folder, disk: realDisk, randomBytes }),
      identity: await identityOf(db),
      assertAlone: alone.assert,
      async close() {
        await db.destroy();
        await alone.release();
      },
    };
  } catch (error) {
    await alone.release();
    throw error;
  }
}

async function openOrExplain(address: string, as: 'start' | 'beside' | 'alone'): Promise<Database> {
  const { openPostgres } = await import('../stores/postgres/open.ts');
  return explained(address, () => openPostgres(address, {}, as));
}

async function explained<T>(address: string, task: () => Promise<T>): Promise<T> {
  const { startFault } = await import('../stores/postgres/start-fault.ts');
  return task().catch((error: unknown) => {
    throw new Error(startFault(error, databaseName(address)).words, { cause: error });
  });
}
