import { join } from 'node:path';
import type { Storage, StoredFile } from './storage.ts';
import { type Disk, exists, fileNames } from './disk.ts';

/**
 * Where stored files last. They are made and read in the uploads folder, by names in it (`ab12.jpg`, `.sizes/100/ab12.jpg.webp`); where
 * they last elsewhere, the folder may lose them at any time.
 */
export interface FileStore {
  /** Makes files of the folder last. Only then may a row name them. */
  keep(names: readonly string[]): Promise<void>;
  /** Does ahead what it can for a file that `keep` will be asked for, while others are still made. Absent where there is nothing to do. */
  prepare?(file: MadeFile): Promise<void>;
  /** Lets others have a file that can be made again. */
  share(name: string): Promise<void>;
  /** Whether there is such a file, here or where it lasts. */
  has(name: string): Promise<boolean>;
  /** Whether it lasts: what lies here may be a copy of one that was removed by another server. */
  keeps(name: string): Promise<boolean>;
  /** Sees that a file which was kept lies in the folder. One that never was stays missing. */
  fetch(name: string): Promise<void>;
  /** Names of what is kept in a folder of the folder. */
  list(folder: string): Promise<string[]>;
  /** Forgets files; what lies in the folder is the caller's. */
  remove(names: readonly string[]): Promise<void>;
  /** What was kept so long ago that no change under way will name it. */
  settled(): Promise<string[]>;
}

/** A file of the folder, and what is known of it. */
export type MadeFile = Pick<StoredFile, 'name' | 'size' | 'sha256'>;

/** The folder in which files are made and read, and by what means. */
export type FilePlace = Pick<Storage, 'folder' | 'disk' | 'randomBytes'>;

/** Gives the store of the files of a folder. */
export type FileStoreIn = (place: FilePlace) => FileStore;

/** Where files last: in the bucket that UPLOADS_URL names, or else where their database has them. Throws, in words, where that cannot be. */
export async function whereFilesLast(uploadsUrl: string, withDatabase: FileStoreIn): Promise<FileStoreIn> {
  if (uploadsUrl === '') return withDatabase;
  // not loaded where it is not used
  const { openBucket } = await import('./bucket.ts');
  return openBucket(uploadsUrl);
}

/** Files that last where they lie. */
export function filesOnDisk(folder: string, disk: Disk): FileStore {
  return {
    keep: () => disk.flushFolder(folder),
    share: async () => undefined,
    has: (name) => exists(join(folder, name)),
    keeps: (name) => exists(join(folder, name)),
    fetch: async () => undefined,
    list: (inner) => fileNames(join(folder, inner)),
    remove: async () => undefined,
    settled: async () => [],
  };
}
