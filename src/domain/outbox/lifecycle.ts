import { adding, rulingOut } from './delivery.ts';
import type { EventName, Events, LifeEvent, Moment } from './events.ts';
import {
  attempted,
  crashed,
  delivered,
  errorsOf,
  imported,
  into,
  linkFault,
  noAnswer,
  notAttempted,
  readBackLater,
  reasonOf,
  rebaseWait,
  repair,
  retry,
  serverError,
  toldToWait,
  unknown,
  waitAnew,
  withoutEarlier,
} from './transitions.ts';
import type { OutboxEntry, Outcome, Phase, Reason } from './vocabulary.ts';

/**
 * THE state table of a change: what each event does in each phase. Only `apply` writes a phase; other code reports events.
 * `npm run lifecycle` prints the table into docs/outbox.md.
 */

interface Rule<E extends EventName> {
  /** The allowed transitions: the source phase, and its possible target phases. */
  readonly moves: Readonly<Partial<Record<Phase, readonly Phase[]>>>;
  readonly apply: (entry: OutboxEntry, event: Events[E]) => OutboxEntry;
}

/**
 * The rules by event. The comment above each is printed into the table of the documentation. It is a comment, not a
 * string, to keep it out of the worker's bundle.
 */
export const LIFECYCLE: { readonly [E in EventName]: Rule<E> } = {
  /** counts the attempt and records when it times out */
  attempt: {
    moves: { pending: ['sending'] },
    apply: attempted,
  },
  /** stores the receipt; delivery is known */
  delivered: {
    moves: { pending: ['done'], sending: ['done'], attention: ['done'] },
    apply: delivered,
  },
  /** keeps the message until the list reveals the id */
  accepted: {
    moves: { sending: ['pending'] },
    apply: (entry, { message }) => unknown(into('pending', { ...entry, acceptedMessage: message }, reasonOf(entry))),
  },
  /** delivery unknown; a change with files backs off by itself */
  'link-fault': {
    moves: { pending: ['pending'], sending: ['pending'] },
    apply: linkFault,
  },
  /** delivery unknown, backoff; ten over at least half an hour need attention */
  'server-error': {
    moves: { pending: ['pending', 'attention'], sending: ['pending', 'attention'] },
    apply: serverError,
  },
  /** waits as told; delivery unknown, unless the answer says that nothing was executed */
  'told-to-wait': {
    moves: { pending: ['pending'], sending: ['pending'] },
    apply: toldToWait,
  },
  /** does not count as an attempt; waits for the sign-in; delivery unknown, as the browser may have repeated the request */
  'signed-out': {
    moves: { pending: ['pending'], sending: ['pending'] },
    apply: (entry) => (entry.state === 'sending' ? unknown(notAttempted(entry)) : notAttempted(entry)),
  },
  /** does not count as an attempt; something must come first, such as staging its files again */
  'not-tried': {
    moves: { sending: ['pending'] },
    apply: (entry) => notAttempted(entry),
  },
  /** the server refused this attempt, so its delivery is known */
  refused: {
    moves: { pending: ['attention'], sending: ['attention'] },
    apply: (entry, { reason }) => ({
      ...into('attention', entry, { reason }),
      delivery: rulingOut(entry.delivery, 'attempt'),
    }),
  },
  /** the record has changed, and the two versions are not compared yet */
  stale: {
    moves: { sending: ['pending'] },
    apply: (entry, { reason }) => into('pending', entry, { reason }),
  },
  /** delivery unknown; the sender died during the attempt */
  'sender-lost': {
    moves: { sending: ['pending'] },
    apply: (entry) =>
      unknown(into('pending', entry, { ...errorsOf(entry), reason: noAnswer('Sending was interrupted.') })),
  },
  /** does not count as an attempt; backoff as after a server error */
  'preflight-failed': {
    moves: { pending: ['pending', 'attention'] },
    apply: (entry, event) => ({ ...serverError(entry, event), delivery: entry.delivery, lastAttemptAt: event.now }),
  },
  /** backs off after an unexpected error, so that the others continue */
  crashed: {
    moves: { pending: ['pending'], sending: ['pending'] },
    apply: crashed,
  },
  /** cannot be sent as it is; an unknown delivery stays unknown */
  held: {
    moves: { pending: ['attention'], sending: ['attention'] },
    apply: (entry, { reason, candidates }) =>
      into('attention', entry, candidates === undefined ? { reason } : { reason, candidates }),
  },
  /** keeps the server's version for the comparison */
  conflict: {
    moves: { pending: ['attention'], sending: ['attention'] },
    apply: (entry, { found }) => into('attention', entry, { reason: CHANGED_SINCE, conflict: found }),
  },
  /** rebased onto the server's version; the last answer was definite; backoff if that happens again and again */
  rebased: {
    moves: { sending: ['pending'] },
    apply: (entry, { change, idempotencyKey, merged, pause }) => ({
      ...into('pending', entry, { ...reasonOf(entry), ...rebaseWait(entry, pause) }),
      ...(pause && { rebases: (entry.rebases ?? 0) + 1 }),
      change,
      idempotencyKey,
      merged: [...new Set([...(entry.merged ?? []), ...merged])],
      delivery: rulingOut(entry.delivery, 'attempt'),
    }),
  },
  /** an earlier payload has arrived; the rest continues under a new key */
  'key-reused': {
    moves: { sending: ['pending'] },
    apply: (entry, { change, idempotencyKey }) => ({
      ...withoutEarlier(into('pending', entry, {})),
      change,
      idempotencyKey,
      delivery: rulingOut(entry.delivery, 'attempt', 'earlier-payload'),
    }),
  },
  /** waits until no earlier request can still be in flight */
  'read-back-later': {
    moves: { pending: ['pending'] },
    apply: readBackLater,
  },
  /** its time to undo begins anew */
  'set-back': {
    moves: { pending: ['pending'] },
    apply: waitAnew,
  },
  /** is due now, under its own key; after the answer “none of these rows” it counts as never sent */
  retry: {
    moves: { pending: ['pending'], attention: ['pending'] },
    apply: retry,
  },
  /** ends the wait */
  hurry: {
    moves: { pending: ['pending'] },
    apply: (entry) => into('pending', entry, { ...errorsOf(entry), ...reasonOf(entry) }),
  },
  /** applies the decision on top of the server's version */
  resolve: {
    moves: { attention: ['pending'] },
    apply: (entry, { change, idempotencyKey }) => ({ ...into('pending', entry, {}), change, idempotencyKey }),
  },
  /** replaces the payload under the same key */
  repair: {
    moves: { attention: ['pending'] },
    apply: repair,
  },
  /** a queue file holds a copy, so payload and key stay fixed */
  export: {
    moves: { pending: ['pending'], sending: ['sending'], attention: ['attention'] },
    apply: (entry) => ({ ...entry, delivery: adding(entry.delivery, 'export') }),
  },
  /** the other device may have sent it; attention stays attention */
  import: {
    moves: { pending: ['pending'], sending: ['pending'], attention: ['attention'] },
    apply: imported,
  },
  /** the server has forgotten it; a later one may know it again, so payload and key stay fixed */
  again: {
    moves: { done: ['pending'] },
    apply: (entry, { change, again }) => ({ ...into('pending', entry, {}), change, again, delivery: ['export'] }),
  },
  /** the delete drops the earlier changes and records how many; it counts as attempted, so undo ends */
  moot: {
    moves: { pending: ['pending'] },
    apply: (entry, { change, tookAlong }) => ({ ...entry, change, tookAlong, attempts: 1 }),
  },
};

/** Applies an event. Returns the entry unchanged if its phase does not handle the event. */
export function apply(entry: OutboxEntry, event: LifeEvent): OutboxEntry {
  const rule = LIFECYCLE[event.event];
  if (rule.moves[entry.state] === undefined) return entry;
  return (rule.apply as (entry: OutboxEntry, event: LifeEvent) => OutboxEntry)(entry, event);
}

/** Turns the outcome of an attempt into an event of its change. */
export function eventOf(outcome: Outcome, moment: Moment): LifeEvent {
  switch (outcome.kind) {
    case 'done': {
      const { message, serverId } = outcome;
      const receipt = { at: moment.now, message, ...(serverId === undefined ? {} : { serverId }) };
      return { event: 'delivered', receipt };
    }
    case 'unreachable':
      return { event: 'link-fault', ...moment, reason: { code: 'unreachable', message: outcome.message } };
    case 'uncertain':
      return outcome.status === undefined
        ? { event: 'link-fault', ...moment, reason: noAnswer(outcome.message) }
        : { event: 'server-error', ...moment, status: outcome.status, message: outcome.message };
    case 'busy':
      return { event: 'told-to-wait', ...moment, outcome };
    case 'signed-out':
      return { event: 'signed-out' };
    case 'refused':
      return { event: 'refused', reason: outcome.reason };
    case 'conflict':
      return { event: 'stale', reason: { code: 'conflict', message: outcome.message } };
    default:
      return outcome satisfies never;
  }
}

const CHANGED_SINCE: Reason = { code: 'conflict', message: 'The record has since changed on the server.' };
