import type { AnyResource, ServerRecord } from '../../resource.ts';
import type { Base } from '../../outbox/vocabulary.ts';
import { resourceOf } from '../../resources/index.ts';
import { fileEvidence } from './evidence.ts';
import { type Learned, NOTHING_LEARNED } from './learned.ts';
import type { Attempt, Reader, Sent, SentFile } from './reader.ts';
import { freshFiles, storedCopies } from './stored-files.ts';

/** The files of a request that a certain record lacks: the one that it made or edited. Throws what the reader throws. */
export async function missingFrom(
  reader: Reader,
  { resource: name, files }: Sent & { readonly op: 'create' | 'update' },
  id: number,
  { baseline, learned = NOTHING_LEARNED }: Attempt,
): Promise<readonly SentFile[]> {
  const resource = resourceOf(name);
  const record = await reader.record(resource, id);
  if (record === undefined) return [];
  const fresh = freshFiles({ resource, record }, files, baseline.record);
  return fileEvidence(learned, files, await storedCopies(reader, fresh, files)).missing;
}

/** The ids of a record's images that are the sent ones, and nobody else's. Throws what the reader throws. */
export async function ownImages(
  reader: Reader,
  { resource, record }: { readonly resource: AnyResource; readonly record: ServerRecord },
  sent: readonly SentFile[],
  { before, learned }: { readonly before: Base | undefined; readonly learned: Learned },
): Promise<readonly number[]> {
  const known = new Set(before?.imageIds);
  const images = (record.images ?? []).filter(({ id }) => !known.has(id));
  const copies = await storedCopies(reader, freshFiles({ resource, record }, sent, before), sent);
  const { taken } = fileEvidence(learned, sent, copies);
  return copies.flatMap((copy, place) => (taken.includes(copy) ? (images[place]?.id ?? []) : []));
}
