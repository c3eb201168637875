import { device } from '../../api/device.ts';
import { type ChangeDraft, outbox } from '../../api/outbox.ts';
import { keptAfterFault } from '../../domain/messages.ts';
import { mayBeDelivered } from '../../domain/outbox/delivery.ts';
import { isForWifi } from '../../domain/outbox/progress.ts';
import { answeredFault } from '../../domain/outbox/status.ts';
import type { OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import { askForSignIn, useSession } from '../../stores/session.ts';
import type { FieldErrors } from '../../domain/validate.ts';
import { storageFailure } from '../told.ts';
import { msg, say, t } from '../../language/t.ts';

const STILL_HERE = msg('Nothing was saved. What you typed is still here.');

/** What became of a pressed Save, for the form. */
export type SaveResult =
  /** The server confirmed it. */
  | { readonly kind: 'saved'; readonly message: string }
  /** Durable on this device; no answer yet, perhaps since its files wait for Wi-Fi. */
  | { readonly kind: 'on-device'; readonly forWifi?: true }
  /** Durable on this device; the server answered with a fault of its own, and the change is tried again. */
  | { readonly kind: 'kept-after-fault'; readonly message: string }
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
  /** The change is durable on this device: leaving the form does not lose it any more. */
  readonly onStored: (entry: OutboxEntry) => void;
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
  const before = Date.now();
  let entry: OutboxEntry;
  try {
    entry = await (repairing === undefined ? outbox.enqueue(draft, about) : outbox.repair(repairing, draft, about));
  } catch (failure) {
    return { kind: 'not-stored', message: storageFailure(failure, say(STILL_HERE)) };
  }
  const fresh = repairing === undefined && entry.createdAt >= before;
  form?.onStored(entry);
  const followed = await followPastSignIn(entry.id).catch((failure: unknown) => {
    // it is stored, and that is all that is known
    console.error('The change cannot be followed.', failure);
    return entry;
  });
  const fault = faultSince(before, followed);
  if (fault !== undefined) return { kind: 'kept-after-fault', message: keptAfterFault(fault) };
  return resultOf(followed, fresh && form?.isOpen() !== false);
}

/** What the server said where it answered with a fault since then (epoch milliseconds), and the change is to be tried again. */
export function faultSince(time: number, entry: OutboxEntry): string | undefined {
  return (entry.lastAttemptAt ?? 0) < time ? undefined : answeredFault(entry);
}

/** Follows the change; where the session has ended the sign-in comes over the form, and the change goes on after it. */
async function followPastSignIn(entryId: string): Promise<OutboxEntry> {
  const followed = await outbox.follow(entryId);
  if (['done', 'attention'].includes(followed.state)) return followed;
  const { pause } = await (await device()).queueState();
  return pause?.cause === 'signed-out' && (await signedInAgain()) ? outbox.follow(entryId) : followed;
}

/** Asks for the sign-in. False when it is put off: the change then waits on this device. */
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

async function resultOf(entry: OutboxEntry, fresh: boolean): Promise<SaveResult> {
  if (entry.state === 'done') return { kind: 'saved', message: entry.receipt?.message ?? '' };
  if (entry.conflict !== undefined) return { kind: 'conflict', entryId: entry.id };
  if (entry.state !== 'attention') return { kind: 'on-device', ...((await waitsForWifi(entry)) && { forWifi: true }) };
  const message = entry.reason?.message ?? t('The server refused this change.');
  const errors = entry.reason?.errors ?? {};
  // what may be on the server keeps its key and its place, and so does what the storage holds on to
  const isBack = fresh && !mayBeDelivered(entry) && (await isWithdrawn(entry.id));
  return { kind: 'returned', message, errors, ...(isBack ? {} : { repairing: entry.id }) };
}

/** False too where that cannot be told: that the change is stored is what counts. */
async function waitsForWifi(entry: OutboxEntry): Promise<boolean> {
  try {
    const { travel } = await (await device()).queueState();
    return isForWifi(entry, travel);
  } catch {
    return false;
  }
}

async function isWithdrawn(entryId: string): Promise<boolean> {
  try {
    await outbox.withdraw(entryId);
    return true;
  } catch (failure) {
    console.error('The refused change stays in the queue.', failure);
    return false;
  }
}
