import { clearCache } from './cache-database.ts';
import type { Environment } from './environment.ts';
import { StorageFullError } from './errors.ts';
import { estimateOf } from './estimate.ts';
import { CATALOGUE_CACHE, IMAGE_CACHE } from './file-caches.ts';
import { trimKept } from './kept-files.ts';

/** Bytes to leave free for the overhead of the database. */
const MARGIN = 2 * 1024 * 1024;

/** Evicts something. Resolves to false if there was nothing to evict. */
type GiveUp = (environment: Environment) => Promise<boolean>;

/**
 * What is evicted for a save, in order: caches that refill automatically first, then the files of confirmed changes, and files that
 * a user asked to keep last. All of it is on the server too. A save is nowhere else.
 */
const GIVEN_UP: readonly GiveUp[] = [
  async ({ caches }) => (await caches?.delete(IMAGE_CACHE)) === true,
  async ({ cache }) => {
    await clearCache(cache);
    return true;
  },
  (environment) => trimKept(environment, 0),
  async ({ caches }) => (await caches?.delete(CATALOGUE_CACHE)) === true,
];

/**
 * Ensures quota for files of a given size. Evicts caches as needed. Throws StorageFullError with the sizes. Skips the estimate for
 * a change without files: `withinQuota` notices if it does not fit.
 */
export async function makeRoom(environment: Environment, bytes: number): Promise<void> {
  if (bytes === 0) return;
  const needed = bytes + MARGIN;
  let left = await available(environment);
  for (const giveUp of GIVEN_UP) {
    if (left >= needed) return;
    if (await isGivenUp(giveUp, environment)) left = await available(environment);
  }
  if (left < needed) throw new StorageFullError(needed, left);
}

/**
 * Runs a save. If it exceeds the quota in spite of the estimate, evicts one cache after another and retries after each. Throws
 * StorageFullError. An estimate is unreliable (WebKit has reported 10 GB on a full device); a failed write is not.
 */
export async function withinQuota<T>(environment: Environment, bytes: number, save: () => Promise<T>): Promise<T> {
  for (const giveUp of GIVEN_UP) {
    try {
      return await save();
    } catch (failure) {
      if (!isQuota(failure)) throw failure;
      await isGivenUp(giveUp, environment);
    }
  }
  return save().catch((again: unknown) => {
    throw isQuota(again) ? new StorageFullError(bytes) : again;
  });
}

/** A failed eviction counts as done. The outcome of the save decides. */
async function isGivenUp(giveUp: GiveUp, environment: Environment): Promise<boolean> {
  return giveUp(environment).catch((failure: unknown) => {
    console.warn('Cache not cleared.', failure);
    return true;
  });
}

/** Available bytes. Infinity if the browser does not report them: the write then shows what fits. */
async function available(environment: Environment): Promise<number> {
  const { usage = 0, quota } = await estimateOf(environment);
  return quota === undefined ? Number.POSITIVE_INFINITY : Math.max(0, quota - usage);
}

/**
 * True if the quota is exceeded. Dexie wraps the browser's error: an aborted transaction has it as `inner`, a bulk write has
 * one per failed row.
 */
export function isQuota(failure: unknown): boolean {
  if (!(failure instanceof Error)) return false;
  const { inner, failures } = failure as { inner?: unknown; failures?: unknown };
  const wrapped = [inner, failure.cause, ...(Array.isArray(failures) ? (failures as unknown[]) : [])];
  return failure.name === 'QuotaExceededError' || wrapped.some(isQuota);
}
