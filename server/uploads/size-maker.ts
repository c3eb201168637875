import { makeMissingSizes, removeSizes, withoutSizes } from './sizes.ts';
import type { Storage } from './storage.ts';

/** Makes the smaller pictures ahead, so that nobody waits for them at first sight. */
export interface SizeMaker {
  /** Puts stored pictures on the list; they are made one after the other while nothing more urgent is done. */
  add(names: readonly string[]): void;
  /** The same for those that lack a size: a server that was killed had them on its list. */
  addMissing(names: readonly string[]): Promise<void>;
  /** How many are on the list. */
  waiting(): number;
  /** Resolves when the list is empty. */
  done(): Promise<void>;
  /** Leaves the list alone; resolves when the picture in hand is done. */
  stop(): Promise<void>;
}

/** A picture that cannot be made smaller is reported and left: it is tried again when somebody asks for it. */
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
    await makeMissingSizes(storage, name, 'whenIdle');
  } catch (error) {
    if (await isThere()) throw error;
  }
  // A picture that was removed meanwhile, at any server: its sizes were removed before they were made.
  if (!(await isThere())) await removeSizes(storage, name);
}
