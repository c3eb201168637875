import { compare, hasSameImages, isUnchanged } from '../../domain/outbox/conflict.ts';
import { mayBeDelivered } from '../../domain/outbox/delivery.ts';
import { type Base, type Change, filesOf, type OutboxEntry } from '../../domain/outbox/vocabulary.ts';

/** A change that is measured against what the server holds: all but creating. */
export type Comparable = Extract<Change, { base?: Base }>;

/** What becomes of a change once it is known what the server holds. */
export type Reconciled =
  /** As it was made, or with the fields taken over that only the server's side had changed. */
  | { readonly kind: 'go'; readonly change: Comparable; readonly merged: readonly string[] }
  | { readonly kind: 'conflict' }
  /** The image that is to be removed is not there any more. */
  | { readonly kind: 'gone' };

const CONFLICT: Reconciled = { kind: 'conflict' };

/** Lays a change over what the server holds now. Only a field that was changed on both sides stands in the way. */
export function reconcile(entry: OutboxEntry, change: Comparable, theirs: Base): Reconciled {
  const { base } = change;
  const go = (laidOver: Comparable): Reconciled => ({ kind: 'go', change: laidOver, merged: [] });
  switch (change.op) {
    case 'delete':
      return base === undefined || isUnchanged(base, theirs) ? go({ ...change, base: theirs }) : CONFLICT;
    case 'delete-image':
      // texts that were changed since are no reason to ask again; other images are
      if (!theirs.imageIds.includes(change.imageId)) return { kind: 'gone' };
      return base === undefined || hasSameImages(base, theirs) ? go({ ...change, base: theirs }) : CONFLICT;
    case 'update': {
      // what an attempt in doubt may have put there is not someone else's
      const mine = mayBeDelivered(entry) ? withoutOwnFiles(entry, change) : change;
      const { conflicts, merged, kept } = compare(mine, theirs);
      if (conflicts.length > 0) return CONFLICT;
      return { kind: 'go', change: { ...change, values: merged, base: theirs }, merged: kept };
    }
    default:
      return change satisfies never;
  }
}

function withoutOwnFiles(entry: OutboxEntry, change: Comparable): Comparable {
  const own = filesOf(entry).map(({ field }) => field);
  const { base } = change;
  if (base?.files === undefined) return change;
  const files = Object.fromEntries(Object.entries(base.files).filter(([field]) => !own.includes(field)));
  return { ...change, base: { ...base, files } } as Comparable;
}
