import { type AnyResource, fieldOf, type ServerRecord, textOf } from '../../resource.ts';
import type { StoredCopy } from './evidence.ts';
import type { Baseline, Reader, SentFile } from './reader.ts';

/** Which sent files the record holds byte for byte, and which it lacks. Two identical photos need two stored ones. */
export interface StoredFiles<F = SentFile> {
  readonly there: readonly F[];
  readonly missing: readonly F[];
}

/** A record and its kind. */
interface Holder {
  readonly resource: AnyResource;
  readonly record: ServerRecord;
}

/** Finds the sent files among those added to a record since `before`. Without it, all files count. */
export async function storedFiles(
  reader: Reader,
  { resource, record }: Holder,
  sent: readonly SentFile[],
  before?: Baseline['record'],
): Promise<StoredFiles> {
  const stored: SentFile[] = [];
  for (const { field, name } of freshFiles({ resource, record }, sent, before)) {
    const { sha256 } = await steadyReading(reader, name, sent);
    if (sha256 !== undefined) stored.push({ field, sha256 });
  }
  return matched(sent, stored);
}

/** What was read of a stored file. Without a hash, its bytes cannot be read, or were not the same twice. */
interface Reading {
  readonly sha256: string | undefined;
  /** False if two readings differed: nothing follows from them. */
  readonly isSteady: boolean;
}

/**
 * Reads a stored file. Bytes that were not sent count only if a second reading shows them too: an answer may be cut on its way, and
 * not tell its length. Throws what the reader throws.
 */
export async function steadyReading(
  reader: Pick<Reader, 'sha256'>,
  name: string,
  sent: readonly Pick<SentFile, 'sha256'>[],
): Promise<Reading> {
  const first = await reader.sha256(name);
  const isSent = (sha256: string | undefined) => sent.some((file) => file.sha256 === sha256);
  if (first === undefined || isSent(first)) return { sha256: first, isSteady: true };
  const second = await reader.sha256(name);
  const isSteady = second === first || isSent(second);
  return { sha256: isSteady ? second : undefined, isSteady };
}

/** True if the record holds one of the files byte for byte. Downloads no more than it takes to find one. */
export async function holdsOneOf(reader: Reader, holder: Holder, sent: readonly SentFile[]): Promise<boolean> {
  for (const { field, name } of freshFiles(holder, sent, undefined)) {
    const sha256 = await reader.sha256(name);
    if (sent.some((file) => file.field === field && file.sha256 === sha256)) return true;
  }
  return false;
}

/** Matches sent files with stored ones. */
export function matched<F extends SentFile>(sent: readonly F[], stored: readonly SentFile[]): StoredFiles<F> {
  const left = [...stored];
  const isThere = (file: SentFile) => {
    const place = left.findIndex(({ field, sha256 }) => field === file.field && sha256 === file.sha256);
    if (place >= 0) left.splice(place, 1);
    return place >= 0;
  };
  const marked = sent.map((file) => ({ file, isThere: isThere(file) }));
  return {
    there: marked.filter((one) => one.isThere).map(({ file }) => file),
    missing: marked.filter((one) => !one.isThere).map(({ file }) => file),
  };
}

/** A stored file of a record. */
export interface Stored {
  readonly field: string;
  readonly name: string;
}

/** Reads the bytes of stored files. A file of a field without sent ones is counted only. */
export async function storedCopies(
  reader: Reader,
  fresh: readonly Stored[],
  sent: readonly SentFile[],
): Promise<StoredCopy[]> {
  const copies: StoredCopy[] = [];
  for (const { field, name } of fresh) {
    const isSent = sent.some((file) => file.field === field);
    const sha256 = isSent ? (await steadyReading(reader, name, sent)).sha256 : undefined;
    copies.push({ field, sha256 });
  }
  return copies;
}

/** The record's files in fields with sent files, without those it had before. */
export function freshFiles(
  { resource, record }: Holder,
  sent: readonly { readonly field: string }[],
  before: Baseline['record'],
): Stored[] {
  const fields = [...new Set(sent.map(({ field }) => field))];
  return fields.flatMap((field) => {
    if (fieldOf(resource, field)?.kind === 'images') {
      const known = new Set(before?.imageIds);
      return (record.images ?? []).filter(({ id }) => !known.has(id)).map(({ image }) => ({ field, name: image }));
    }
    const name = textOf(record[field]);
    return name === '' || name === before?.files?.[field] ? [] : [{ field, name }];
  });
}
