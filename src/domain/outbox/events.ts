import type { Again } from '../protocol/kept.ts';
import type { Change, ConflictFacts, Outcome, Reason, Receipt } from './vocabulary.ts';

/** When something happened, in epoch milliseconds, and a random number from 0 up to 1 for the backoff. */
export interface Moment {
  readonly now: number;
  readonly random: number;
}

export interface ServerError {
  readonly status: number;
  readonly message: string;
}

/** What can happen to a change, with the data of each event. */
export interface Events {
  /** The attempt is committed and its request goes out. It times out at `timesOutAt`. */
  readonly attempt: { readonly now: number; readonly timesOutAt: number };
  readonly delivered: { readonly receipt: Receipt };
  /** Confirmed without the new record's id, which must be found in the list. */
  readonly accepted: { readonly message: string };
  readonly 'link-fault': Moment & { readonly reason: Reason };
  readonly 'server-error': Moment & ServerError;
  readonly 'told-to-wait': Moment & { readonly outcome: Outcome & { kind: 'busy' } };
  readonly 'signed-out': object;
  /** The server neither executed nor refused the change: something else has to come first. */
  readonly 'not-tried': object;
  readonly refused: { readonly reason: Reason };
  readonly stale: { readonly reason: Reason };
  readonly 'sender-lost': object;
  /** A preflight check failed. */
  readonly 'preflight-failed': Moment & ServerError;
  /** An unexpected error. */
  readonly crashed: Moment & { readonly message: string };
  /** The change cannot be sent as it is. This says nothing about what the server already has. */
  readonly held: { readonly reason: Reason; readonly candidates?: readonly number[] };
  readonly conflict: { readonly found: ConflictFacts };
  /** The change was rebased on the server's current record. */
  readonly rebased: {
    readonly change: Change;
    readonly idempotencyKey: string;
    readonly merged: readonly string[];
    /** The server had refused another version: one that differs at every read must not be asked for without a pause. */
    readonly pause?: Moment;
  };
  /** The server already applied another payload under this key. The remainder continues under a new key. */
  readonly 'key-reused': { readonly change: Change; readonly idempotencyKey: string };
  readonly 'read-back-later': { readonly until: number };
  /** The clock was set back to a time before the change was made. */
  readonly 'set-back': { readonly now: number };
  readonly retry: { readonly idempotencyKey: string };
  readonly hurry: object;
  readonly resolve: { readonly change: Change; readonly idempotencyKey: string };
  readonly repair: { readonly change: Change; readonly title: string };
  readonly export: object;
  readonly import: object;
  /** The server has forgotten it, and it is sent again. */
  readonly again: { readonly change: Change; readonly again: Again };
  readonly moot: { readonly change: Change; readonly tookAlong: number };
}

export type EventName = keyof Events;

/** An event in the life of a change. */
export type LifeEvent = { [E in EventName]: { readonly event: E } & Events[E] }[EventName];
