import { access, copyFile, type FileHandle, link, mkdir, open, readdir, rename, rm } from 'node:fs/promises';

/** A file being written. Nothing is certain to be on the disk before `flush`. */
export interface NewFile {
  write(bytes: Uint8Array): Promise<void>;
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** The few steps on the disk that uploads are made of. Tests put one in its place that fails or dies at a step. */
export interface Disk {
  /** Starts a file that must not exist yet. */
  create(path: string): Promise<NewFile>;
  /** Goes on at the end of a file; one that is not there is begun. */
  append(path: string): Promise<NewFile>;
  /** Gives a file a second name; a copy, where the file system cannot. */
  link(from: string, to: string): Promise<void>;
  /** Makes sure that a file's bytes are on the disk. */
  flush(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Makes sure that a folder's names are on the disk: a rename is lost without it when the power fails. */
  flushFolder(path: string): Promise<void>;
  /** Removes a file; one that is not there is no fault. */
  remove(path: string): Promise<void>;
}

/** The disk of this computer. */
export const realDisk: Disk = {
  create: async (path) => asNewFile(await open(path, 'wx', 0o600)),
  append: async (path) => asNewFile(await open(path, 'a', 0o600)),
  link: (from, to) =>
    link(from, to).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') throw error;
      return copyFile(from, to);
    }),
  flush: (path) => synced(open(path, 'r+')),
  rename,
  // Windows opens no folders, and writes names by itself.
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

/** Writes a file under a passing name, flushes it and gives it its own: it is there whole or not at all. */
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

/** File names of a folder (not of folders inside it); none when the folder is missing. */
export async function fileNames(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

/** True when there is something at that path. */
export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Makes a folder and those above it. */
export async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
}

async function synced(opening: Promise<FileHandle>): Promise<void> {
  const handle = await opening;
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
