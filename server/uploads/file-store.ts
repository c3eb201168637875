import { join } from 'node:path';
import type { Storage, StoredFile } from './storage.ts';
import { type Disk, exists, fileNames } from './disk.ts';
import { type MarkerPlace, markerIn } from './marker.ts';

/**
 * Durable storage of files. They are written and read in the uploads folder, by their names in it (`ab12.jpg`,
 * `.sizes/100/ab12.jpg.webp`). If the durable copy is elsewhere, the folder may lose them at any time.
 */
export interface FileStore {
  /** Makes files of the folder durable. Only then may a row name them. */
  keep(names: readonly string[]): Promise<void>;
  /**
   * Starts work on a file that will be passed to `keep`, while others are still being written. Absent if there is nothing to
   * prepare.
   */
  prepare?(file: MadeFile): Promise<void>;
  /** Shares a derived file, which can be made again, with other servers. */
  share(name: string): Promise<void>;
  /** True if the file exists, here or in durable storage. */
  has(name: string): Promise<boolean>;
  /** True if the file is in durable storage. A copy here may be of one that another server has removed. */
  keeps(name: string): Promise<boolean>;
  /** Ensures that a kept file is in the folder. One that was never kept stays missing. */
  fetch(name: string): Promise<void>;
  /** Names of the kept files in a subfolder. */
  list(folder: string): Promise<string[]>;
  /** Removes files from durable storage. The caller removes them from the folder. */
  remove(names: readonly string[]): Promise<void>;
  /** Stored files, without those so new elsewhere that a change in flight may still name them. */
  settled(): Promise<string[]>;
  /** True if the folder itself is the durable storage. */
  readonly isFolder?: true;
  /** Says whose files these are. Absent if they cannot be parted from the database. */
  readonly marker?: MarkerPlace;
}

/** A file in the folder, and its metadata. */
export type MadeFile = Pick<StoredFile, 'name' | 'size' | 'sha256'>;

/** The folder of the files, and the means to work in it. */
export type FilePlace = Pick<Storage, 'folder' | 'disk' | 'randomBytes'>;

/** Creates the store for the files of a folder. */
export type FileStoreIn = (place: FilePlace) => FileStore;

/**
 * The durable storage of files: the bucket in UPLOADS_URL, or else the database's own storage. Throws a readable error if it
 * is unusable.
 */
export async function whereFilesLast(uploadsUrl: string, withDatabase: FileStoreIn): Promise<FileStoreIn> {
  if (uploadsUrl === '') return withDatabase;
  // loaded only if used
  const { openBucket } = await import('./bucket.ts');
  return openBucket(uploadsUrl);
}

/** A store whose durable storage is the folder itself. */
export function filesOnDisk(folder: string, disk: Disk): FileStore {
  return {
    keep: () => disk.flushFolder(folder),
    share: async () => undefined,
    has: (name) => exists(join(folder, name)),
    keeps: (name) => exists(join(folder, name)),
    fetch: async () => undefined,
    list: (inner) => fileNames(join(folder, inner)),
    remove: async () => undefined,
    settled: async () => (await fileNames(folder)).filter((name) => !name.startsWith('.')),
    isFolder: true,
    marker: markerIn(folder, disk),
  };
}
