import { laidOverSent } from '../outbox/rebase.ts';
import type { Change, UpdateChange } from '../outbox/vocabulary.ts';
import { CONTRACT_ONLY } from './capabilities.ts';
import { splitFiles } from './request-limits.ts';

/** What of a change goes to a stock back end in one request: its texts, and as many files as such a server takes. */
export function firstPart<C extends Change>(change: C): C {
  if (!('files' in change)) return change;
  const [files = []] = splitFiles(change.resource, change.files, CONTRACT_ONLY.limits);
  return files.length === change.files.length ? change : { ...change, files };
}

/** An edit that goes on behind its first part. Undefined where that was all of it. */
export function afterFirstPart(change: UpdateChange): UpdateChange | undefined {
  const sent = firstPart(change);
  if (sent === change) return undefined;
  return { ...laidOverSent(change, sent), files: change.files.filter((file) => !sent.files.includes(file)) };
}
