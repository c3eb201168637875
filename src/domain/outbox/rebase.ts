import type { Values } from '../validate.ts';
import { sameText } from './conflict.ts';
import { isReadable } from './scheduler.ts';
import { filesOf } from './vocabulary.ts';
import type { Base, Change, FileReference, OutboxEntry, RecordId, UpdateChange } from './vocabulary.ts';

/** How a later change of the same record follows what became of an earlier one. */

/**
 * An earlier change was confirmed: the server now holds its values under a new version. A later change that did not touch a
 * field takes what was sent; where it touched a field that was merged meanwhile, its old base stays and the server
 * will tell the conflict.
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
  if (base === undefined) return { ...later, change };
  const moved = follow(change, base, sentValues ?? base.values);
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
 * An earlier change was given up: the fields that this one did not touch go back to what was before it. With them goes the version: what
 * was given up has hidden whatever somebody wrote into them since, and only the older version makes the server tell of it.
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
  return { ...later, change: withBase(change, withVersion({ ...base, values: back }, wentBack ? before : base)) };
}

/**
 * An earlier change was given up, while this one is on its way or its delivery is unknown: both may be there, and then this one was
 * carried out as it is. It goes without the other one when it is known that it was not.
 */
export function discardedBehind(later: OutboxEntry, { change }: OutboxEntry): OutboxEntry {
  return isReadable(later) ? { ...later, discarded: [...(later.discarded ?? []), change] } : later;
}

/** A change that has not arrived, without what was discarded before it. */
export function withoutDiscarded({ discarded = [], ...entry }: OutboxEntry): OutboxEntry {
  return discarded.reduce<OutboxEntry>((later, change) => afterDiscarded(later, { change }), entry);
}

/** An edit that goes on behind what was sent of it before: the server holds those texts, and files in place of the ones it knew. */
export function laidOverSent(change: UpdateChange, sent: Change): UpdateChange {
  if (!('values' in sent)) return change;
  const base = withoutSentFiles(change.base, sent.files);
  return { ...change, base: { ...base, values: { ...base.values, ...sent.values } } };
}

/** The removal of an image that was made on another version, or on none, may have somebody else's change behind its new one. */
function hidesOthers(sent: Change, base: Base): boolean {
  return sent.op === 'delete-image' && (base.version === undefined || sent.base?.version !== base.version);
}

/** Moves base and untouched fields to `now`, field by field; a touched field keeps both. */
function follow(change: Change, base: Base, now: Values): { change: Change; base: Base } {
  const values = valuesOf(change);
  const touched = (field: string) => values !== undefined && !sameText(values[field], base.values[field]);
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

/** The names of files that the sent change replaced are no longer known; images it added have unknown ids. */
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

function withVersion(base: Base, { version }: Base): Base {
  const { version: _, ...unversioned } = base;
  return version === undefined ? unversioned : { ...unversioned, version };
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
