import { without } from '../../domain/outbox/advance.ts';
import { compare, hasSameImages, isUnchanged } from '../../domain/outbox/conflict.ts';
import { mayHaveArrived } from '../../domain/outbox/scheduler.ts';
import { filesOf } from '../../domain/outbox/optimistic-view.ts';
import type { Base, Change, DeleteImageChange, OutboxEntry } from '../../domain/outbox/vocabulary.ts';

/** A change that is measured against what the server holds: all but creating. */
export type Comparable = Extract<Change, { base?: Base }>;

/** What becomes of a change once it is known what the server holds. */
export type Reconciled =
  /** As it was made, or with the fields taken over that only the server's side had changed. */
  | { readonly kind: 'go'; readonly entry: OutboxEntry; readonly merged: readonly string[] }
  | { readonly kind: 'conflict'; readonly entry: OutboxEntry }
  /** The image that is to be removed is not there any more. */
  | { readonly kind: 'gone' };

/** Lays a change over what the server holds now. Only a field that was changed on both sides stands in the way. */
export function reconcile(entry: OutboxEntry, change: Comparable, theirs: Base, now: number): Reconciled {
  if (change.op === 'delete') {
    if (change.base !== undefined && !isUnchanged(change.base, theirs)) return conflict(entry, theirs, now);
    return { kind: 'go', entry: { ...entry, change: { ...change, base: theirs } }, merged: [] };
  }
  if (change.op === 'delete-image') return reconcileImage(entry, change, theirs, now);
  // what an attempt in doubt may have put there is not someone else's
  const { conflicts, merged, kept } = compare(mayHaveArrived(entry) ? withoutOwnFiles(entry, change) : change, theirs);
  if (conflicts.length > 0) return conflict(entry, theirs, now);
  return { kind: 'go', entry: { ...entry, change: { ...change, values: merged, base: theirs } }, merged: kept };
}

/** Texts that were changed since are no reason to ask again; other images are. */
function reconcileImage(entry: OutboxEntry, change: DeleteImageChange, theirs: Base, now: number): Reconciled {
  if (!theirs.imageIds.includes(change.imageId)) return { kind: 'gone' };
  if (change.base !== undefined && !hasSameImages(change.base, theirs)) return conflict(entry, theirs, now);
  return { kind: 'go', entry: { ...entry, change: { ...change, base: theirs } }, merged: [] };
}

function conflict(entry: OutboxEntry, theirs: Base, now: number): Reconciled {
  const reason = { code: 'conflict', message: 'The record was changed on the server since.' } as const;
  const facts = { theirs, foundAt: now };
  return {
    kind: 'conflict',
    entry: { ...without(entry, 'notBefore', 'serverErrors'), state: 'conflict', conflict: facts, reason },
  };
}

function withoutOwnFiles(entry: OutboxEntry, change: Comparable): Comparable {
  const own = filesOf(entry).map(({ field }) => field);
  const { base } = change;
  if (base?.files === undefined) return change;
  const files = Object.fromEntries(Object.entries(base.files).filter(([field]) => !own.includes(field)));
  return { ...change, base: { ...base, files } } as Comparable;
}
