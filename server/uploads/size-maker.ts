import { makeMissingSizes, removeSizes, withoutSizes } from './sizes.ts';
import type { Storage } from './storage.ts';

/** Makes smaller pictures ahead of the first request. */
export interface SizeMaker {
  /** Queues stored pictures. They are processed one at a time while nothing more urgent is running. */
  add(names: readonly string[]): void;
  /** Queues those that lack a size, such as what a killed server left in its queue. */
  addMissing(names: readonly string[]): Promise<void>;
  /** The length of the queue. */
  waiting(): number;
  /** Resolves when the queue is empty. */
  done(): Promise<void>;
  /** Clears the queue. Resolves when the current picture is done. */
  stop(): Promise<void>;
}

/** Creates the queue. A failed picture is reported and skipped; the next request for it tries again. */
export function sizeMaker(storage: Storage, report: (name: string, error: unknown) => void): SizeMaker {
  const waiting = new Set<string>();
  let running: Promise<void> | undefined;
  const work = async () => {
    for (const name of waiting) {
      await make(storage, name).catch((error: unknown) => report(name, error));
      waiting.delete(name);
    }
    running = undefined;
  };
  const add = (names: readonly string[]) => {
    for (const name of names) waiting.add(name);
    if (waiting.size > 0) running ??= work();
  };
  return {
    add,
    addMissing: async (names) => add(await withoutSizes(storage, names)),
    waiting: () => waiting.size,
    done: async () => running,
    stop: async () => {
      waiting.clear();
      await running;
    },
  };
}

async function make(storage: Storage, name: string): Promise<void> {
  const isThere = () => storage.files.keeps(name);
  try {
    await makeMissingSizes(storage, name);
  } catch (error) {
    if (await isThere()) throw error;
  }
  // The picture may have been removed meanwhile, by any server, before its sizes existed.
  if (!(await isThere())) await removeSizes(storage, name);
}
