import { createHash } from 'node:crypto';
import { baseOf } from '../../../src/domain/outbox/base.ts';
import { isTextOf, type Learned, NOTHING_LEARNED } from '../../../src/domain/protocol/read-back/learned.ts';
import type { Reader } from '../../../src/domain/protocol/read-back/reader.ts';
import { type AnyResource, type ServerRecord, textOf } from '../../../src/domain/resource.ts';
import { resourceOf } from '../../../src/domain/resources/index.ts';
import type { ChangeAnswer } from '../store.ts';
import type { KnownFile } from './journal.ts';
import type { Work } from './work.ts';

/** Members of a record that are no part of its version: a back end's own version, and a time that any of its jobs may touch. */
const UNVERSIONED: ReadonlySet<string> = new Set(['version', 'updated_at']);

/** The version of a record: a short hash of what the back end returns for it. */
export function versionOf(record: object): string {
  return hashOf(record, (name) => !UNVERSIONED.has(name));
}

/** A hash of what the contract knows of a record. Columns of the back end's own may differ in every answer. */
export function contentOf({ fields }: AnyResource, record: ServerRecord): string {
  const names = new Set(['id', ...fields.map(({ name }) => name)]);
  const images = record.images?.map(({ id, image }) => ({ id, image }));
  return hashOf({ ...record, images }, (name) => names.has(name));
}

/** The version that an earlier gateway told for a record. Devices may still hold it. */
export function earlierVersionOf(record: object): string {
  return hashOf(record, () => true);
}

function hashOf(record: object, counts: (name: string) => boolean): string {
  const counted = Object.fromEntries(Object.entries(record).filter(([name]) => counts(name)));
  return createHash('sha256').update(JSON.stringify(counted)).digest('base64url').slice(0, 22);
}

/** The answer to a change that took effect, and the facts of its files. */
export interface Result {
  readonly answer: ChangeAnswer;
  readonly files: readonly KnownFile[];
  /** The record as it is now. Absent if it could not be read. */
  readonly record?: ServerRecord;
}

/** Summarizes a change that has taken effect completely. Leaves out what cannot be read rather than wait for it. */
export async function resultOf(reader: Reader, work: Work, learned: Learned = NOTHING_LEARNED): Promise<Result> {
  const { message = 'Done.', duplicates, recordId, target } = work;
  const record = await recordAfter(reader, work).catch(() => undefined);
  // someone else may have changed it already; the device has not seen that version
  const version = record !== undefined && isAsSent(work, record, learned) ? { version: versionOf(record) } : {};
  const id = target.op === 'create' && recordId !== undefined ? { id: Number(recordId) } : {};
  const answer = { message, ...id, ...version, ...(duplicates.length === 0 ? {} : { duplicates }) };
  return record === undefined ? { answer, files: [] } : { answer, files: filesIn(work, record), record };
}

async function recordAfter(reader: Reader, { target, recordId }: Work): Promise<ServerRecord | undefined> {
  switch (target.op) {
    case 'create':
      return recordId === undefined ? undefined : reader.record(resourceOf(target.resource), recordId);
    case 'update':
      return reader.record(resourceOf(target.resource), target.id);
    case 'delete':
    case 'delete-image':
      return undefined;
    default:
      return target satisfies never;
  }
}

function isAsSent({ target, values, before, files }: Work, record: ServerRecord, { texts }: Learned): boolean {
  if (target.op === 'delete-image') return false;
  const now = baseOf(resourceOf(target.resource), record);
  const added = files.filter(({ field }) => field === 'images').length;
  const isSame = Object.entries(now.values).every(([field, text]) =>
    isTextOf(texts[`${target.resource}.${field}`], values[field], text),
  );
  return isSame && now.imageIds?.length === (before?.record?.imageIds?.length ?? 0) + added;
}

/** Maps received files to stored ones. Images are stored in the order they were sent. */
function filesIn({ before, files, arrived }: Work, record: ServerRecord): KnownFile[] {
  const known = before?.record?.imageIds ?? [];
  const fresh = (record.images ?? []).filter(({ id }) => !known.includes(id)).map(({ image }) => image);
  const images = arrived.flatMap((place) => files[place] ?? []).filter(({ field }) => field === 'images');
  const named = files
    .filter(({ field }) => field !== 'images')
    .map((file) => [file, textOf(record[file.field])] as const);
  const placed = images.length === fresh.length ? images.map((file, place) => [file, fresh[place] ?? ''] as const) : [];
  return [...named, ...placed].map(([{ field, sha256, size, originalName, type }, name]) => ({
    name,
    field,
    sha256,
    size,
    originalName,
    type,
  }));
}
