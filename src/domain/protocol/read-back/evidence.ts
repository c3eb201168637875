import { isValue } from '../../fields.ts';
import { type AnyResource, type ServerRecord, textOf } from '../../resource.ts';
import type { Values } from '../../validate.ts';
import { expectedBytes, isAlike, isTextOf, type Learned, SIMILAR_SIZE } from './learned.ts';
import type { SentFile } from './reader.ts';

/**
 * The grades of evidence that a new row or a new file belongs to a request whose answer was lost.
 * - `ours`: by its bytes, or by its texts and the number of its files
 * - `likely`: its texts are those that were sent, and files are lacking; or they are alike, and no file is
 * - `unclear`: neither ours nor explained by another known change
 *
 * What another known change explains is somebody else's and never gets here. Only if there is nothing new at all may a
 * request be sent again.
 */
export type Grade = 'ours' | 'likely' | 'unclear';

/** A stored file. `sha256` is undefined if its bytes cannot be read. */
export interface StoredCopy {
  readonly field: string;
  readonly sha256: string | undefined;
}

/** The sent files, by what the stored ones say about them. */
export interface FileEvidence {
  /** There byte for byte. */
  readonly exact: readonly SentFile[];
  /** As many others are there, whose bytes say nothing: encoded anew, or not readable. */
  readonly counted: readonly SentFile[];
  /** True unless all that speaks for the files is their number, on a back end whose treatment of them is not known yet. */
  readonly hasProof: boolean;
  readonly missing: readonly SentFile[];
  /** The stored files that stand for sent ones. */
  readonly taken: readonly StoredCopy[];
  /** Stored files that no sent one accounts for. */
  readonly others: number;
}

/**
 * Matches sent files with stored ones: first by bytes, then by number and order, because back ends store files in the order
 * of the request. A stored file with other bytes stands for none that this back end keeps as it is.
 */
export function fileEvidence(learned: Learned, sent: readonly SentFile[], stored: readonly StoredCopy[]): FileEvidence {
  const left = [...stored];
  const take = (matches: (copy: StoredCopy) => boolean) => {
    const place = left.findIndex(matches);
    return place >= 0 && left.splice(place, 1).length > 0;
  };
  const exact = sent.filter((file) => take(({ field, sha256 }) => field === file.field && sha256 === file.sha256));
  const open = sent.filter((file) => !exact.includes(file));
  const counted = open.filter((file) =>
    take(({ field, sha256 }) => field === file.field && (sha256 === undefined || !isKept(learned, file, exact))),
  );
  const missing = open.filter((file) => !counted.includes(file));
  const hasProof = exact.length > 0 || counted.every((file) => expectedBytes(learned, file) === 'changed');
  return {
    exact,
    counted,
    hasProof,
    missing,
    taken: stored.filter((copy) => !left.includes(copy)),
    others: left.length,
  };
}

/** True if this back end keeps such a file as it is: it is known to, or has kept another of this request. */
function isKept(learned: Learned, file: SentFile, exact: readonly SentFile[]): boolean {
  const expected = expectedBytes(learned, file);
  if (expected !== 'unknown') return expected === 'kept';
  // only large pictures may be made smaller
  return exact.some(({ field, size = 0 }) => field === file.field && (file.size ?? 0) <= size * SIMILAR_SIZE);
}

/**
 * How far the texts of a record are those that were sent. `alike`: every one is recognizable. `akin`: a text of the title or
 * more than half of all are, as when somebody has edited the record since.
 */
export type TextEvidence = 'same' | 'alike' | 'akin' | 'other';

/** Compares the texts of a record with those that were sent. */
export function textEvidence(
  learned: Learned,
  resource: AnyResource,
  values: Values,
  record: ServerRecord,
): TextEvidence {
  const names = resource.fields.filter(isValue).map(({ name }) => name);
  const stored = (name: string) => textOf(record[name]);
  const form = (name: string) => learned.texts[`${resource.name}.${name}`];
  if (names.every((name) => isTextOf(form(name), values[name], stored(name)))) return 'same';
  const alike = names.filter((name) => isAlike(values[name], stored(name)));
  if (alike.length === names.length) return 'alike';
  const isTitled = resource.title.some((name) => (values[name] ?? '') !== '' && alike.includes(name));
  return isTitled || alike.length * 2 > names.length ? 'akin' : 'other';
}

/** Grades a row by its texts and files. */
export function gradeOf(texts: TextEvidence, files: FileEvidence, isPicture: (file: SentFile) => boolean): Grade {
  const { exact, counted, missing, others } = files;
  const sent = [...exact, ...counted, ...missing];
  // many products share a catalogue: beside pictures it proves nothing
  const telling = sent.some(isPicture) ? exact.filter(isPicture) : exact;
  const isWhole = missing.length === 0 && others === 0;
  if (texts === 'same' && (telling.length > 0 || isWhole)) return 'ours';
  if (texts !== 'other' && sent.length > 0 && exact.length === sent.length) return 'ours';
  if (texts === 'same' && others === 0) return 'likely';
  return texts === 'alike' && (isWhole || telling.length > 0) ? 'likely' : 'unclear';
}
