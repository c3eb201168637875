import type { Values } from '../validate.ts';
import { type Base, type Change, type OutboxEntry, recordKey } from './vocabulary.ts';

/** One field (or single file) that is not the same everywhere. `mine` of a file is the new file's name. */
export interface FieldDifference {
  readonly field: string;
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
  /** `both`: changed on both sides, differently, so that someone has to choose. */
  readonly changedBy: 'me' | 'them' | 'both';
}

export interface Comparison {
  readonly differences: readonly FieldDifference[];
  /** Fields that someone has to choose. */
  readonly conflicts: readonly string[];
  /** Mine where I changed something, theirs elsewhere. */
  readonly merged: Values;
  /** Fields that changed on the server only. */
  readonly kept: readonly string[];
  /** Images that came or went on the server since. They never stand in the way of an edit. */
  readonly images: { readonly added: readonly number[]; readonly removed: readonly number[] };
}

/** Compares what the form showed, what the administrator made of it, and what the server holds now. */
export function compare(change: Change, theirs: Base): Comparison {
  const base = baseOfChange(change);
  const mine = 'values' in change ? change.values : (base?.values ?? {});
  const differences = [
    ...Object.keys({ ...mine, ...theirs.values }).flatMap((field) => {
      const from = base?.values[field] ?? '';
      return difference(field, from, mine[field] ?? from, theirs.values[field] ?? '');
    }),
    ...fileDifferences(change, base, theirs),
  ];
  const both = differences.filter(({ changedBy }) => changedBy === 'both').map(({ field }) => field);
  const kept = differences.filter(({ changedBy }) => changedBy === 'them').map(({ field }) => field);
  // a field that the form did not know yet is among theirs alone
  const taken = Object.entries(theirs.values).filter(([field]) => kept.includes(field));
  const merged = { ...mine, ...Object.fromEntries(taken) };
  const images = imageDifferences(base, theirs);
  return { differences, conflicts: both, merged, kept, images };
}

/** True when in every field to choose the server holds what the same administrator's own confirmed changes have put there. */
export function isOwnConflict(entry: OutboxEntry, theirs: Base, done: readonly OutboxEntry[]): boolean {
  const { conflicts } = compare(entry.change, theirs);
  const own = done.filter(
    (other) => other.administrator === entry.administrator && confirmedKey(other) === recordKey(entry.change),
  );
  const wrote = (field: string) =>
    own.some(({ change }) => 'values' in change && sameText(change.values[field], theirs.values[field]));
  return conflicts.length > 0 && conflicts.every(wrote);
}

function confirmedKey({ change, receipt }: OutboxEntry): string {
  const { serverId } = receipt ?? {};
  return recordKey(
    change.op === 'create' && serverId !== undefined ? { ...change, recordId: String(serverId) } : change,
  );
}

/** True when nothing of the record has changed since the base: what a delete needs to know. */
export function isUnchanged(base: Base, theirs: Base): boolean {
  const fields = Object.keys(base.values).every((field) => sameText(base.values[field], theirs.values[field]));
  const files = Object.entries(base.files ?? {}).every(([field, name]) => theirs.files?.[field] === name);
  return fields && files && hasSameImages(base, theirs);
}

/** True when the record's images are those of the base: what the removal of one needs to know. */
export function hasSameImages(base: Base, theirs: Base): boolean {
  const { added, removed } = imageDifferences(base, theirs);
  return removed.length === 0 && (base.ownImagesAdded === true || added.length === 0);
}

/** Servers trim texts, and forms carry line ends as CR LF: neither is a difference. */
export function sameText(one = '', other = ''): boolean {
  return plain(one) === plain(other);
}

function plain(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').trim();
}

function difference(field: string, base: string, mine: string, theirs: string): FieldDifference[] {
  const byMe = !sameText(base, mine);
  const byThem = !sameText(base, theirs);
  if ((!byMe && !byThem) || sameText(mine, theirs)) return [];
  return [{ field, base, mine, theirs, changedBy: byMe && byThem ? 'both' : byMe ? 'me' : 'them' }];
}

/** A replaced single file, where its stored name was known when the edit began. */
function fileDifferences(change: Change, base: Base | undefined, theirs: Base): FieldDifference[] {
  if (change.op !== 'update') return [];
  return Object.entries(base?.files ?? {}).flatMap(([field, stored]) => {
    const mine = change.files.find((file) => file.field === field)?.name ?? stored;
    return difference(field, stored, mine, theirs.files?.[field] ?? '');
  });
}

function imageDifferences(base: Base | undefined, theirs: Base): Comparison['images'] {
  const before = base?.imageIds ?? [];
  return {
    added: theirs.imageIds.filter((id) => !before.includes(id)),
    removed: before.filter((id) => !theirs.imageIds.includes(id)),
  };
}

function baseOfChange(change: Change): Base | undefined {
  return change.op === 'create' ? undefined : change.base;
}
