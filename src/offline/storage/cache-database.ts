import { Dexie, type DexieOptions, type Table } from 'dexie';
import { transact } from './transactions.ts';

/** One value as it was last read from the server. */
export interface CachedValue {
  readonly key: string;
  readonly value: unknown;
  /** Epoch milliseconds. */
  readonly fetchedAt: number;
  readonly etag?: string;
}

/** The disposable database: what was last read from the server. It may be emptied at any time to make room for the outbox. */
export type CacheDatabase = Dexie & { readonly values: Table<CachedValue, string> };

/** Under which the cache keeps how far the server's feed was read. */
export const FEED_KEY = 'feed';

const CACHE_DATABASE = 'voltdesk-cache';

/** A handle on the cache, opened at first use. */
export function cacheDatabase(name: string = CACHE_DATABASE, options: DexieOptions = {}): CacheDatabase {
  const database = new Dexie(name, { chromeTransactionDurability: 'relaxed', cache: 'disabled', ...options });
  database.version(1).stores({ values: 'key' });
  return database as CacheDatabase;
}

/** Empties the cache: at sign-out, and to make room for the outbox. Nothing that was saved here is lost. */
export async function clearCache(cache: CacheDatabase): Promise<void> {
  await transact(cache, 'rw', [cache.values], () => cache.values.clear());
}
