import {
  type AnyResource,
  fieldOf,
  type ListRow,
  type Resource,
  type ServerRecord,
  type StoredImage,
  textOf,
} from '../resource.ts';
import { type FieldKind, isAttachment, isValue } from '../fields.ts';
import type { Values } from '../validate.ts';
import { sameText } from './conflict.ts';
import { type Status, statusOf } from './status.ts';
import { type FileReference, filesOf, type OutboxEntry, type RecordId } from './vocabulary.ts';

/** Local ids that the server has confirmed: `identityKey(resource, localId)` to the server's id. */
export type Identities = ReadonlyMap<string, number>;

/** One row of a list as the device knows it: the server's row with what waits in the outbox laid over. */
export interface PendingRow {
  readonly recordId: RecordId;
  /** The strongest change that waits for this record. Absent when nothing waits. */
  readonly pending?: 'create' | 'update' | 'delete';
  /** How the entry stands that needs most attention: refused and conflict before all others. */
  readonly status?: Status;
  /** The entry that `status` belongs to; of a delete, the one that can be undone. */
  readonly entryId?: string;
  /** A picked image whose name on the server is not known yet. */
  readonly localImage?: FileReference;
  readonly [column: string]: unknown;
}

/** One record as the device knows it, for the form. */
export interface RecordView {
  readonly recordId: RecordId;
  readonly values: Values;
  readonly images: readonly StoredImage[];
  /** File names of the stored single files, by field. */
  readonly files: Readonly<Record<string, string>>;
  /** What an edit is measured against. */
  readonly version?: string;
  /** Of what is shown, own confirmed changes included: what a deletion is bound to. */
  readonly shownVersion?: string;
  /** Files that wait in the outbox, in order. */
  readonly pendingFiles: readonly FileReference[];
  /** Files that were sent since the record was read: their bytes have left the device, their stored names are not known yet. */
  readonly sentFiles: readonly FileReference[];
  /** Its deletion was confirmed. */
  readonly deleted: boolean;
  /** The device knows enough of it to show it: it was read, something waits for it, or it was made here. */
  readonly known: boolean;
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
 * Lays changes over a list, in order: those that wait in the outbox of one administrator, and those that were confirmed since the
 * list was asked for, as they were sent. New records stand where the server will put them: last, or by their number. A deleted one stays in place, marked, until
 * that is confirmed.
 */
export function overlayRows(
  resource: Resource,
  rows: readonly ListRow[],
  entries: readonly OutboxEntry[],
  identities: Identities,
): PendingRow[] {
  const changed = groupByRecord(resource, entries, identities);
  const known = rows
    .map((row) => ({ ...row, recordId: String(row.id) }))
    .filter(({ recordId }) => !isDeleted(changed.get(recordId) ?? []))
    .map((row) => markRow(resource, row, (changed.get(row.recordId) ?? []).filter(isNoCreate)));
  const ids = new Set(known.map(({ recordId }) => recordId));
  const created = [...changed]
    .filter(([recordId, own]) => !ids.has(recordId) && !own.every(isNoCreate) && !isDeleted(own))
    .map(([recordId, own]) => markRow(resource, { recordId }, own));
  return inOrder(resource, [...known, ...created]);
}

/** By the number that a list stands in order of; rows without one go last, and equal ones stay as they came. */
function inOrder({ orderedBy }: Resource, rows: PendingRow[]): PendingRow[] {
  if (orderedBy === undefined) return rows;
  const place = (row: PendingRow) => {
    const number = Number.parseInt(textOf(row[orderedBy]), 10);
    return Number.isNaN(number) ? Number.POSITIVE_INFINITY : number;
  };
  return rows.toSorted((one, other) => place(one) - place(other) || 0);
}

/** Changes to lay over a record, and the local ids that the server has confirmed. */
interface Overlay {
  readonly entries: readonly OutboxEntry[];
  readonly identities?: Identities | undefined;
}

/**
 * Lays changes over one record, as over a list. `record` is the server's as last seen, if it ever was. A change made under a local
 * id belongs to the server's record once that is known, whichever of the two ids the screen has.
 */
export function overlayRecord(
  resource: AnyResource,
  record: ServerRecord | undefined,
  { entries, identities = new Map() }: Overlay,
  recordId: RecordId,
): RecordView {
  const wanted = confirmedId(resource, recordId, identities);
  const own = entries.filter((entry) => recordOf(resource, entry, identities) === wanted && !isIn(record, entry));
  const waiting = own.filter(isWaiting);
  const done = own.filter(isDone);
  const removed = removedImages(done);
  const sentFiles = done.flatMap(filesOf);
  const { values: laid, touched } = laidOver(own);
  const read = record === undefined ? {} : { ...valuesOf(resource, record), ...laidOver(done).values };
  const values = { ...laid, ...read, ...touched };
  const version = textOf(record?.['version']);
  return {
    recordId,
    values,
    images: (record?.images ?? []).filter(({ id }) => !removed.includes(id)),
    // the name of a file that was replaced since is the old one's
    files: singleFiles(resource, record, sentFiles),
    // what was confirmed may lie over somebody's newer texts: only without the version does the sender compare them
    ...(version === '' || done.length > 0 ? {} : { version }),
    ...shownVersionOf(version, done),
    pendingFiles: waiting.flatMap(filesOf),
    sentFiles,
    deleted: isDeleted(own),
    known: waiting.length > 0 || (!isDeleted(own) && (record !== undefined || own.some(isCreate))),
    removedImageIds: removedImages(waiting),
    entries: waiting,
  };
}

function singleFiles(resource: AnyResource, record: ServerRecord | undefined, sent: readonly FileReference[]) {
  const fields = resource.fields.filter((field) => isAttachment(field) && field.kind !== 'images');
  const names = fields.map(({ name }) => [name, textOf(record?.[name])] as const);
  return Object.fromEntries(names.filter(([field, file]) => file !== '' && !sent.some((one) => one.field === field)));
}

/** The text values of a server's record, by field name. */
export function valuesOf(
  owner: Pick<AnyResource, 'fields'>,
  record: Readonly<Record<string, unknown>>,
): Record<string, string> {
  return Object.fromEntries(owner.fields.filter(isValue).map(({ name }) => [name, textOf(record[name])]));
}

/** What the server lists is there, also where the answer that said so is still on its way. */
function isNoCreate(entry: OutboxEntry): boolean {
  return !isCreate(entry);
}

function isCreate({ change }: OutboxEntry): boolean {
  return change.op === 'create';
}

function isDone({ state }: OutboxEntry): boolean {
  return state === 'done';
}

function isWaiting(entry: OutboxEntry): boolean {
  return !isDone(entry);
}

function isDeleted(own: readonly OutboxEntry[]): boolean {
  return own.some((entry) => isDone(entry) && entry.change.op === 'delete');
}

/** A record that was read holds what it was created with. */
function isIn(record: ServerRecord | undefined, entry: OutboxEntry): boolean {
  return record !== undefined && isDone(entry) && entry.change.op === 'create';
}

function removedImages(entries: readonly OutboxEntry[]): number[] {
  return entries.flatMap(({ change }) => (change.op === 'delete-image' ? [change.imageId] : []));
}

function groupByRecord(
  resource: Resource,
  entries: readonly OutboxEntry[],
  identities: Identities,
): Map<RecordId, OutboxEntry[]> {
  const groups = new Map<RecordId, OutboxEntry[]>();
  for (const entry of entries) {
    const recordId = recordOf(resource, entry, identities);
    if (recordId === undefined) continue;
    groups.set(recordId, [...(groups.get(recordId) ?? []), entry]);
  }
  return groups;
}

function markRow(resource: Resource, row: PendingRow, own: readonly OutboxEntry[]): PendingRow {
  if (own.length === 0) return row;
  const waiting = own.filter(isWaiting);
  const leading = leadingEntry(waiting);
  const files = own.flatMap(filesOf);
  const ofKind = (kind: FieldKind) => (file: FileReference) => fieldOf(resource, file.field)?.kind === kind;
  // of several photos the first one stands for the record, of one image the last
  const firstPhoto = textOf(row['photo']) === '' ? files.find(ofKind('images')) : undefined;
  const localImage = files.findLast(ofKind('image')) ?? firstPhoto;
  return {
    ...row,
    ...laidOver(own).values,
    ...confirmedVersion(own),
    ...(leading && { pending: strongest(waiting), status: statusOf(leading), entryId: leading.id }),
    ...(localImage === undefined ? {} : { localImage }),
  };
}

/**
 * The texts of the changes of one record, the later over the earlier. A form that was open while another change was saved does not
 * know it: what it did not touch covers nothing that was touched before it.
 */
function laidOver(own: readonly OutboxEntry[]): { readonly values: Values; readonly touched: Values } {
  const values: Record<string, string> = {};
  const touched: Record<string, string> = {};
  for (const { change } of own) {
    if (!('values' in change)) continue;
    const before = 'base' in change ? change.base?.values : undefined;
    for (const [field, value] of Object.entries(change.values)) {
      const isTouched = before === undefined || !sameText(before[field], value);
      if (isTouched || touched[field] === undefined) values[field] = value;
      if (isTouched) touched[field] = value;
    }
  }
  return { values, touched };
}

/**
 * The version of what was confirmed since it was read, so that deleting it next is no conflict with oneself. Where somebody's
 * texts were kept in that change the row does not show them: its older version stays, and the server asks.
 */
function confirmedVersion(own: readonly OutboxEntry[]): { version?: string } {
  const receipt = own.findLast(isDone)?.receipt;
  if (receipt?.version === undefined || (receipt.merged?.length ?? 0) > 0) return {};
  return { version: receipt.version };
}

/** The same of a record: the version that it was read with, or that of what was confirmed since. */
function shownVersionOf(read: string, done: readonly OutboxEntry[]): { shownVersion?: string } {
  const { version } = { ...(read === '' ? {} : { version: read }), ...confirmedVersion(done) };
  return version === undefined ? {} : { shownVersion: version };
}

/** The entry to speak of: a delete, else one that needs the administrator, else the first. */
function leadingEntry(own: readonly OutboxEntry[]): OutboxEntry | undefined {
  return own.find(({ change }) => change.op === 'delete') ?? own.find(({ state }) => state === 'attention') ?? own[0];
}

function strongest(own: readonly OutboxEntry[]): 'create' | 'update' | 'delete' {
  if (own.some(({ change }) => change.op === 'delete')) return 'delete';
  return own.some(({ change }) => change.op === 'create') ? 'create' : 'update';
}

/** The record that an entry is about, under the server's id where that is known. Undefined for another kind of record. */
function recordOf(
  resource: AnyResource,
  { change, receipt }: OutboxEntry,
  identities: Identities,
): RecordId | undefined {
  if (change.resource !== resource.name) return undefined;
  if (change.op === 'create' && receipt?.serverId !== undefined) return String(receipt.serverId);
  return confirmedId(resource, change.recordId, identities);
}

function confirmedId(resource: AnyResource, recordId: RecordId, identities: Identities): RecordId {
  return String(identities.get(identityKey(resource.name, recordId)) ?? recordId);
}
