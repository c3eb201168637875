import type { CacheDatabase } from './cache-database.ts';
import type { OutboxDatabase } from './outbox-database.ts';

/** The used part of the Web Locks API. */
export interface Locks {
  request<T>(
    name: string,
    options: { ifAvailable?: boolean; signal?: AbortSignal },
    work: (lock: object | null) => Promise<T>,
  ): Promise<T>;
}

/** The browser's storage manager, as far as supported. Numbers are bytes. */
export interface StorageRoom {
  readonly estimate?: () => Promise<{ usage?: number; quota?: number }>;
  readonly persisted?: () => Promise<boolean>;
  readonly persist?: () => Promise<boolean>;
}

/** A small store outside IndexedDB, for storage loss detection. Each method may reject. */
export interface Notes {
  read(key: string): Promise<string | undefined>;
  write(key: string, value: string): Promise<void>;
}

/**
 * All external dependencies of the outbox. A browser provides the real ones. A simulation provides its own clock, random
 * numbers, ids, server and faults, and so controls all timing.
 */
export interface Environment {
  /** Identifies this page or worker in the lease. */
  readonly holder: string;
  readonly origin: string;
  readonly outbox: OutboxDatabase;
  readonly cache: CacheDatabase;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Milliseconds on a monotonic clock since some moment of this page's or worker's life. Defaults to `now`. */
  readonly elapsed?: () => number;
  /** From 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
  readonly uuid: () => string;
  /** Runs `work` once after a delay. Returns a function that cancels it. */
  readonly after: (milliseconds: number, work: () => void | Promise<void>) => () => void;
  readonly fetch: (address: string, init: RequestInit) => Promise<Response>;
  /** `navigator.onLine`. False is occasionally wrong, and true guarantees nothing. */
  readonly online: () => boolean;
  /** The reported link type, `wifi` or `cellular`. Undefined if the browser does not report it. */
  readonly linkType?: () => string | undefined;
  /** The raw value of a cookie, as sent to the server. */
  readonly cookie: (name: string) => Promise<string | undefined>;
  /** Asks the pages to send. Used by a worker that cannot read the anti-forgery cookie. Undefined in a page. */
  readonly handOver?: () => void;
  readonly locks?: Locks;
  readonly room?: StorageRoom;
  /** The file caches (`file-caches.ts`), if supported. `delete` resolves to true if the cache existed. */
  readonly caches?: { readonly delete: (name: string) => Promise<boolean> };
  /** Stores that browsers clear independently of each other. */
  readonly notes: readonly Notes[];
  /** False in an engine that is known to lose stored Blobs. Bytes are then stored as an ArrayBuffer. */
  readonly keepsBlobs: boolean;
}
