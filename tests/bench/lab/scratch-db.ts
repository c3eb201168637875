import { Dexie, type Table } from 'dexie';

interface ScratchChange {
  readonly sequence?: number;
  readonly values: unknown;
  readonly files: readonly string[];
}

interface ScratchFile {
  readonly id: string;
  readonly bytes: Blob;
}

/** The simplest possible store as a reference: strict like the outbox, or relaxed like the cache. */
export type ScratchDatabase = Dexie & {
  readonly lists: Table<unknown, string>;
  readonly changes: Table<ScratchChange, number>;
  readonly files: Table<ScratchFile, string>;
};

export function scratchDatabase(durability: 'strict' | 'relaxed'): ScratchDatabase {
  const database = new Dexie(`scratch-${durability}`, { chromeTransactionDurability: durability });
  database.version(1).stores({ lists: '', changes: '++sequence', files: 'id' });
  return database as ScratchDatabase;
}

export const strictScratch = scratchDatabase('strict');

/** The milliseconds of the work. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Random bytes, which no disk can compress. */
export function randomBlob(bytes: number, type: string): Blob {
  const content = new Uint8Array(bytes);
  for (let start = 0; start < bytes; start += 65_536) crypto.getRandomValues(content.subarray(start, start + 65_536));
  return new Blob([content], { type });
}
