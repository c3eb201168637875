import type { Values } from '../validate.ts';
import { resourceOf } from '../resources/index.ts';
import { baseOf as baseOfRecord, withSentFiles } from './base.ts';
import { hasSameFiles, sameText } from './conflict.ts';
import { valuesOf as textsOf } from './optimistic-view.ts';
import { isReadable } from './scheduler.ts';
import {
  type Base,
  type Change,
  type CreateChange,
  filesOf,
  type OutboxEntry,
  type RecordId,
  type UpdateChange,
} from './vocabulary.ts';

/** Rebases later changes of a record after an earlier one is confirmed or discarded. */

/**
 * Rebases a later change on a confirmed one, whose values the server now holds under a new version. Fields that the later
 * change did not touch take the sent values. A touched field that was merged meanwhile keeps its old base, so that the
 * server reports the conflict; so does a merged field of a deletion. The new version is taken only if it holds nothing that
 * the later change has not seen. A change of another administrator, who never saw the confirmed one, keeps its base.
 */
export function afterConfirmed(
  later: OutboxEntry,
  sent: OutboxEntry,
  result: { serverId?: number | undefined; version?: string | undefined },
): OutboxEntry {
  if (!isReadable(later)) return later;
  const change = withRecordId(later.change, sent.change, result.serverId);
  const sentValues = valuesOf(sent.change);
  const base = baseBefore(change, sent.change);
  if (base === undefined || later.administrator !== sent.administrator) return { ...later, change };
  const moved = follow(change, base, sentValues ?? base.values, sent.merged);
  const stands = Object.keys(moved.base.values).every(
    (field) => sentValues === undefined || sameText(moved.base.values[field], sentValues[field]),
  );
  const settled = withOwnFiles(moved.base, sent);
  const follows = stands && hasSeenBase(change, base, sent.change);
  const version = follows ? (result.version ?? settled.version) : settled.version;
  return {
    ...later,
    change: withBase(moved.change, version === undefined ? settled : { ...settled, version }),
  };
}

/**
 * Rebases a later change after an earlier one was discarded. Fields that the later change did not touch revert to their
 * values before the discarded change. If that is another version, the base is of neither and is compared with the server:
 * the discarded change may have hidden what others have written, or may have been rebased on it.
 */
export function afterDiscarded(later: OutboxEntry, discarded: Pick<OutboxEntry, 'change'>): OutboxEntry {
  if (!isReadable(later)) return later;
  const before = baseOf(discarded.change);
  const undone = valuesOf(discarded.change);
  const base = baseOf(later.change);
  if (before === undefined || undone === undefined || base === undefined) return later;
  const back = Object.fromEntries(
    Object.entries(base.values).map(([field, value]) => [
      field,
      sameText(value, undone[field]) ? (before.values[field] ?? value) : value,
    ]),
  );
  const values = valuesOf(later.change);
  const change = values === undefined ? later.change : withValues(later.change, keepTouched(values, base.values, back));
  const wentBack = Object.keys(back).some((field) => !sameText(back[field], base.values[field]));
  const { version, ...unversioned } = { ...base, values: back };
  const isOfNeither = version === undefined || (wentBack && version !== before.version);
  return { ...later, change: withBase(change, isOfNeither ? unversioned : { ...unversioned, version }) };
}

/**
 * Notes that an earlier change was discarded while this one is in flight or its delivery is unknown. The server may have
 * applied both, and this one as it is. It is rebased once it is known not to have arrived.
 */
export function discardedBehind(later: OutboxEntry, { change }: OutboxEntry): OutboxEntry {
  return isReadable(later) ? { ...later, discarded: [...(later.discarded ?? []), change] } : later;
}

/** Rebases a change that has not arrived without the changes discarded before it. */
export function withoutDiscarded({ discarded = [], ...entry }: OutboxEntry): OutboxEntry {
  return discarded.reduce<OutboxEntry>((later, change) => afterDiscarded(later, { change }), entry);
}

/** Rebases the rest of an edit on its sent part: the server holds those texts, and its files replace the known ones. */
export function laidOverSent(change: UpdateChange, sent: Change): UpdateChange {
  if (!('values' in sent)) return change;
  const base = withSentFiles(change.base, sent.files);
  return { ...change, base: { ...base, values: { ...base.values, ...sent.values } } };
}

/** The base of a change behind `sent`. Everything in a record that `sent` has created was seen. */
function baseBefore(change: Change, sent: Change): Base | undefined {
  const base = baseOf(change);
  if (sent.op !== 'create' || (base === undefined && change.op !== 'delete')) return base;
  const { files, ...created } = createdBase(sent);
  return { ...created, ...base, files: { ...files, ...base?.files } };
}

/** The record as a create leaves it, but for its own files. */
export function createdBase({ resource, values }: CreateChange): Base {
  const owner = resourceOf(resource);
  const empty = Object.fromEntries(owner.fields.map(({ name }) => [name, '']));
  return { ...baseOfRecord(owner, { ...empty, images: [] }), values: textsOf(owner, values) };
}

/**
 * True if a change has seen the files that `sent` was based on, as far as it overwrites or deletes them. The new version may
 * otherwise hide someone else's change.
 */
function hasSeenBase(change: Change, base: Base, sent: Change): boolean {
  if (sent.op === 'create') return true;
  const version = baseOf(sent)?.version;
  if (version !== undefined && base.version === version) return true;
  if (sent.op !== 'update') return false;
  const [seen, before] = [withSentFiles(base, sent.files), withSentFiles(sent.base, sent.files)];
  return change.op === 'update'
    ? change.files.every(({ field }) => sameText(seen.files?.[field], before.files?.[field]))
    : hasSameFiles(seen, before);
}

/**
 * Moves the base and the value of untouched fields to `now`. A touched field keeps both. A deletion counts as touching what was
 * merged: nobody saw it.
 */
function follow(
  change: Change,
  base: Base,
  now: Values,
  merged: readonly string[] = [],
): { change: Change; base: Base } {
  const values = valuesOf(change);
  const touched = (field: string) =>
    values === undefined ? merged.includes(field) : !sameText(values[field], base.values[field]);
  const moved = Object.fromEntries(
    Object.entries(base.values).map(([field, value]) => [field, touched(field) ? value : (now[field] ?? value)]),
  );
  const next = values === undefined ? change : withValues(change, keepTouched(values, base.values, moved));
  return { change: next, base: { ...base, values: moved } };
}

function keepTouched(values: Values, base: Values, fresh: Values): Values {
  return Object.fromEntries(
    Object.entries(values).map(([field, value]) => [
      field,
      sameText(value, base[field]) ? (fresh[field] ?? value) : value,
    ]),
  );
}

function withOwnFiles(base: Base, sent: OutboxEntry): Base {
  const { change } = sent;
  const { imageIds, ...settled } = withSentFiles(base, filesOf(sent));
  const removed = change.op === 'delete-image' ? change.imageId : undefined;
  return imageIds === undefined ? settled : { ...settled, imageIds: imageIds.filter((id) => id !== removed) };
}

function withRecordId(change: Change, sent: Change, serverId: number | undefined): Change {
  if (serverId === undefined || sent.op !== 'create') return change;
  const recordId: RecordId = String(serverId);
  return { ...change, recordId };
}

function valuesOf(change: Change): Values | undefined {
  return 'values' in change ? change.values : undefined;
}

function baseOf(change: Change): Base | undefined {
  return 'base' in change ? change.base : undefined;
}

function withValues(change: Change, values: Values): Change {
  return 'values' in change ? { ...change, values } : change;
}

function withBase(change: Change, base: Base): Change {
  return change.op === 'create' ? change : { ...change, base };
}
