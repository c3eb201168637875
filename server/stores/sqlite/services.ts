import type { Services } from '../../services.ts';
import type { KeptLists } from './list-cache.ts';
import type { Database } from './tables.ts';

/** What this store works with. */
export interface SqliteServices extends Services {
  readonly db: Database;
  /** Tells this life of the database from the one before a restore. */
  readonly life: string;
  /** Changes under an idempotency key that are being carried out now. */
  readonly running: Set<string>;
  readonly lists: KeptLists;
}
