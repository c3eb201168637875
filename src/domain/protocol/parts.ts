import { laidOverSent } from '../outbox/rebase.ts';
import type { Change, UpdateChange } from '../outbox/vocabulary.ts';
import { CONTRACT_ONLY } from './capabilities.ts';
import { splitFiles } from './request-limits.ts';

/** The part of a change that fits in one request to a stock back end: its texts, and as many files as it accepts. */
export function firstPart<C extends Change>(change: C): C {
  if (!('files' in change)) return change;
  const [files = []] = splitFiles(change.resource, change.files, CONTRACT_ONLY.limits);
  return files.length === change.files.length ? change : { ...change, files };
}

/** The rest of an edit after its first part. Undefined if the first part was complete. */
export function afterFirstPart(change: UpdateChange): UpdateChange | undefined {
  const sent = firstPart(change);
  if (sent === change) return undefined;
  return { ...laidOverSent(change, sent), files: change.files.filter((file) => !sent.files.includes(file)) };
}
