import { baseOf } from '../../outbox/base.ts';
import { isUnchanged, sameText } from '../../outbox/conflict.ts';
import type { Base } from '../../outbox/vocabulary.ts';
import type { AnyResourceName } from '../../resource.ts';
import { resourceOf } from '../../resources/index.ts';
import type { Values } from '../../validate.ts';
import { type FileEvidence, fileEvidence } from './evidence.ts';
import { isAlike, isTextOf, type Learned, NOTHING_LEARNED } from './learned.ts';
import type { Attempt, Finding, Reader, Sent } from './reader.ts';
import { freshFiles, type Stored, storedCopies } from './stored-files.ts';

type Update = Sent & { readonly op: 'update' };

/**
 * Compares a record with an edit's intended result, close to the back end. Files that were added since the baseline and have
 * other bytes are ours if they are as many as were sent; if they are not, only a person can tell.
 */
export async function weighUpdate(reader: Reader, sent: Update, attempt: Attempt): Promise<Finding> {
  const { learned = NOTHING_LEARNED } = attempt;
  const resource = resourceOf(sent.resource);
  const record = await reader.record(resource, sent.recordId);
  if (record === undefined) return { found: 'gone' };
  const fresh = await unexplained(reader, freshFiles({ resource, record }, sent.files, attempt.baseline.record));
  const files = fileEvidence(learned, sent.files, await storedCopies(reader, fresh, sent.files));
  return judged(sent, files, baseOf(resource, record), { ...attempt, learned });
}

/** The files that no other known change has brought. */
async function unexplained(reader: Reader, fresh: readonly Stored[]): Promise<readonly Stored[]> {
  const explained = await reader.explained?.(fresh.map(({ name }) => name));
  return explained === undefined ? fresh : fresh.filter(({ name }) => !explained.has(name));
}

function judged(
  { resource, recordId, values }: Update,
  files: FileEvidence,
  theirs: Base,
  attempt: Attempt & { readonly learned: Learned },
): Finding {
  const { exact, counted, missing, others } = files;
  const before = attempt.baseline.record;
  const isOpen = attempt.now() < attempt.endsBy;
  const changed = changedFields(values, before);
  const isOurs = (field: string) => isWritten(attempt.learned, resource, field, { values, before, theirs });
  const areTextsThere = changed.every(isOurs);
  const isWhole = missing.length === 0 && areTextsThere;
  // an edit that changes nothing leaves no trace: it may still arrive and overwrite newer values
  const isSeen = exact.length > 0 || counted.length > 0 || (isWhole && changed.length > 0);
  if (isOpen && (!isSeen || missing.length > 0)) return { found: 'too-early', until: attempt.endsBy };
  // as many as were sent, or bytes that say it
  const isCertain = counted.length === 0 || (missing.length === 0 && others === 0) || exact.length > 0;
  if (isSeen && !isCertain && !isReencoder(attempt.learned)) return { found: 'question', ids: [Number(recordId)] };
  if (isSeen || isWhole) return { found: 'done', duplicates: [], missing };
  return before !== undefined && isUnchanged(before, theirs) ? { found: 'nothing' } : { found: 'changed', theirs };
}

/** True if the back end is known to store other bytes: then files that came meanwhile are the first of those sent. */
function isReencoder({ files }: Learned): boolean {
  return Object.values(files).some(({ changedFrom, unreadable }) => changedFrom !== undefined || unreadable === true);
}

/** The fields whose texts an edit changes. */
function changedFields(values: Values, before: Base | undefined): string[] {
  return Object.keys(values).filter((field) => before === undefined || !sameText(values[field], before.values[field]));
}

/** True if a field holds what was sent, in whatever form this back end gives it. */
function isWritten(
  learned: Learned,
  resource: AnyResourceName,
  field: string,
  { values, before, theirs }: { readonly values: Values; readonly before: Base | undefined; readonly theirs: Base },
): boolean {
  const [sent, was, is] = [values[field], before?.values[field], theirs.values[field]];
  if (isTextOf(learned.texts[`${resource}.${field}`], sent, is)) return true;
  const isMoved = before !== undefined && !sameText(was, is);
  return isMoved && isAlike(sent, is) && !isAlike(was, is);
}
