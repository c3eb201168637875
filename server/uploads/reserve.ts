import { join } from 'node:path';
import { isFull } from '../faults.ts';
import { type Disk, exists, writeWhole } from './disk.ts';

/** Room that is kept on the disk for what has to work when it is full: reading, signing in, and deletes, which make room. */
export interface Reserve {
  /** Sees that the room is there before anything new is stored. Throws what the disk says when it is not. */
  keep(): Promise<void>;
  /** Runs a task. When the disk is full, gives up the room and runs the task once more. */
  spend<T>(task: () => Promise<T>): Promise<T>;
}

/** What SQLite's write-ahead log takes before it is begun anew. */
const RESERVED_BYTES = 4 * 1024 * 1024;
const BLOCK = 1024 * 1024;

/** The reserve of a data folder: a file of bytes that mean nothing, so that no file system stores it smaller. */
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
