import { device } from '../../api/device.ts';
import { type ChangeDraft, outbox, StorageFullError } from '../../api/outbox.ts';
import { asSentence, keptAfterFault } from '../../domain/messages.ts';
import { mayBeDelivered } from '../../domain/outbox/delivery.ts';
import { refusalErrors } from '../../domain/outbox/refusal-errors.ts';
import { faultSince } from '../../domain/outbox/status.ts';
import type { OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import { askForSignIn, useSession } from '../../stores/session.ts';
import type { FieldErrors } from '../../domain/validate.ts';
import { savedOnDevice } from '../saved-words.ts';
import { storageFailure } from '../told.ts';
import { msg, say, t } from '../../language/t.ts';

const STILL_HERE = msg('Nothing was saved. What you typed is still here.');

/** Why nothing was stored. `isFull` if the device has no space. */
export interface NotStored {
  readonly message: string;
  readonly isFull?: true;
}

/** The outcome of Save, for the form. */
export type SaveResult =
  /** The server confirmed it. */
  | { readonly kind: 'saved'; readonly message: string }
  /** Durable on this device without an answer yet. The message says what it waits for. */
  | { readonly kind: 'on-device'; readonly message: string }
  /** Durable on this device. The server failed and the change will be retried, or it refused what several forms have edited. */
  | { readonly kind: 'kept-after-fault'; readonly message: string }
  /** Refused while the form is open. `repairing` is the entry that stays in the queue for the next save to repair. */
  | { readonly kind: 'returned'; readonly message: string; readonly errors: FieldErrors; readonly repairing?: string }
  /** The record has changed on the server. */
  | { readonly kind: 'conflict'; readonly entryId: string }
  /** Nothing was stored: no space, or an unreadable file. */
  | ({ readonly kind: 'not-stored' } & NotStored);

export interface SaveAbout {
  readonly administrator: string;
  readonly title: string;
}

/** The form waiting for the outcome. */
export interface WaitingForm {
  /** Called once the change is durable: leaving the form no longer loses it. */
  readonly onStored: (entry: OutboxEntry) => void;
  /** False once the form was left. A refused change then stays in the outbox. */
  readonly isOpen: () => boolean;
}

/**
 * Saves a change through the outbox and follows it for a moment. `repairing` names a refused entry that this save repairs. A
 * refused fresh change returns to the form and leaves the queue; one that was merged into an earlier change, or that repairs
 * one, stays queued.
 */
export async function saveChange(
  draft: ChangeDraft,
  about: SaveAbout,
  repairing?: string,
  form?: WaitingForm,
): Promise<SaveResult> {
  const before = Date.now();
  let entry: OutboxEntry;
  try {
    entry = await (repairing === undefined ? outbox.enqueue(draft, about) : outbox.repair(repairing, draft, about));
  } catch (failure) {
    const message = storageFailure(failure, say(STILL_HERE));
    return { kind: 'not-stored', message, ...(failure instanceof StorageFullError && { isFull: true }) };
  }
  const fresh = repairing === undefined && entry.createdAt >= before;
  form?.onStored(entry);
  const followed = await followPastSignIn(entry.id).catch((failure: unknown) => {
    // the change is stored; nothing more is known
    console.error('The change cannot be followed.', failure);
    return entry;
  });
  const fault = faultSince(before, followed);
  if (fault !== undefined) return { kind: 'kept-after-fault', message: keptAfterFault(fault) };
  return resultOf(followed, entry, fresh && form?.isOpen() !== false);
}

/** Follows the change. If the session has ended, asks for a sign-in over the form and follows again after it. */
async function followPastSignIn(entryId: string): Promise<OutboxEntry> {
  const followed = await outbox.follow(entryId);
  if (['done', 'attention'].includes(followed.state)) return followed;
  const { pause } = await (await device()).queueState();
  return pause?.cause === 'signed-out' && (await signedInAgain()) ? outbox.follow(entryId) : followed;
}

/** Asks for a sign-in. Resolves to false if the user postpones it: the change then waits on this device. */
function signedInAgain(): Promise<boolean> {
  const { token: before } = useSession.getState();
  askForSignIn();
  return new Promise((resolve) => {
    const stop = useSession.subscribe(({ token, signInAsked }) => {
      if (token === before && signInAsked) return;
      stop();
      resolve(token !== undefined && token !== before);
    });
  });
}

async function resultOf(entry: OutboxEntry, saved: OutboxEntry, fresh: boolean): Promise<SaveResult> {
  if (entry.state === 'done') return { kind: 'saved', message: entry.receipt?.message ?? '' };
  if (entry.conflict !== undefined) return { kind: 'conflict', entryId: entry.id };
  if (entry.state !== 'attention') return { kind: 'on-device', message: await savedOnDevice(entry) };
  const message = entry.reason?.message ?? t('The server refused this change.');
  const errors = refusalErrors(entry);
  // a repair from this form would undo what another one has edited in the new record meanwhile
  if (entry.mergedSaves !== saved.mergedSaves && entry.change.op === 'create') {
    return {
      kind: 'kept-after-fault',
      message: `${asSentence(say(message))} ${t('The refused change stays in the outbox.')}`,
    };
  }
  // a change that may be delivered, or that cannot be withdrawn, keeps its key and place in the queue
  const isBack = fresh && !mayBeDelivered(entry) && (await isWithdrawn(saved));
  return { kind: 'returned', message, errors, ...(isBack ? {} : { repairing: entry.id }) };
}

async function isWithdrawn(saved: OutboxEntry): Promise<boolean> {
  try {
    return await outbox.withdraw(saved);
  } catch (failure) {
    console.error('The refused change stays in the queue.', failure);
    return false;
  }
}
