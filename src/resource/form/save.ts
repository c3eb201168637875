import { type ChangeDraft, FileUnreadableError, outbox, StorageFullError } from '../../api/outbox.ts';
import type { OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import type { FieldErrors } from '../../domain/validate.ts';

/** What became of a pressed Save, for the form. */
export type SaveResult =
  /** The server confirmed it. */
  | { readonly kind: 'saved'; readonly message: string }
  /** Durable on this device; no answer yet. */
  | { readonly kind: 'on-device' }
  /** Refused while the form is open. `repairing` is the entry that stays in the queue and is mended by the next save. */
  | { readonly kind: 'returned'; readonly message: string; readonly errors: FieldErrors; readonly repairing?: string }
  /** The record changed on the server meanwhile. */
  | { readonly kind: 'conflict'; readonly entryId: string }
  /** Nothing was stored: no room, or a file that can't be read. */
  | { readonly kind: 'not-stored'; readonly message: string };

export interface SaveAbout {
  readonly administrator: string;
  readonly title: string;
}

/** The form that waits for the outcome. */
export interface WaitingForm {
  /** The change is durable on this device: leaving the form loses nothing any more. */
  readonly onStored: () => void;
  /** False once the form was left: a refused change then stays in the outbox. */
  readonly isOpen: () => boolean;
}

/**
 * Saves a change through the outbox and follows it for a moment. `repairing` names a refused entry that this save mends.
 * A fresh change that is refused goes back into the form, and nothing stays queued; one that was merged into an earlier
 * change, or that repairs one, stays where it is.
 */
export async function saveChange(
  draft: ChangeDraft,
  about: SaveAbout,
  repairing?: string,
  form?: WaitingForm,
): Promise<SaveResult> {
  try {
    const before = Date.now();
    const entry = await (repairing === undefined
      ? outbox.enqueue(draft, about)
      : outbox.repair(repairing, draft, about));
    const fresh = repairing === undefined && entry.createdAt >= before;
    form?.onStored();
    const followed = await outbox.follow(entry.id);
    return await resultOf(followed, fresh && form?.isOpen() !== false);
  } catch (error) {
    if (error instanceof StorageFullError || error instanceof FileUnreadableError) {
      return { kind: 'not-stored', message: error.message };
    }
    throw error;
  }
}

async function resultOf(entry: OutboxEntry, fresh: boolean): Promise<SaveResult> {
  if (entry.state === 'done') return { kind: 'saved', message: entry.receipt?.message ?? '' };
  if (entry.state === 'conflict') return { kind: 'conflict', entryId: entry.id };
  if (entry.state !== 'refused') return { kind: 'on-device' };
  const message = entry.reason?.message ?? 'The server refused this change.';
  const errors = entry.reason?.errors ?? {};
  if (!fresh) return { kind: 'returned', message, errors, repairing: entry.id };
  await outbox.withdraw(entry.id);
  return { kind: 'returned', message, errors };
}
