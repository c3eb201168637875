import { afterConfirmed } from './rebase.ts';
import { allReady, groupByRecord, isUntouched, type Queue, waitOf } from './scheduler.ts';
import { hasItsFiles } from './uploads.ts';
import type { Change, OutboxEntry } from './vocabulary.ts';

/** A change that can share one request with others. */
export interface Companion {
  readonly entry: OutboxEntry;
  /** The change as sent. */
  readonly change: Change;
  /** The preceding change of the record in the same request. Its version is the base. */
  readonly after?: OutboxEntry;
}

/**
 * The changes that can share one request: each record's next change, in the order of their turns, followed by the later
 * changes of these records. No change of a record is skipped.
 */
export function companions(queue: Queue, now: number): Companion[] {
  const heads = allReady(queue, now);
  const own = new Map(groupByRecord(queue.entries, queue.administrator ?? '').map((group) => [group[0], group]));
  const later = heads.flatMap((head) => followersOf(own.get(head) ?? [], queue, now));
  return [...heads.map((entry) => ({ entry, change: entry.change })), ...later];
}

/** Unsent edits and image removals that wait only for the change before them. */
function followersOf(own: readonly OutboxEntry[], queue: Queue, now: number): Companion[] {
  const followers: Companion[] = [];
  let [before, ...rest] = own;
  for (const entry of own.slice(1)) {
    const sent = before;
    if (sent === undefined || !isFree(entry, queue, now)) break;
    // the same rebase as when the change is confirmed
    [before, ...rest] = rest.map((later) => afterConfirmed(later, sent, { version: ITS_VERSION }));
    if (before === undefined || !followsVersion(before.change)) break;
    followers.push({ entry, change: before.change, after: sent });
  }
  return followers;
}

function isFree(entry: OutboxEntry, { administrator, travel }: Queue, now: number): boolean {
  const { op } = entry.change;
  if (entry.administrator !== administrator || (op !== 'update' && op !== 'delete-image')) return false;
  return isUntouched(entry) && waitOf(entry, now) === undefined && hasItsFiles(entry, travel);
}

/** Placeholder for a version that is not known yet. */
const ITS_VERSION = 'after';

/** False if the preceding change may hide someone else's, so that the server must compare with an older version. */
function followsVersion(change: Change): boolean {
  return 'base' in change && change.base?.version === ITS_VERSION;
}
