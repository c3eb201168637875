import { afterConfirmed } from './rebase.ts';
import { allReady, groupByRecord, isUntouched, type Queue, waitOf } from './scheduler.ts';
import { hasItsFiles } from './uploads.ts';
import type { Change, OutboxEntry } from './vocabulary.ts';

/** A change that may go in one request with others. */
export interface Companion {
  readonly entry: OutboxEntry;
  /** As it is to be sent. */
  readonly change: Change;
  /** The change of its record that has to come before it in the same request, and whose version counts. */
  readonly after?: OutboxEntry;
}

/**
 * What may go in one request: each record's next change, in the order of their turns, and behind them all what was made of these
 * records since. Of a record nothing is skipped.
 */
export function companions(queue: Queue, now: number): Companion[] {
  const heads = allReady(queue, now);
  const own = new Map(groupByRecord(queue.entries, queue.administrator ?? '').map((group) => [group[0], group]));
  const later = heads.flatMap((head) => followersOf(own.get(head) ?? [], queue, now));
  return [...heads.map((entry) => ({ entry, change: entry.change })), ...later];
}

/** Edits and removals of images that were never sent and wait for nothing but the change before them. */
function followersOf(own: readonly OutboxEntry[], queue: Queue, now: number): Companion[] {
  const followers: Companion[] = [];
  let [before, ...rest] = own;
  for (const entry of own.slice(1)) {
    const sent = before;
    if (sent === undefined || !isFree(entry, queue, now)) break;
    // as all that is behind it will be when it is confirmed
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

/** Stands for a version that nobody knows yet. */
const ITS_VERSION = 'after';

/** False where the change before it may hide what somebody else has changed: the server is to compare with an older version. */
function followsVersion(change: Change): boolean {
  return 'base' in change && change.base?.version === ITS_VERSION;
}
