import type { Change, ConflictFacts, Outcome, Reason, Receipt } from './vocabulary.ts';

/** When something happened, in epoch milliseconds, and the chance of that moment, from 0 up to 1. */
export interface Moment {
  readonly now: number;
  readonly random: number;
}

export interface ServerError {
  readonly status: number;
  readonly message: string;
}

/** What can happen to a change, and what has to be known of it. */
export interface Events {
  /** The attempt is committed, its request goes out; it is given up at `timesOutAt`. */
  readonly attempt: { readonly now: number; readonly timesOutAt: number };
  readonly delivered: { readonly receipt: Receipt };
  /** Confirmed without the new record's id, which the list has to tell. */
  readonly accepted: { readonly message: string };
  readonly 'link-fault': Moment & { readonly reason: Reason };
  readonly 'server-error': Moment & ServerError;
  readonly 'told-to-wait': Moment & { readonly outcome: Outcome & { kind: 'busy' } };
  readonly 'signed-out': object;
  /** The server did not carry it out, and does not refuse it: something else has to come first. */
  readonly 'not-tried': object;
  readonly refused: { readonly reason: Reason };
  readonly stale: { readonly reason: Reason };
  readonly 'sender-lost': object;
  /** Something that has to be known first could not be found out. */
  readonly 'preflight-failed': Moment & ServerError;
  /** Nobody foresaw it. */
  readonly crashed: Moment & { readonly message: string };
  /** It cannot be sent as it is; what the server has of it is not told by that. */
  readonly held: { readonly reason: Reason; readonly candidates?: readonly number[] };
  readonly conflict: { readonly facts: ConflictFacts };
  /** It was laid over what the server holds now. */
  readonly rebased: { readonly change: Change; readonly idempotencyKey: string; readonly merged: readonly string[] };
  /** Its key has carried out another payload: what is left of it goes on under a key of its own. */
  readonly 'key-reused': { readonly change: Change; readonly idempotencyKey: string };
  readonly 'read-back-later': { readonly until: number };
  readonly retry: { readonly idempotencyKey: string };
  readonly hurry: object;
  readonly resolve: { readonly change: Change; readonly idempotencyKey: string };
  readonly repair: { readonly change: Change; readonly title: string };
  readonly export: object;
  readonly import: object;
  readonly moot: { readonly change: Change; readonly tookAlong: number };
}

export type EventName = keyof Events;

/** Something that happened to a change. */
export type LifeEvent = { [E in EventName]: { readonly event: E } & Events[E] }[EventName];
