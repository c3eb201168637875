import { compare, hasSameImages, isUnchanged } from '../../domain/outbox/conflict.ts';
import { mayBeDelivered } from '../../domain/outbox/delivery.ts';
import type { Base, Change, OutboxEntry } from '../../domain/outbox/vocabulary.ts';

/** A change with a base to compare: everything but a create. */
export type Comparable = Extract<Change, { base?: Base }>;

/** The result of comparing a change with the server's record. */
export type Reconciled =
  /** The change as it was made, or rebased with fields that only the server's side had changed. */
  | { readonly kind: 'go'; readonly change: Comparable; readonly merged: readonly string[] }
  | { readonly kind: 'conflict' }
  /** The image to delete no longer exists. */
  | { readonly kind: 'gone' };

const CONFLICT: Reconciled = { kind: 'conflict' };

/** Rebases a change onto the server's record. Only a field edited on both sides is a conflict. */
export function reconcile(entry: OutboxEntry, change: Comparable, theirs: Base): Reconciled {
  const { base } = change;
  const go = (laidOver: Comparable): Reconciled => ({ kind: 'go', change: laidOver, merged: [] });
  switch (change.op) {
    case 'delete':
      return base !== undefined && isUnchanged(base, theirs) ? go({ ...change, base: theirs }) : CONFLICT;
    case 'delete-image':
      // the image itself was seen, and never changes; edited texts do not conflict with its deletion, other images do
      if (theirs.imageIds?.includes(change.imageId) !== true) return { kind: 'gone' };
      return base?.imageIds === undefined || hasSameImages(base, theirs) ? go({ ...change, base: theirs }) : CONFLICT;
    case 'update': {
      const { conflicts, merged, kept } = compare(change, theirs);
      // what an attempt with unknown delivery may have written is not someone else's edit
      const own = mayBeDelivered(entry) ? change.files.map(({ field }) => field) : [];
      if (conflicts.some((field) => !own.includes(field))) return CONFLICT;
      return { kind: 'go', change: { ...change, values: merged, base: theirs }, merged: kept };
    }
    default:
      return change satisfies never;
  }
}
