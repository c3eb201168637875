import type { StoredRecord } from '../servers/server.ts';
import type { Evidence } from './evidence.ts';
import type { GivenFile, SavedChange } from './ledger.ts';

/** What became of the images that a change brought. Hashes are of bytes as the server received them. */
interface Images {
  /** Stored ones that are a change's, in the order in which it gave them. */
  readonly inOrder: readonly string[];
  /** The same as they stand on the server. */
  readonly stored: readonly string[];
  /** Given and not stored. */
  readonly missing: readonly GivenFile[];
  /** Stored once more than given. */
  readonly doubled: readonly string[];
}

/** What the files of a record went through. */
export interface Fates {
  /** The browser has repeated a request of it by itself, to a server that cannot know. */
  readonly repeated: boolean;
  /** SHA-256 of every image that somebody removed, here or elsewhere. */
  readonly removed: readonly string[];
  /** The server knows changes by their keys. */
  readonly hasKeys: boolean;
}

/** What is wrong with the images of a change that is stored in this row: 0 lost, 0 doubled, in their order, byte for byte. */
export function wrongImages(change: SavedChange, row: Pick<StoredRecord, 'images'>, fates: Fates): string[] {
  const images = imagesOf(change, row);
  const wrong = images.doubled.length > 0 && !fates.repeated ? [`doubled: an image of ${change.record}`] : [];
  if (change.fate !== 'kept') return wrong;
  const lost = withoutSome(images.missing, fates.removed, isOf);
  if (lost.length > 0) wrong.push(`${lostFrom(change)}: ${lost.length} images`);
  if (!fates.repeated && !isInOrder(images, fates)) wrong.push(`reordered: images of ${change.record}`);
  return wrong;
}

/** Single files that are not stored, although no later change brought others. */
export function lostSingles(change: SavedChange, row: StoredRecord, { ledger }: Pick<Evidence, 'ledger'>): string[] {
  if (change.fate !== 'kept') return [];
  return change.files.flatMap((file) => {
    const { field } = file;
    if (field === 'images' || change.overruled.has(field) || isOf(file, row.files[field])) return [];
    const replaced = ledger.superseded(change, ({ files }) => files.some((one) => one.field === field));
    return replaced ? [] : [`${lostFrom(change)}: its ${field}`];
  });
}

/** "lost: " and which change. */
export function lostFrom({ number, op, record }: SavedChange): string {
  return `lost: change ${number} (${op} ${record})`;
}

/** The bytes are a given file's, or those of the one that it was picked for once more. */
export function isOf({ sha256, insteadOf }: GivenFile, stored: string | undefined): boolean {
  return stored !== undefined && (stored === sha256 || stored === insteadOf);
}

/** Each given image has one stored image: its own bytes, else those that it was picked in place of. */
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
 * In their order. The one exception: of a change whose answer was lost somebody removes an image before it was read back. A back end
 * without keys cannot tell that from an image that never arrived, so it is sent once more, and stands last.
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

/** What is left of some when others are taken away, one for one. */
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
