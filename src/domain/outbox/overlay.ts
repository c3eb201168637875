import { type ListRow, type Resource, type ServerRecord, type StoredImage, textOf } from '../resource.ts';
import { isValue } from '../fields.ts';
import type { Values } from '../validate.ts';
import type { EntryState, FileReference, OutboxEntry, RecordId } from './vocabulary.ts';

/** Local ids that the server has confirmed: `identityKey(resource, localId)` to the server's id. */
export type Identities = ReadonlyMap<string, number>;

/** One row of a list as the device knows it: the server's row with what waits in the outbox laid over. */
export interface PendingRow {
  readonly recordId: RecordId;
  /** The strongest change that waits for this record. Absent when nothing waits. */
  readonly pending?: 'create' | 'update' | 'delete';
  /** State of the entry that needs most attention: refused and conflict before all others. */
  readonly state?: EntryState;
  /** The entry that `state` belongs to; of a delete, the one that can be undone. */
  readonly entryId?: string;
  /** A picked image that is not on the server yet. */
  readonly localImage?: FileReference;
  readonly [column: string]: unknown;
}

/** One record as the device knows it, for the form. */
export interface RecordView {
  readonly recordId: RecordId;
  readonly values: Values;
  readonly images: readonly StoredImage[];
  /** File name of the stored single image. */
  readonly image?: string;
  /** File name of the stored catalogue. */
  readonly catalog?: string;
  readonly version?: string;
  /** Files that wait in the outbox, in order. */
  readonly pendingFiles: readonly FileReference[];
  /** Ids of stored images whose removal waits in the outbox. They are still in `images`. */
  readonly removedImageIds: readonly number[];
  /** What waits for this record, in order. */
  readonly entries: readonly OutboxEntry[];
}

/** The key of an identity: a kind of record and a local id. */
export function identityKey(resource: string, localId: RecordId): string {
  return `${resource}/${localId}`;
}

/**
 * Lays what waits in the outbox over a list. `entries` are the not-done entries in order, of one administrator.
 * New records come first, newest on top; deleted ones stay in place, marked.
 */
export function overlayRows(
  resource: Resource,
  rows: readonly ListRow[],
  entries: readonly OutboxEntry[],
  identities: Identities,
): PendingRow[] {
  const waiting = groupByRecord(resource, entries, identities);
  const known = rows.map((row) =>
    markRow({ ...row, recordId: String(row.id) }, (waiting.get(String(row.id)) ?? []).filter(isNoCreate)),
  );
  const ids = new Set(rows.map((row) => String(row.id)));
  const created = [...waiting]
    .filter(([recordId, own]) => !ids.has(recordId) && own.some(({ change }) => change.op === 'create'))
    .map(([recordId, own]) => markRow({ recordId }, own));
  return [...created.toReversed(), ...known];
}

/**
 * Lays what waits in the outbox over one record. `record` is the server's as last seen, if it ever was. A change made under a
 * local id belongs to the server's record once that is known, whichever of the two ids the screen has.
 */
export function overlayRecord(
  resource: Resource,
  record: ServerRecord | undefined,
  entries: readonly OutboxEntry[],
  recordId: RecordId,
  identities: Identities = new Map(),
): RecordView {
  const own = entries.filter(({ change }) => concerns(resource, change, recordId, identities));
  const values: Record<string, string> = record === undefined ? {} : valuesOf(resource, record);
  for (const { change } of own) {
    if (change.op === 'create' || change.op === 'update') Object.assign(values, change.values);
  }
  const image = textOf(record?.['image']);
  const catalog = textOf(record?.['catalog']);
  const version = textOf(record?.['version']);
  return {
    recordId,
    values,
    images: record?.images ?? [],
    ...(image === '' ? {} : { image }),
    ...(catalog === '' ? {} : { catalog }),
    ...(version === '' ? {} : { version }),
    pendingFiles: own.flatMap(filesOf),
    removedImageIds: own.flatMap(({ change }) => (change.op === 'delete-image' ? [change.imageId] : [])),
    entries: own,
  };
}

/** The text values of a server's record, by field name. */
export function valuesOf(
  owner: Pick<Resource, 'fields'>,
  record: Readonly<Record<string, unknown>>,
): Record<string, string> {
  return Object.fromEntries(owner.fields.filter(isValue).map(({ name }) => [name, textOf(record[name])]));
}

/** The files that an entry carries. */
export function filesOf({ change }: OutboxEntry): readonly FileReference[] {
  return change.op === 'create' || change.op === 'update' ? change.files : [];
}

/** What the server lists is there, also where the answer that said so is still on its way. */
function isNoCreate({ change }: OutboxEntry): boolean {
  return change.op !== 'create';
}

function groupByRecord(
  resource: Resource,
  entries: readonly OutboxEntry[],
  identities: Identities,
): Map<RecordId, OutboxEntry[]> {
  const groups = new Map<RecordId, OutboxEntry[]>();
  for (const entry of entries) {
    const { change } = entry;
    if (change.op === 'save-settings' || change.resource !== resource.name) continue;
    const recordId = confirmedId(resource, change.recordId, identities);
    groups.set(recordId, [...(groups.get(recordId) ?? []), entry]);
  }
  return groups;
}

function markRow(row: PendingRow, own: readonly OutboxEntry[]): PendingRow {
  const leading = leadingEntry(own);
  if (leading === undefined) return row;
  const localImage = own.flatMap(filesOf).findLast(({ field }) => field === 'image');
  return {
    ...row,
    ...Object.assign(
      {},
      ...own.map(({ change }) => (change.op === 'create' || change.op === 'update' ? change.values : {})),
    ),
    pending: strongest(own),
    state: leading.state,
    entryId: leading.id,
    ...(localImage === undefined ? {} : { localImage }),
  };
}

/** The entry to speak of: a delete, else one that needs the administrator, else the first. */
function leadingEntry(own: readonly OutboxEntry[]): OutboxEntry | undefined {
  return (
    own.find(({ change }) => change.op === 'delete') ??
    own.find(({ state }) => state === 'refused' || state === 'conflict') ??
    own[0]
  );
}

function strongest(own: readonly OutboxEntry[]): 'create' | 'update' | 'delete' {
  if (own.some(({ change }) => change.op === 'delete')) return 'delete';
  return own.some(({ change }) => change.op === 'create') ? 'create' : 'update';
}

function concerns(
  resource: Resource,
  change: OutboxEntry['change'],
  recordId: RecordId,
  identities: Identities,
): boolean {
  if (change.op === 'save-settings' || change.resource !== resource.name) return false;
  return confirmedId(resource, change.recordId, identities) === confirmedId(resource, recordId, identities);
}

function confirmedId(resource: Resource, recordId: RecordId, identities: Identities): RecordId {
  return String(identities.get(identityKey(resource.name, recordId)) ?? recordId);
}
