import type { Capabilities } from '../../domain/protocol/capabilities.ts';
import type { Role } from '../../domain/roles.ts';
import type { QueuePause } from '../../domain/outbox/vocabulary.ts';
import type { OutboxDatabase } from './outbox-database.ts';

/** The signed-in administrator. Kept here for the worker, which cannot read local storage. */
export interface Session {
  /** The user id. */
  readonly administrator: string;
  readonly name: string;
  readonly email?: string;
  readonly role?: Role;
  readonly token: string;
  readonly rememberAcrossRestarts: boolean;
}

/** The holder of the right to drain. A higher fence wins: a holder with an outdated fence must not write results. */
export interface Lease {
  readonly fence: number;
  readonly holder: string;
  /** Epoch milliseconds. */
  readonly expires: number;
  /** Taken without the lock, which was not available in time. The holder of the lock may find this sender at work. */
  readonly unlocked?: boolean;
}

/** What is known of an administrator's kept changes. */
export interface KeptNote {
  /** The server's standing of the last question. */
  readonly asked: string;
  /** How many the server has forgotten. */
  readonly forgotten: number;
  /** Entries up to this one, in the queue's order, were saved before that was known. */
  readonly upTo: number;
}

/** Values of the outbox database besides entries and files, by key. */
export interface Meta {
  readonly session: Session;
  /** What counts once there is no session any more. `expired`: the server has ended it, not the user. */
  readonly signedOut: { readonly lastAdministrator?: string; readonly expired?: true };
  readonly lease: Lease;
  readonly pause: QueuePause;
  readonly capabilities: { readonly at: number; readonly told: Capabilities };
  /** Larger files are uploaded over Wi-Fi only. Bytes, by administrator. */
  readonly wifiOver: Readonly<Record<string, number>>;
  /** Distinguishes this database from a replacement. Also noted outside of IndexedDB. */
  readonly mark: string;
  /** The previous outbox was lost with its pending changes, and the user has not acknowledged that yet. */
  readonly loss: { readonly noticedAt: number };
  /** Marks of lost databases whose loss was acknowledged. */
  readonly lossesRead: readonly string[];
  /** When a change was last sent, in epoch milliseconds. */
  readonly lastAttempt: number;
  /** By administrator: what the server was asked about kept changes, and what it said. */
  readonly kept: Readonly<Record<string, KeptNote>>;
  /** When old receipts were last garbage collected, in epoch milliseconds. */
  readonly tidied: number;
}

/** Reads a value. Undefined if it was never written. Joins the current transaction. */
export async function readMeta<K extends keyof Meta>(database: OutboxDatabase, key: K): Promise<Meta[K] | undefined> {
  return (await database.meta.get(key))?.value as Meta[K] | undefined;
}

/** Writes a value, or removes it if undefined. Joins the current transaction. */
export async function writeMeta<K extends keyof Meta>(
  database: OutboxDatabase,
  key: K,
  value: Meta[K] | undefined,
): Promise<void> {
  if (value === undefined) await database.meta.delete(key);
  else await database.meta.put({ key, value });
}
