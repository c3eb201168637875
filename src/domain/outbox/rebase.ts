import type { Values } from '../validate.ts';
import { sameText } from './conflict.ts';
import { isReadable } from './scheduler.ts';
import { filesOf } from './vocabulary.ts';
import type { Base, Change, FileReference, OutboxEntry, RecordId, UpdateChange } from './vocabulary.ts';

/** Rebases later changes of a record after an earlier one is confirmed or discarded. */

/**
 * Rebases a later change on a confirmed one, whose values the server now holds under a new version. Fields that the later
 * change did not touch take the sent values. A touched field that was merged meanwhile keeps its old base, so that the
 * server reports the conflict; so does a merged field of a deletion. A change of another administrator, who never saw the
 * confirmed one, keeps its base.
 */
export function afterConfirmed(
  later: OutboxEntry,
  sent: OutboxEntry,
  result: { serverId?: number | undefined; version?: string | undefined },
): OutboxEntry {
  if (!isReadable(later)) return later;
  const change = withRecordId(later.change, sent.change, result.serverId);
  const sentValues = valuesOf(sent.change);
  const base = baseOf(change);
  if (base === undefined || later.administrator !== sent.administrator) return { ...later, change };
  const moved = follow(change, base, sentValues ?? base.values, sent.merged);
  const stands = Object.keys(moved.base.values).every(
    (field) => sentValues === undefined || sameText(moved.base.values[field], sentValues[field]),
  );
  const settled = withoutOwnFiles(moved.base, sent);
  const follows = stands && !hidesOthers(sent.change, base);
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
  const base = withoutSentFiles(change.base, sent.files);
  return { ...change, base: { ...base, values: { ...base.values, ...sent.values } } };
}

/** True for an image removal based on another version, or on none. Its new version may include someone else's change. */
function hidesOthers(sent: Change, base: Base): boolean {
  return sent.op === 'delete-image' && (base.version === undefined || sent.base?.version !== base.version);
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

/** Drops the names of replaced files, which are no longer known. Images that the sent change added have unknown ids. */
function withoutOwnFiles(base: Base, sent: OutboxEntry): Base {
  const removed = sent.change.op === 'delete-image' ? sent.change.imageId : undefined;
  return { ...withoutSentFiles(base, filesOf(sent)), imageIds: base.imageIds.filter((id) => id !== removed) };
}

function withoutSentFiles(base: Base, sent: readonly FileReference[]): Base {
  const fields = sent.map(({ field }) => field);
  const files = Object.fromEntries(Object.entries(base.files ?? {}).filter(([field]) => !fields.includes(field)));
  return { ...base, files, ...(fields.includes('images') ? { ownImagesAdded: true } : {}) };
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
  return 'base' in change ? { ...change, base } : change;
}
