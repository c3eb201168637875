import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { addressProblem, databaseName } from '../database-address.ts';
import { prepareDataFolder } from '../data-folder.ts';
import type { Settings } from '../settings.ts';
import type { Database } from '../stores/sql/tables.ts';
import type { Whole } from '../stores/sql/whole.ts';
import { assertDatabase, databasePath } from '../stores/sqlite/database-file.ts';
import { openDatabase } from '../stores/sqlite/open.ts';
import { lockDataFolder } from '../stores/sqlite/sqlite-lock.ts';
import { wholeSqlite } from '../stores/sqlite/whole-sqlite.ts';
import { makeFolder, realDisk } from '../uploads/disk.ts';
import { type FileStore, type FileStoreIn, filesOnDisk, whereFilesLast } from '../uploads/file-store.ts';
import { incomingFolder, type Storage } from '../uploads/storage.ts';

/** Everything that one installation keeps, while no server works on it. */
export interface Installation {
  /** In words, without a password. */
  readonly name: string;
  readonly whole: Whole;
  /** Where its files lie, if they lie in a folder. */
  readonly uploads: string | undefined;
  /** Its files, as they are made and read in a folder. */
  filesIn(folder: string): FileStore;
  close(): Promise<void>;
}

/** What the settings say of where records and files are. */
type Named = Pick<Settings, 'databaseUrl' | 'dataDir'>;

/** And of where files are. */
export type Kept = Named & Pick<Settings, 'uploadsUrl'>;

/** The address of what the settings name: `sqlite:` with a data folder, or that of a PostgreSQL database. */
export function addressOf({ databaseUrl, dataDir }: Named): string {
  return databaseUrl === '' ? `sqlite:${dataDir}` : databaseUrl;
}

/** What the settings name, in words and without a password. */
export function nameOf({ databaseUrl, dataDir }: Named): string {
  return databaseUrl === '' ? dataDir : databaseName(databaseUrl);
}

/** Opens the database that the settings name, for a command beside a server that may run. Throws where there is none yet. */
export async function openBeside(settings: Named): Promise<Database> {
  if (settings.databaseUrl === '') assertDatabase(settings.dataDir);
  return openOrMake(settings);
}

/** Opens the database that the settings name. */
export async function openOrMake({ databaseUrl, dataDir }: Named): Promise<Database> {
  return databaseUrl === '' ? openDatabase(dataDir) : openOrExplain(databaseUrl);
}

/** Where a command makes and reads files. */
type Place = Pick<Storage, 'folder' | 'disk' | 'files' | 'randomBytes'>;

/** Works with the files of what the settings name, in the uploads folder or, where they last elsewhere, in a passing one. */
export async function withUploads<T>(settings: Kept, db: Database, task: (place: Place) => Promise<T>): Promise<T> {
  const place = (folder: string) => ({ folder, disk: realDisk, randomBytes });
  if (settings.databaseUrl === '') {
    const own = place(join(settings.dataDir, 'uploads'));
    return task({ ...own, files: filesOnDisk(own.folder, realDisk) });
  }
  const filesIn = await sharedFiles(settings, db);
  return inPassingFolder(async (folder) => task({ ...place(folder), files: filesIn(place(folder)) }));
}

/** The files of a PostgreSQL database: in it, or in the bucket that the settings name. */
export async function sharedFiles({ uploadsUrl }: Pick<Kept, 'uploadsUrl'>, db: Database): Promise<FileStoreIn> {
  const { filesInDatabase } = await import('../stores/postgres/files.ts');
  return whereFilesLast(uploadsUrl, (place) => filesInDatabase(db, place));
}

/** Works in a folder for uploads that is gone afterwards. */
export async function inPassingFolder<T>(task: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'voltdesk-files-'));
  try {
    await makeFolder(incomingFolder({ folder }));
    return await task(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What is known of an installation beside its address. */
interface Looking {
  readonly isThere: boolean;
  /** The bucket of a PostgreSQL database's files; empty where they are in it. */
  readonly uploadsUrl?: string;
}

/**
 * Opens an installation by its address, for one who is alone with it. Throws, in words, where a server works on it, where `isThere` is
 * asked for and nothing is, or where the address is none.
 */
export async function openInstallation(address: string, { isThere, uploadsUrl = '' }: Looking): Promise<Installation> {
  if (/^postgres(ql)?:/.test(address)) return openShared(address, uploadsUrl);
  if (!address.startsWith('sqlite:')) throw new Error(`"${address}" is neither sqlite:FOLDER nor postgres://…`);
  return openFolder(resolve(address.slice('sqlite:'.length)), isThere);
}

async function openFolder(dataDir: string, isThere: boolean): Promise<Installation> {
  if (isThere && !existsSync(databasePath(dataDir))) throw new Error(`There is no database in ${dataDir}.`);
  prepareDataFolder(dataDir);
  const unlock = lockDataFolder(dataDir);
  try {
    const db = await openDatabase(dataDir);
    return {
      name: dataDir,
      whole: wholeSqlite(db),
      uploads: join(dataDir, 'uploads'),
      filesIn: (folder) => filesOnDisk(folder, realDisk),
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
  const { isInUse } = await import('../stores/postgres/in-use.ts');
  const { wholePostgres } = await import('../stores/postgres/whole.ts');
  const name = databaseName(address);
  if (await explained(address, () => isInUse(address))) {
    throw new Error(`A Voltdesk server works on the database ${name}. Stop every one of them first.`);
  }
  const db = await openOrExplain(address);
  const filesIn = await sharedFiles({ uploadsUrl }, db);
  return {
    name,
    whole: wholePostgres(db),
    uploads: undefined,
    filesIn: (folder) => filesIn({ folder, disk: realDisk, randomBytes }),
    close: () => db.destroy(),
  };
}

async function openOrExplain(address: string): Promise<Database> {
  const { openPostgres } = await import('../stores/postgres/open.ts');
  return explained(address, () => openPostgres(address));
}

async function explained<T>(address: string, task: () => Promise<T>): Promise<T> {
  const { startFault } = await import('../stores/postgres/start-fault.ts');
  return task().catch((error: unknown) => {
    throw new Error(startFault(error, databaseName(address)).words, { cause: error });
  });
}
