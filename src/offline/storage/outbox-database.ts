import { Dexie, type DexieOptions, liveQuery, type Table } from 'dexie';
import { upcast } from '../../domain/outbox/upcast.ts';
import {
  type Change,
  type EntryIn,
  type OutboxEntry,
  type Phase,
  type RecordId,
  recordKey,
} from '../../domain/outbox/vocabulary.ts';
import { type AnyResourceName, isSingle } from '../../domain/resource.ts';
import { isKnownKind, resourceOf } from '../../domain/resources/index.ts';
import { OUTBOX_DATABASE } from './outbox-name.ts';

/** An entry before the database assigns its sequence. */
export type NewEntry = { [P in Phase]: Omit<EntryIn<P>, 'sequence'> }[Phase] & { sequence?: number };

/** The bytes of a file. Name and type are separate fields: engines have lost those of a stored `File`. */
export interface StoredFile {
  readonly id: string;
  readonly entryId: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly sha256: string;
  readonly bytes: Blob | ArrayBuffer;
}

/** The server id of a local id. */
export interface Identity {
  readonly resource: AnyResourceName;
  readonly localId: RecordId;
  readonly serverId: number;
}

/** A value by key. `meta.ts` lists the keys. */
export interface MetaRow {
  readonly key: string;
  readonly value: unknown;
}

/** The precious database: changes that are saved on this device and not on the server yet. */
export type OutboxDatabase = Dexie & {
  readonly entries: Table<OutboxEntry, number, NewEntry>;
  readonly files: Table<StoredFile, string>;
  readonly identities: Table<Identity, [AnyResourceName, RecordId]>;
  readonly meta: Table<MetaRow, string>;
};

/**
 * Creates a handle on the outbox. Opens the database on first use. Durability is strict: a completed transaction is on the disk,
 * as "Saved on this device" says. Query results are never cached: the database is the source of truth.
 */
export function outboxDatabase(name: string = OUTBOX_DATABASE, options: DexieOptions = {}): OutboxDatabase {
  const database = new Dexie(name, { chromeTransactionDurability: 'strict', cache: 'disabled', ...options });
  database.version(1).stores({
    entries: '++sequence, &id, state, change.recordId',
    files: 'id',
    identities: '[resource+localId]',
    meta: 'key',
  });
  const outbox = database as OutboxDatabase;
  // Whichever version of the app wrote an entry, readers see the current shape.
  outbox.entries.hook('reading', (entry: OutboxEntry | undefined) => entry && upcast(entry));
  return outbox;
}

/** Calls `seen` with the result now and after each write that changes it, here or in the worker. Returns a stop function. */
export function watch<T>(
  query: () => Promise<T>,
  seen: (result: T) => void,
  failed: (failure: unknown) => void,
): () => void {
  const subscription = liveQuery(query).subscribe(seen, failed);
  return () => subscription.unsubscribe();
}

/** Unfinished entries of one record, in order. Joins the current transaction. */
export async function unfinishedOf(database: OutboxDatabase, change: Change): Promise<OutboxEntry[]> {
  const key = recordKey(change);
  const found =
    // Version 4 wrote site meta without an id, and the index holds the raw value.
    isKnownKind(change.resource) && isSingle(resourceOf(change.resource))
      ? await unfinished(database)
      : await database.entries.where('change.recordId').equals(change.recordId).sortBy('sequence');
  return found.filter((entry) => entry.state !== 'done' && recordKey(entry.change) === key);
}

/**
 * Unfinished entries of all administrators, in order. Makes two requests, since Dexie's `notEqual` would visit every receipt of the
 * last 30 days. Joins the current transaction.
 */
export async function unfinished({ entries }: OutboxDatabase): Promise<OutboxEntry[]> {
  const around = [entries.where('state').below('done'), entries.where('state').above('done')];
  const found = await Promise.all(around.map((part) => part.toArray()));
  return found.flat().toSorted((one, other) => one.sequence - other.sequence);
}
