import {
  type AnyResource,
  fieldOf,
  type ListRow,
  type Resource,
  type ServerRecord,
  type StoredImage,
  textOf,
} from '../resource.ts';
import { type FieldKind, isSingleFile, isValue } from '../fields.ts';
import type { Values } from '../validate.ts';
import { sameText } from './conflict.ts';
import { type Status, statusOf } from './status.ts';
import { type FileReference, filesOf, type OutboxEntry, type RecordId } from './vocabulary.ts';

/** Maps confirmed local ids to server ids, by `identityKey(resource, localId)`. */
export type Identities = ReadonlyMap<string, number>;

/** A list row as the device knows it: the server's row with pending changes applied. */
export interface PendingRow {
  readonly recordId: RecordId;
  /** The strongest pending change of the record. Absent if nothing is pending. */
  readonly pending?: 'create' | 'update' | 'delete';
  /** The status of the entry that needs most attention: refused and conflict before all others. */
  readonly status?: Status;
  /** The entry that `status` belongs to. For a delete, the one that can be undone. */
  readonly entryId?: string;
  /** A chosen image whose name on the server is not known yet. */
  readonly localImage?: FileReference;
  readonly [column: string]: unknown;
}

/** A record as the device knows it, for the form. */
export interface RecordView {
  readonly recordId: RecordId;
  readonly values: Values;
  readonly images: readonly StoredImage[];
  /** File names of the stored single files, by field. */
  readonly files: Readonly<Record<string, string>>;
  /** The base version of an edit. */
  readonly version?: string;
  /** The version shown, including the user's confirmed changes. A deletion is bound to it. */
  readonly shownVersion?: string;
  /** Files of pending changes, in order. */
  readonly pendingFiles: readonly FileReference[];
  /** Files sent since the record was read. Their bytes have left the device, and their stored names are not known yet. */
  readonly sentFiles: readonly FileReference[];
  /** Its deletion was confirmed. */
  readonly deleted: boolean;
  /** The device can show the record: it was read, has pending changes, or was created here. */
  readonly known: boolean;
  /** Ids of stored images with a pending removal. They are still in `images`. */
  readonly removedImageIds: readonly number[];
  /** The record's pending changes, in order. */
  readonly entries: readonly OutboxEntry[];
}

/** The key of a local id of a kind of record. */
export function identityKey(resource: string, localId: RecordId): string {
  return `${resource}/${localId}`;
}

/**
 * Applies changes to a list, in order: one administrator's pending changes, and those confirmed since the list was
 * requested, as they were sent. New records appear where the server will put them: last, or by their number. A deleted
 * record stays in place, marked, until the deletion is confirmed.
 */
export function overlayRows(
  resource: Resource,
  rows: readonly ListRow[],
  entries: readonly OutboxEntry[],
  identities: Identities,
): PendingRow[] {
  const changed = groupByConfirmedId(resource, entries, identities);
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

/** Sorts rows by the list's order number. Rows without a number go last. Stable for equal numbers. */
function inOrder({ orderedBy }: Resource, rows: PendingRow[]): PendingRow[] {
  if (orderedBy === undefined) return rows;
  const place = (row: PendingRow) => {
    const number = Number.parseInt(textOf(row[orderedBy]), 10);
    return Number.isNaN(number) ? Number.POSITIVE_INFINITY : number;
  };
  return rows.toSorted((one, other) => place(one) - place(other) || 0);
}

/** Changes to apply to a record, and the confirmed local ids. */
interface Overlay {
  readonly entries: readonly OutboxEntry[];
  readonly identities?: Identities | undefined;
}

/**
 * Applies changes to one record, as to a list. `record` is the server's record as last seen, if ever. A change made under
 * a local id belongs to the server's record once its id is known, whichever of the two ids the screen has.
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
    // excludes files that were replaced since, whose known names are outdated
    files: singleFiles(resource, record, sentFiles),
    // a confirmed change may hide someone's newer texts; the sender compares them only if the version is absent
    ...(version === '' || done.length > 0 ? {} : { version }),
    ...shownVersionOf(version, done),
    pendingFiles: waiting.flatMap(filesOf),
    sentFiles,
    deleted: isDeleted(own),
    known: waiting.some(showsTexts) || (!isDeleted(own) && (record !== undefined || own.some(isCreate))),
    removedImageIds: removedImages(waiting),
    entries: waiting,
  };
}

function singleFiles(resource: AnyResource, record: ServerRecord | undefined, sent: readonly FileReference[]) {
  const fields = resource.fields.filter(isSingleFile);
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

/** Excludes creates: a listed row exists on the server, even if the create's answer has not arrived yet. */
function isNoCreate(entry: OutboxEntry): boolean {
  return !isCreate(entry);
}

function isCreate({ change }: OutboxEntry): boolean {
  return change.op === 'create';
}

/** A deletion alone shows nothing of a record that was never read. */
function showsTexts({ change }: OutboxEntry): boolean {
  return 'values' in change;
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

/** True for a confirmed create of a fetched record, which already contains it. */
function isIn(record: ServerRecord | undefined, entry: OutboxEntry): boolean {
  return record !== undefined && isDone(entry) && entry.change.op === 'create';
}

function removedImages(entries: readonly OutboxEntry[]): number[] {
  return entries.flatMap(({ change }) => (change.op === 'delete-image' ? [change.imageId] : []));
}

function groupByConfirmedId(
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

/** A row that the server has listed keeps its values, newer than any form, in all fields that the changes do not touch. */
function markRow(resource: Resource, row: PendingRow, own: readonly OutboxEntry[]): PendingRow {
  if (own.length === 0) return row;
  const waiting = own.filter(isWaiting);
  const leading = leadingEntry(waiting);
  const files = own.flatMap(filesOf);
  const ofKind = (kind: FieldKind) => (file: FileReference) => fieldOf(resource, file.field)?.kind === kind;
  // the first of several photos represents the record; of a single image, the last one does
  const firstPhoto = textOf(row['photo']) === '' ? files.find(ofKind('images')) : undefined;
  const localImage = files.findLast(ofKind('image')) ?? firstPhoto;
  const { values, touched } = laidOver(own);
  return {
    // what was confirmed is on the server, also in fields that its list does not show
    ...laidOver(own.filter(isDone)).values,
    ...row,
    ...(own.some(isCreate) ? values : touched),
    ...(hidesOthers(row, own) ? { version: undefined } : confirmedVersion(own)),
    ...(leading && { pending: strongest(waiting), status: statusOf(leading), entryId: leading.id }),
    ...(localImage === undefined ? {} : { localImage }),
  };
}

/**
 * True if a pending change covers a value that its form did not show: the row then shows a state of no version, and nothing may be
 * bound to one.
 */
function hidesOthers(row: PendingRow, own: readonly OutboxEntry[]): boolean {
  return own.filter(isWaiting).some(({ change }) => {
    if (change.op !== 'update') return false;
    const { values, base } = change;
    return Object.keys(values).some((field) => {
      const theirs = row[field];
      if (theirs === undefined || sameText(values[field], base.values[field])) return false;
      return !sameText(textOf(theirs), base.values[field]) && !sameText(textOf(theirs), values[field]);
    });
  });
}

/**
 * The texts of one record's changes; later ones override earlier ones. A form that was open while another change was saved
 * does not know it, so its untouched fields do not override fields touched earlier.
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
 * The version from changes confirmed since the row was read, so that deleting it next does not conflict with the user's
 * own change. If that change kept someone else's texts, the row does not show them: its older version stays, and the
 * server reports the conflict.
 */
function confirmedVersion(own: readonly OutboxEntry[]): { version?: string } {
  const receipt = own.findLast(isDone)?.receipt;
  if (receipt?.version === undefined || (receipt.merged?.length ?? 0) > 0) return {};
  return { version: receipt.version };
}

/** The same for a record: the version it was read with, or that of changes confirmed since. */
function shownVersionOf(read: string, done: readonly OutboxEntry[]): { shownVersion?: string } {
  const { version } = { ...(read === '' ? {} : { version: read }), ...confirmedVersion(done) };
  return version === undefined ? {} : { shownVersion: version };
}

/** The entry to show: a delete, else one that needs the administrator, else the first. */
function leadingEntry(own: readonly OutboxEntry[]): OutboxEntry | undefined {
  return own.find(({ change }) => change.op === 'delete') ?? own.find(({ state }) => state === 'attention') ?? own[0];
}

function strongest(own: readonly OutboxEntry[]): 'create' | 'update' | 'delete' {
  if (own.some(({ change }) => change.op === 'delete')) return 'delete';
  return own.some(({ change }) => change.op === 'create') ? 'create' : 'update';
}

/** The id of an entry's record: the server's id, if known. Undefined for another kind of record. */
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
