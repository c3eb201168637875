import { access, copyFile, type FileHandle, link, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { OWN_FOLDER, OWN_ONLY } from '../ops/data-folder.ts';

/** A file being written. Nothing is durable before `flush`. */
export interface NewFile {
  write(bytes: Uint8Array): Promise<void>;
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** The disk operations of uploads. Tests replace it with one that fails or dies at a step. */
export interface Disk {
  /** Creates a file that must not exist yet. */
  create(path: string): Promise<NewFile>;
  /** Opens a file for appending. Creates it if it is missing. */
  append(path: string): Promise<NewFile>;
  /** Links a file under a second name. Copies it if the file system has no links. */
  link(from: string, to: string): Promise<void>;
  /** Makes a file's bytes durable. */
  flush(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Makes a folder's names durable. Without it a power failure can undo a rename. */
  flushFolder(path: string): Promise<void>;
  /** Removes a file. A missing one is no error. */
  remove(path: string): Promise<void>;
}

/** The disk of this machine. */
export const realDisk: Disk = {
  create: async (path) => asNewFile(await open(path, 'wx', OWN_ONLY)),
  append: async (path) => asNewFile(await open(path, 'a', OWN_ONLY)),
  link: (from, to) => link(from, to).catch(() => copyFile(from, to)),
  flush: (path) => synced(open(path, 'r+')),
  rename,
  // Windows cannot open folders, and writes names by itself.
  flushFolder: (path) => (process.platform === 'win32' ? Promise.resolve() : synced(open(path, 'r'))),
  remove: (path) => rm(path, { force: true }),
};

function asNewFile(handle: FileHandle): NewFile {
  return {
    write: async (bytes) => void (await handle.writeFile(bytes)),
    flush: () => handle.sync(),
    close: () => handle.close(),
  };
}

/** Writes a file under a temporary name, flushes it and renames it: it exists completely or not at all. */
export async function writeWhole(disk: Disk, passing: string, path: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeFlushed(disk, passing, bytes);
    await disk.rename(passing, path);
  } catch (error) {
    await disk.remove(passing);
    throw error;
  }
}

async function writeFlushed(disk: Disk, path: string, bytes: Uint8Array): Promise<void> {
  const file = await disk.create(path);
  try {
    await file.write(bytes);
    await file.flush();
  } finally {
    await file.close();
  }
}

/** Names of the files in a folder, without subfolders. Empty if the folder is missing. */
export async function fileNames(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

/** True if something exists at the path. */
export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Creates a folder and its parents, for this user only. */
export async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: OWN_FOLDER });
}

async function synced(opening: Promise<FileHandle>): Promise<void> {
  const handle = await opening;
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
