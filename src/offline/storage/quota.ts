import { clearCache } from './cache-database.ts';
import type { Environment } from './environment.ts';
import { StorageFullError } from './errors.ts';

/** Left free beside what is saved, in bytes: the database itself needs some. */
const MARGIN = 2 * 1024 * 1024;

/**
 * Makes sure there is room for so many bytes of files; the cache is given up first. Throws StorageFullError with the sizes. A
 * change without files is not worth the question: `withinQuota` sees when it does not fit.
 */
export async function makeRoom(environment: Environment, bytes: number): Promise<void> {
  if (bytes === 0) return;
  if ((await available(environment)) >= bytes + MARGIN) return;
  await clearCache(environment.cache);
  const left = await available(environment);
  if (left < bytes + MARGIN) throw new StorageFullError(bytes, left);
}

/** Runs a save; when it hits the quota in spite of the estimate, gives up the cache and tries once more. */
export async function withinQuota<T>(environment: Environment, bytes: number, save: () => Promise<T>): Promise<T> {
  try {
    return await save();
  } catch (failure) {
    if (!isQuota(failure)) throw failure;
    await clearCache(environment.cache);
    return await save().catch(async (again: unknown) => {
      throw isQuota(again) ? new StorageFullError(bytes, await available(environment)) : again;
    });
  }
}

const asked = new WeakSet<Environment>();

/** Asks the browser, once, not to throw the outbox away. Some ask the person: nothing waits for the answer. */
export function askToPersist(environment: Environment): void {
  if (asked.has(environment)) return;
  asked.add(environment);
  const { room } = environment;
  room
    ?.persisted()
    .then((persisted) => persisted || room.persist())
    .catch(() => undefined);
}

async function available({ room }: Environment): Promise<number> {
  const { usage, quota } = (await room?.estimate()) ?? {};
  return quota === undefined ? Number.POSITIVE_INFINITY : Math.max(0, quota - (usage ?? 0));
}

/** Dexie wraps the browser's error: an aborted transaction carries it inside. */
function isQuota(failure: unknown): boolean {
  if (!(failure instanceof Error)) return false;
  const { inner } = failure as { inner?: unknown };
  return failure.name === 'QuotaExceededError' || (inner !== undefined && isQuota(inner));
}
