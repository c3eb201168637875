import { join } from 'node:path';
import { isFull } from '../errors/faults.ts';
import { type Disk, exists, writeWhole } from './disk.ts';

/** Disk space reserved for what must work on a full disk: reading, signing in, and deletes, which free space. */
export interface Reserve {
  /** Ensures that the space is reserved before anything new is stored. Throws the disk's error if it cannot be. */
  keep(): Promise<void>;
  /** Runs a task. If the disk is full, releases the reserve and runs the task once more. */
  spend<T>(task: () => Promise<T>): Promise<T>;
}

/** The size of SQLite's write-ahead log before it is reset. */
const RESERVED_BYTES = 4 * 1024 * 1024;
const BLOCK = 1024 * 1024;

/** The reserve of a data folder: a file of random bytes, which no file system can compress. */
export function reserveIn(dataDir: string, disk: Disk, randomBytes: (count: number) => Buffer): Reserve {
  const path = join(dataDir, 'reserve');
  let filling: Promise<void> | undefined;
  const fill = async () => {
    if (await exists(path)) return;
    const block = randomBytes(BLOCK);
    await writeWhole(disk, `${path}.part`, path, Buffer.concat(Array(RESERVED_BYTES / BLOCK).fill(block)));
  };
  let isKept = false;
  const keep = async () => {
    if (isKept) return;
    filling ??= fill().finally(() => (filling = undefined));
    await filling;
    isKept = true;
  };
  return {
    keep,
    async spend(task) {
      try {
        return await task();
      } catch (error) {
        if (!isFull(error as object)) throw error;
        isKept = false;
        await disk.remove(path);
        return task();
      }
    },
  };
}
