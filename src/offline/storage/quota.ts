import { clearCache } from './cache-database.ts';
import type { Environment } from './environment.ts';
import { StorageFullError } from './errors.ts';
import { CATALOGUE_CACHE, IMAGE_CACHE } from './file-caches.ts';

/** Left free beside what is saved, in bytes: the database itself needs some. */
const MARGIN = 2 * 1024 * 1024;

/** Gives something up. False where there was nothing of it. */
type GiveUp = (environment: Environment) => Promise<boolean>;

/**
 * What a save may have in its stead, one after the other: what comes back by itself first, what somebody asked to keep last. All of
 * it is at the server too; a save is nowhere else.
 */
const GIVEN_UP: readonly GiveUp[] = [
  async ({ caches }) => (await caches?.delete(IMAGE_CACHE)) === true,
  async ({ cache }) => {
    await clearCache(cache);
    return true;
  },
  async ({ caches }) => (await caches?.delete(CATALOGUE_CACHE)) === true,
];

/**
 * Makes sure there is room for so many bytes of files; what can be fetched again is given up for it. Throws StorageFullError with
 * the sizes. A change without files is not worth the question: `withinQuota` sees when it does not fit.
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
 * Runs a save; when it hits the quota in spite of the estimate, gives up what can be fetched again, one after the other, and tries
 * once more after each. Throws StorageFullError. A browser's estimate is no truth (WebKit has told of 10 GB on a full device): the
 * write that failed is.
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

/** Also where something cannot be given up, the save is tried: what it says counts. */
async function isGivenUp(giveUp: GiveUp, environment: Environment): Promise<boolean> {
  return giveUp(environment).catch((failure: unknown) => {
    console.warn('What can be fetched again could not be given up.', failure);
    return true;
  });
}

/** So long the browser's estimate is waited for: it hangs where the storage does. Milliseconds. */
const ESTIMATE_PATIENCE = 2_000;

/** Bytes. Where the browser does not report it (Safari before 17 has no such question), the write will. */
async function available({ room, after }: Environment): Promise<number> {
  const asked = room?.estimate?.();
  if (asked === undefined) return Number.POSITIVE_INFINITY;
  let stopWaiting = () => {};
  const patience = new Promise<StorageEstimate>((resolve) => {
    stopWaiting = after(ESTIMATE_PATIENCE, () => resolve({}));
  });
  const { usage = 0, quota } = await Promise.race([asked.catch((): StorageEstimate => ({})), patience]);
  stopWaiting();
  return quota === undefined ? Number.POSITIVE_INFINITY : Math.max(0, quota - usage);
}

/** Dexie wraps the browser's error: an aborted transaction carries it inside, a write of many rows one for each that failed. */
function isQuota(failure: unknown): boolean {
  if (!(failure instanceof Error)) return false;
  const { inner, failures } = failure as { inner?: unknown; failures?: unknown };
  const wrapped = [inner, failure.cause, ...(Array.isArray(failures) ? (failures as unknown[]) : [])];
  return failure.name === 'QuotaExceededError' || wrapped.some(isQuota);
}
