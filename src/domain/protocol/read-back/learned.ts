import { sameText } from '../../outbox/conflict.ts';
import type { SentFile } from './reader.ts';

/** What a back end was seen to make of a text. `alike`: nothing with a name, but still recognizable. */
export type TextForm = 'capitals' | 'small' | 'words' | 'first-capital' | 'single-spaces' | 'alike';

/** What is known about the pictures or documents of a field. Sizes are bytes. */
export interface LearnedFile {
  /** The largest file that came back byte for byte. */
  readonly keptUpTo?: number;
  /** The smallest file that came back with other bytes. */
  readonly changedFrom?: number;
  /** A file of this field could not be read back. */
  readonly unreadable?: true;
}

/**
 * What confirmed changes have shown about a back end. It changes how later evidence is read, and nothing else: what has not
 * been seen is not assumed.
 */
export interface Learned {
  /** By field and type, such as `images image/png`. */
  readonly files: Readonly<Record<string, LearnedFile>>;
  /** By kind and field, such as `ups.brand`. */
  readonly texts: Readonly<Record<string, TextForm>>;
  /** How long after its confirmation a row was still missing from its list. Milliseconds. */
  readonly listLag?: number;
}

export const NOTHING_LEARNED: Learned = { files: {}, texts: {} };

/** A larger file may be treated otherwise than those seen so far: beyond this factor nothing is assumed. */
export const SIMILAR_SIZE = 2;

const FORMS: Readonly<Record<Exclude<TextForm, 'alike'>, (text: string) => string>> = {
  capitals: (text) => text.toUpperCase(),
  small: (text) => text.toLowerCase(),
  words: (text) => text.toLowerCase().replaceAll(/(^|[^\p{L}\p{N}])(\p{L})/gu, (match) => match.toUpperCase()),
  'first-capital': (text) => text.charAt(0).toUpperCase() + text.slice(1),
  'single-spaces': (text) => text.replaceAll(/\s+/g, ' ').trim(),
};

/** True if a stored text is what was sent, also in the form that this back end gives it. */
export function isTextOf(form: TextForm | undefined, sent = '', stored = ''): boolean {
  if (sameText(sent, stored)) return true;
  if (form === undefined) return false;
  return form === 'alike' ? isAlike(sent, stored) : sameText(FORMS[form](sent), stored);
}

/** True if a stored text is recognizably the sent one: the same letters and digits, or most of them at either end. */
export function isAlike(sent = '', stored = ''): boolean {
  const [one, other] = [letters(sent), letters(stored)];
  if (one === other) return true;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.length >= 4 && short.length * 2 >= long.length && (long.startsWith(short) || long.endsWith(short));
}

/** What may be expected of a stored file: the sent bytes, others (or none that can be read), or either. */
export function expectedBytes({ files }: Learned, file: SentFile): 'kept' | 'changed' | 'unknown' {
  const seen = files[fileClass(file)];
  const { size } = file;
  if (seen === undefined || size === undefined) return 'unknown';
  if (seen.unreadable === true) return 'changed';
  if (seen.changedFrom !== undefined) return size >= seen.changedFrom ? 'changed' : 'unknown';
  return seen.keptUpTo !== undefined && size <= seen.keptUpTo * SIMILAR_SIZE ? 'kept' : 'unknown';
}

/** Notes how a text of a confirmed change came back. Returns the same object if it says nothing new. */
export function learnText(learned: Learned, field: string, sent: string, stored: string): Learned {
  const known = learned.texts[field];
  if (isTextOf(known, sent, stored)) return learned;
  const names = Object.keys(FORMS) as (keyof typeof FORMS)[];
  const form = names.find((name) => sameText(FORMS[name](sent), stored)) ?? (isAlike(sent, stored) ? 'alike' : known);
  // two different named forms of one field have no common name
  const isOther = known !== undefined && form !== undefined && form !== known;
  return form === undefined ? learned : { ...learned, texts: { ...learned.texts, [field]: isOther ? 'alike' : form } };
}

/** Notes how a file of a confirmed change came back. `stored` is undefined if it could not be read. */
export function learnFile(learned: Learned, file: SentFile, stored: string | undefined): Learned {
  const seen = learned.files[fileClass(file)] ?? {};
  const { size = 0 } = file;
  const now: LearnedFile =
    stored === undefined
      ? { ...seen, unreadable: true }
      : stored === file.sha256
        ? { ...seen, keptUpTo: Math.max(size, seen.keptUpTo ?? 0) }
        : { ...seen, changedFrom: Math.min(size, seen.changedFrom ?? size) };
  return { ...learned, files: { ...learned.files, [fileClass(file)]: now } };
}

/** Notes that a confirmed row appeared in its list only after this time. Milliseconds. */
export function learnLag(learned: Learned, lag: number): Learned {
  return lag > (learned.listLag ?? 0) ? { ...learned, listLag: lag } : learned;
}

function fileClass({ field, type = '' }: SentFile): string {
  return `${field} ${type}`;
}

function letters(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
