import type { Capabilities } from '../../domain/protocol/capabilities.ts';
import type { Role } from '../../domain/roles.ts';
import type { QueuePause } from '../../domain/outbox/vocabulary.ts';
import type { OutboxDatabase } from './outbox-database.ts';

/** The signed-in administrator, as the worker needs to know: it cannot read local storage. */
export interface Session {
  /** Id of the user. */
  readonly administrator: string;
  readonly name: string;
  readonly email?: string;
  readonly role?: Role;
  readonly token: string;
  readonly rememberAcrossRestarts: boolean;
}

/** Who drains. A higher fence always wins: a holder whose fence has passed may write no result. */
export interface Lease {
  readonly fence: number;
  readonly holder: string;
  /** Epoch milliseconds. */
  readonly expires: number;
  /** It was taken without the lock, which was not to be had in time: whoever has that may find this sender at work. */
  readonly unlocked?: boolean;
}

/** What the outbox's database keeps beside entries and files, by key. */
export interface Meta {
  readonly session: Session;
  /** Someone has logged out here, and nobody has signed in since. */
  readonly signedOut: { readonly lastAdministrator?: string };
  readonly lease: Lease;
  readonly pause: QueuePause;
  readonly capabilities: { readonly at: number; readonly told: Capabilities };
  /** Files of more bytes are to go over Wi-Fi alone, by the administrator who asked for that. */
  readonly wifiOver: Readonly<Record<string, number>>;
  /** Tells this database from one that took its place; the same is noted outside. */
  readonly mark: string;
  /** The outbox before this one was thrown away with what waited in it, and nobody has read that yet. */
  readonly loss: { readonly noticedAt: number };
  /** Marks of lost databases whose loss was read. */
  readonly lossesRead: readonly string[];
  /** When a request of a change last went out, in epoch milliseconds. */
  readonly lastAttempt: number;
  /** When old receipts were last removed, in epoch milliseconds. */
  readonly tidied: number;
}

/** Reads one value; undefined when it was never written. Joins the transaction it is called in. */
export async function readMeta<K extends keyof Meta>(database: OutboxDatabase, key: K): Promise<Meta[K] | undefined> {
  return (await database.meta.get(key))?.value as Meta[K] | undefined;
}

/** Writes one value, or removes it when it is undefined. Joins the transaction it is called in. */
export async function writeMeta<K extends keyof Meta>(
  database: OutboxDatabase,
  key: K,
  value: Meta[K] | undefined,
): Promise<void> {
  if (value === undefined) await database.meta.delete(key);
  else await database.meta.put({ key, value });
}
