import { baseOf } from '../../outbox/base.ts';
import { isUnchanged, sameText } from '../../outbox/conflict.ts';
import type { Base } from '../../outbox/vocabulary.ts';
import { resourceOf } from '../../resources/index.ts';
import type { Values } from '../../validate.ts';
import type { Attempt, Finding, Reader, Sent, SentFile } from './reader.ts';
import { type StoredFiles, storedFiles } from './stored-files.ts';

type Update = Sent & { readonly op: 'update' };

/** Compares a record with an edit's intended result. */
export async function findUpdate(reader: Reader, sent: Update, attempt: Attempt): Promise<Finding> {
  const resource = resourceOf(sent.resource);
  const record = await reader.record(resource, sent.recordId);
  if (record === undefined) return { found: 'gone' };
  const files = await storedFiles(reader, { resource, record }, sent.files, attempt.baseline.record);
  return judge(sent.values, files, baseOf(resource, record), attempt);
}

/**
 * Judges whether an edit took effect. An edit is applied as a whole: one of its files proves it, and so do its texts.
 * Texts that someone has written over it since are newer.
 */
function judge(values: Values, files: StoredFiles, theirs: Base, attempt: Attempt): Finding {
  const before = attempt.baseline.record;
  const isOpen = attempt.now() < attempt.endsBy;
  const changed = changedFields(values, before);
  const isWritten =
    files.missing.length === 0 && changed.every((field) => sameText(values[field], theirs.values[field]));
  // an edit that changes nothing leaves no trace: it may still arrive and overwrite newer values
  const isSeen = files.there.length > 0 || (isWritten && changed.length > 0);
  if (isOpen && (!isSeen || files.missing.length > 0)) return { found: 'too-early', until: attempt.endsBy };
  if (isSeen || isWritten) return doneBut(files.missing);
  return before !== undefined && isUnchanged(before, theirs) ? { found: 'nothing' } : { found: 'changed', theirs };
}

function doneBut(missing: readonly SentFile[]): Finding {
  return { found: 'done', duplicates: [], missing };
}

/** The fields whose texts an edit changes. */
function changedFields(values: Values, before: Base | undefined): string[] {
  return Object.keys(values).filter((field) => before === undefined || !sameText(values[field], before.values[field]));
}
