import type { Values } from '../validate.ts';
import { type Base, type Change, type OutboxEntry, recordKey } from './vocabulary.ts';

/** A field (or single file) that differs. For a file, `mine` is the new file's name. */
export interface FieldDifference {
  readonly field: string;
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
  /** `both`: changed differently on both sides, so someone has to choose. */
  readonly changedBy: 'me' | 'them' | 'both';
}

export interface Comparison {
  readonly differences: readonly FieldDifference[];
  /** Fields that need a choice. */
  readonly conflicts: readonly string[];
  /** The user's values for changed fields, the server's for the others. */
  readonly merged: Values;
  /** Fields that changed on the server only. */
  readonly kept: readonly string[];
  /** Images added or removed on the server since. They never conflict with an edit. */
  readonly images: { readonly added: readonly number[]; readonly removed: readonly number[] };
}

/** Compares what the form showed, what the administrator changed, and what the server holds now. */
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
  // a field that the form does not know yet exists in theirs only
  const taken = Object.entries(theirs.values).filter(([field]) => kept.includes(field));
  const merged = { ...mine, ...Object.fromEntries(taken) };
  const since = imageDifferences(base, theirs);
  const images = hasOwnImages(base) ? { ...since, added: [] } : since;
  return { differences, conflicts: both, merged, kept, images };
}

/** True if in every conflicting field the server holds a value from the same administrator's confirmed changes. */
export function isOwnConflict(entry: OutboxEntry, theirs: Base, done: readonly OutboxEntry[]): boolean {
  const { conflicts } = compare(entry.change, theirs);
  const own = done.filter(
    (other) => other.administrator === entry.administrator && confirmedKey(other) === recordKey(entry.change),
  );
  const wrote = (field: string) =>
    own.some(({ change }) => 'values' in change && sameText(change.values[field], theirs.values[field]));
  return conflicts.length > 0 && conflicts.every(wrote);
}

/** The key of a confirmed change's record, by the server's id. */
export function confirmedKey({ change, receipt }: OutboxEntry): string {
  const { serverId } = receipt ?? {};
  return recordKey(
    change.op === 'create' && serverId !== undefined ? { ...change, recordId: String(serverId) } : change,
  );
}

/** True if the record holds nothing but what was seen, unchanged. Deletes require this. A version covers all its parts. */
export function isUnchanged(base: Base, theirs: Base): boolean {
  if (base.version !== undefined && base.version === theirs.version) return true;
  return isAsSeen(base.values, theirs.values) && hasSameFiles(base, theirs);
}

/** True if the record's images and single files are those of the base. */
export function hasSameFiles(base: Base, theirs: Base): boolean {
  return isAsSeen(base.files, theirs.files) && hasSameImages(base, theirs);
}

/** True if the record's images are those of the base. Image removals require this. */
export function hasSameImages({ imageIds = [] }: Base, theirs: Base): boolean {
  const now = theirs.imageIds ?? [];
  return imageIds.length === now.length && imageIds.every((id) => now.includes(id));
}

/** A part that was not seen is unchanged only if it is empty. */
function isAsSeen(seen: Values = {}, now: Values = {}): boolean {
  return Object.keys({ ...seen, ...now }).every((field) => sameText(seen[field], now[field]));
}

/**
 * Compares texts as a server stores them: it trims them, and forms send line ends as CR LF. The newest Laravel trims more
 * than space (`Str::INVISIBLE_CHARACTERS`).
 */
export function sameText(one = '', other = ''): boolean {
  return one === other || plain(one) === plain(other);
}

/** What the newest Laravel trims at both ends of a text. `\s` covers the rest of its list. */
const INVISIBLE =
  '[\\s\\0\\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2060-\u2065\u206a-\u206f\u2800\u3164\uffa0\u{1d159}\u{1d173}-\u{1d17a}\u{e0020}]+';
const ENDS = new RegExp(`^${INVISIBLE}|${INVISIBLE}$`, 'gu');

function plain(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(ENDS, '');
}

function difference(field: string, base: string, mine: string, theirs: string): FieldDifference[] {
  const byMe = !sameText(base, mine);
  const byThem = !sameText(base, theirs);
  if ((!byMe && !byThem) || sameText(mine, theirs)) return [];
  return [{ field, base, mine, theirs, changedBy: byMe && byThem ? 'both' : byMe ? 'me' : 'them' }];
}

/** Differences of single files. A new file over one that was not seen is a conflict. */
function fileDifferences(change: Change, base: Base | undefined, theirs: Base): FieldDifference[] {
  if (change.op !== 'update') return [];
  return Object.keys({ ...base?.files, ...theirs.files }).flatMap((field): FieldDifference[] => {
    const [seen, now = ''] = [base?.files?.[field], theirs.files?.[field]];
    const mine = change.files.find((file) => file.field === field)?.name;
    const byThem = now !== (seen ?? (mine === undefined ? now : ''));
    if (mine === undefined && !byThem) return [];
    const changedBy = mine === undefined ? 'them' : byThem ? 'both' : 'me';
    return [{ field, base: seen ?? '', mine: mine ?? seen ?? '', theirs: now, changedBy }];
  });
}

/**
 * True if the user's own changes have added photos since. Their ids are not known, so nobody can tell which ones are someone else's.
 * Queues of earlier versions say so in `ownImagesAdded`.
 */
function hasOwnImages(base: (Base & { readonly ownImagesAdded?: boolean }) | undefined): boolean {
  return base?.ownFiles?.['images'] !== undefined || base?.ownImagesAdded === true;
}

/** None if the images were not seen. */
function imageDifferences(base: Base | undefined, { imageIds = [] }: Base): Comparison['images'] {
  const before = base === undefined ? [] : (base.imageIds ?? imageIds);
  return {
    added: imageIds.filter((id) => !before.includes(id)),
    removed: before.filter((id) => !imageIds.includes(id)),
  };
}

function baseOfChange(change: Change): Base | undefined {
  return change.op === 'create' ? undefined : change.base;
}
