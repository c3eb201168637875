import { Dexie, type DexieOptions, type Table } from 'dexie';
import { transact } from './transactions.ts';

/** A value as last read from the server. */
export interface CachedValue {
  readonly key: string;
  readonly value: unknown;
  /** Epoch milliseconds. */
  readonly fetchedAt: number;
  readonly etag?: string;
  /** The definitions (`FINGERPRINT`) with which it was read. Absent in values of versions that stored none. */
  readonly definitions?: string;
}

/** The disposable database of server data. It may be cleared at any time to free quota for the outbox. */
export type CacheDatabase = Dexie & { readonly values: Table<CachedValue, string> };

/** The key of the feed's state. */
export const FEED_KEY = 'feed';

const CACHE_DATABASE = 'voltdesk-cache';

/** Creates a handle on the cache. Opens the database on first use. */
export function cacheDatabase(name: string = CACHE_DATABASE, options: DexieOptions = {}): CacheDatabase {
  const database = new Dexie(name, { chromeTransactionDurability: 'relaxed', cache: 'disabled', ...options });
  database.version(1).stores({ values: 'key' });
  return database as CacheDatabase;
}

/** Clears the cache, at sign-out and to free quota for the outbox. Saved changes are elsewhere and stay. */
export async function clearCache(cache: CacheDatabase): Promise<void> {
  await transact(cache, 'rw', [cache.values], () => cache.values.clear());
}
