import type { StoredRecord } from '../servers/server.ts';
import type { Evidence } from './evidence.ts';
import type { GivenFile, SavedChange } from './ledger.ts';

/** The stored result of the images of a change. Hashes are of bytes as the server received them. */
interface Images {
  /** Stored images of the change, in the order in which they were given. */
  readonly inOrder: readonly string[];
  /** The same images in the server's order. */
  readonly stored: readonly string[];
  /** Given and not stored. */
  readonly missing: readonly GivenFile[];
  /** Stored once more than given. */
  readonly doubled: readonly string[];
}

/** The history of a record's files. */
export interface Fates {
  /** The browser itself has repeated one of its requests, to a server that cannot detect it. */
  readonly repeated: boolean;
  /** SHA-256 of every image that someone removed, here or elsewhere. */
  readonly removed: readonly string[];
  /** The server identifies changes by their keys. */
  readonly hasKeys: boolean;
}

/** What is wrong with the images of a change in this row: lost, duplicated, out of order, or different bytes. */
export function wrongImages(change: SavedChange, row: Pick<StoredRecord, 'images'>, fates: Fates): string[] {
  const images = imagesOf(change, row);
  const wrong = images.doubled.length > 0 && !fates.repeated ? [`doubled: an image of ${change.record}`] : [];
  if (change.fate !== 'kept') return wrong;
  const lost = withoutSome(images.missing, fates.removed, isOf);
  if (lost.length > 0) wrong.push(`${lostFrom(change)}: ${lost.length} images`);
  if (!fates.repeated && !isInOrder(images, fates)) wrong.push(`reordered: images of ${change.record}`);
  return wrong;
}

/** Single files that are not stored, although no later change replaced them. */
export function lostSingles(
  change: SavedChange,
  row: StoredRecord,
  { ledger, replacedElsewhere }: Pick<Evidence, 'ledger' | 'replacedElsewhere'>,
): string[] {
  if (change.fate !== 'kept') return [];
  return change.files.flatMap((file) => {
    const { field } = file;
    if (field === 'images' || change.overruled.has(field) || isOf(file, row.files[field])) return [];
    const replaced = ledger.superseded(change, ({ files }) => files.some((one) => one.field === field));
    return replaced || replacedElsewhere(change.record, field) ? [] : [`${lostFrom(change)}: its ${field}`];
  });
}

/** "lost: " and the change. */
export function lostFrom({ number, op, record }: SavedChange): string {
  return `lost: change ${number} (${op} ${record})`;
}

/** True if the bytes belong to the given file, or to the one that it replaces. */
export function isOf({ sha256, insteadOf }: GivenFile, stored: string | undefined): boolean {
  return stored !== undefined && (stored === sha256 || stored === insteadOf);
}

/** Assigns one stored image to each given one: its own bytes, otherwise those that it replaces. */
function imagesOf({ files }: SavedChange, row: Pick<StoredRecord, 'images'>): Images {
  const given = files.filter(({ field }) => field === 'images');
  const stored = row.images.map(({ sha256 }) => sha256).filter((hash) => given.some((file) => isOf(file, hash)));
  const left = [...stored];
  const own = given.map(({ sha256 }) => take(left, sha256));
  const found = given.map(
    ({ insteadOf }, i) => own[i] ?? (insteadOf === undefined ? undefined : take(left, insteadOf)),
  );
  return {
    inOrder: found.filter((hash) => hash !== undefined),
    stored: withoutSome(stored, left, (one, other) => one === other),
    missing: given.filter((_, i) => found[i] === undefined),
    doubled: left,
  };
}

/**
 * True if the images are in order, with one exception. Someone may remove an image of a change with a lost answer before it
 * was read back. A back end without keys cannot distinguish that from an image that never arrived, so it is sent again and
 * comes last.
 */
function isInOrder({ inOrder, stored }: Images, { removed, hasKeys }: Fates): boolean {
  const sentAgain = hasKeys ? [] : removed;
  const again = inOrder.filter((hash) => sentAgain.includes(hash));
  const others = inOrder.filter((hash) => !sentAgain.includes(hash));
  return stored.join() === inOrder.join() || stored.join() === [...others, ...again].join();
}

function take(from: string[], hash: string): string | undefined {
  const place = from.indexOf(hash);
  return place === -1 ? undefined : from.splice(place, 1)[0];
}

/** Returns the items without the others, one for one. */
function withoutSome<T>(
  some: readonly T[],
  others: readonly string[],
  isSame: (one: T, other: string) => boolean,
): T[] {
  const left = [...others];
  return some.filter((one) => {
    const place = left.findIndex((other) => isSame(one, other));
    if (place !== -1) left.splice(place, 1);
    return place === -1;
  });
}
