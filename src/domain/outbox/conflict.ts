import type { Values } from '../validate.ts';
import type { Base, Change } from './vocabulary.ts';

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

/** True when nothing of the record has changed since the base: what a delete needs to know. */
export function isUnchanged(base: Base, theirs: Base): boolean {
  const images = imageDifferences(base, theirs);
  const fields = Object.keys(base.values).every((field) => sameText(base.values[field], theirs.values[field]));
  const files = Object.entries(base.files ?? {}).every(([field, name]) => theirs.files?.[field] === name);
  const added = base.ownImagesAdded ? 0 : images.added.length;
  return fields && files && added === 0 && images.removed.length === 0;
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
  return change.op === 'create' || change.op === 'delete-image' ? undefined : change.base;
}
