import type { CacheDatabase } from './cache-database.ts';
import type { OutboxDatabase } from './outbox-database.ts';

/** The part of the Web Locks API that is used. */
export interface Locks {
  request<T>(
    name: string,
    options: { ifAvailable?: boolean; signal?: AbortSignal },
    work: (lock: object | null) => Promise<T>,
  ): Promise<T>;
}

/** What the browser tells of its storage, and does for it, as far as it can. Numbers are bytes. */
export interface StorageRoom {
  readonly estimate?: () => Promise<{ usage?: number; quota?: number }>;
  readonly persisted?: () => Promise<boolean>;
  readonly persist?: () => Promise<boolean>;
}

/** A small memory outside IndexedDB, which tells whether IndexedDB was wiped. Each may reject. */
export interface Notes {
  read(key: string): Promise<string | undefined>;
  write(key: string, value: string): Promise<void>;
}

/**
 * Everything of the outside world that the outbox uses. A browser gives the real things; a simulation gives its own clock,
 * chance, ids, server and faults, and so owns every moment.
 */
export interface Environment {
  /** Names this page or worker in the lease. */
  readonly holder: string;
  readonly origin: string;
  readonly outbox: OutboxDatabase;
  readonly cache: CacheDatabase;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly uuid: () => string;
  /** Runs `work` once after so many milliseconds; the answer cancels it. */
  readonly after: (milliseconds: number, work: () => void | Promise<void>) => () => void;
  readonly fetch: (address: string, init: RequestInit) => Promise<Response>;
  /** What the browser says. False has been wrong now and then, true promises nothing. */
  readonly online: () => boolean;
  /** The kind of link as the browser tells it, `wifi` or `cellular`; undefined where it does not. */
  readonly linkType?: () => string | undefined;
  /** The raw value of a cookie, as sent. */
  readonly cookie: (name: string) => Promise<string | undefined>;
  /** Asks the pages to send: what a worker does that sees no anti-forgery cookie. A page has nobody to ask. */
  readonly handOver?: () => void;
  readonly locks?: Locks;
  readonly room?: StorageRoom;
  /** The browser's caches of files (`file-caches.ts`), where it has them. True where there was one of that name. */
  readonly caches?: { readonly delete: (name: string) => Promise<boolean> };
  /** Places that browsers clear apart from one another. */
  readonly notes: readonly Notes[];
  /** False in an engine that is known to lose stored Blobs: bytes are then stored as an ArrayBuffer. */
  readonly keepsBlobs: boolean;
}
