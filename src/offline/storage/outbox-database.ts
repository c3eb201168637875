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
import { resourceOf } from '../../domain/resources/index.ts';
import { OUTBOX_DATABASE } from './outbox-name.ts';

/** An entry before the database has given it its place. */
export type NewEntry = { [P in Phase]: Omit<EntryIn<P>, 'sequence'> }[Phase] & { sequence?: number };

/** A file's bytes. Name and type are fields of their own: engines have lost those of a stored `File`. */
export interface StoredFile {
  readonly id: string;
  readonly entryId: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly sha256: string;
  readonly bytes: Blob | ArrayBuffer;
}

/** A local id that the server has confirmed. */
export interface Identity {
  readonly resource: AnyResourceName;
  readonly localId: RecordId;
  readonly serverId: number;
}

/** One value under a key of its own; `meta.ts` knows which there are. */
export interface MetaRow {
  readonly key: string;
  readonly value: unknown;
}

/** The precious database: what has been saved on this device and is not on the server yet. */
export type OutboxDatabase = Dexie & {
  readonly entries: Table<OutboxEntry, number, NewEntry>;
  readonly files: Table<StoredFile, string>;
  readonly identities: Table<Identity, [AnyResourceName, RecordId]>;
  readonly meta: Table<MetaRow, string>;
};

/**
 * A handle on the outbox, opened at first use. Strict durability: a completed transaction has reached the disk, which is what
 * "Saved on this device" says. Results are never taken from a memory of earlier queries: the database is the truth.
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
  // whatever the version of the app that wrote it, everybody reads today's shape
  outbox.entries.hook('reading', (entry: OutboxEntry | undefined) => entry && upcast(entry));
  return outbox;
}

/** Calls `seen` with the query's result now and after every write that changes it, here or in the worker. Answers how to stop. */
export function watch<T>(
  query: () => Promise<T>,
  seen: (result: T) => void,
  failed: (failure: unknown) => void,
): () => void {
  const subscription = liveQuery(query).subscribe(seen, failed);
  return () => subscription.unsubscribe();
}

/** Not-done entries of one record, in order. Joins the transaction it is called in. */
export async function unfinishedOf(database: OutboxDatabase, change: Change): Promise<OutboxEntry[]> {
  const key = recordKey(change);
  const found =
    // version 4 wrote site meta without an id, and the index holds what was written
    isSingle(resourceOf(change.resource))
      ? await unfinished(database)
      : await database.entries.where('change.recordId').equals(change.recordId).sortBy('sequence');
  return found.filter((entry) => entry.state !== 'done' && recordKey(entry.change) === key);
}

/**
 * Not-done entries of everyone, in order: two requests, where Dexie's `notEqual` would walk over every receipt of the last 30 days.
 * Joins the transaction it is called in.
 */
export async function unfinished({ entries }: OutboxDatabase): Promise<OutboxEntry[]> {
  const around = [entries.where('state').below('done'), entries.where('state').above('done')];
  const found = await Promise.all(around.map((part) => part.toArray()));
  return found.flat().toSorted((one, other) => one.sequence - other.sequence);
}
