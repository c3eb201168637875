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
  pendingFacts,
  reasonOf,
  repair,
  retry,
  serverError,
  toldToWait,
  unknown,
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
  /** counts the attempt and notes until when it may be at work */
  attempt: {
    moves: { pending: ['sending'] },
    apply: attempted,
  },
  /** leaves the receipt; nothing is unknown any more */
  delivered: {
    moves: { pending: ['done'], sending: ['done'], attention: ['done'] },
    apply: delivered,
  },
  /** keeps the message until the list has told the id */
  accepted: {
    moves: { sending: ['pending'] },
    apply: (entry, { message }) => unknown(into('pending', { ...entry, acceptedMessage: message }, reasonOf(entry))),
  },
  /** delivery unknown; with files it waits by itself (backoff) */
  'link-fault': {
    moves: { pending: ['pending'], sending: ['pending'] },
    apply: linkFault,
  },
  /** delivery unknown, backoff; ten over half an hour need the administrator */
  'server-error': {
    moves: { pending: ['pending', 'attention'], sending: ['pending', 'attention'] },
    apply: serverError,
  },
  /** waits as told; delivery unknown where it may have been passed on before */
  'told-to-wait': {
    moves: { pending: ['pending'], sending: ['pending'] },
    apply: toldToWait,
  },
  /** was no attempt; waits for the sign-in */
  'signed-out': {
    moves: { pending: ['pending'], sending: ['pending'] },
    apply: (entry) => notAttempted(entry),
  },
  /** was no attempt: something else has to come first, such as its files once more */
  'not-tried': {
    moves: { sending: ['pending'] },
    apply: (entry) => notAttempted(entry),
  },
  /** the server was asked and did not do it: no attempt is in doubt */
  refused: {
    moves: { pending: ['attention'], sending: ['attention'] },
    apply: (entry, { reason }) => ({
      ...into('attention', entry, { reason }),
      delivery: rulingOut(entry.delivery, 'attempt'),
    }),
  },
  /** the record has changed, and nothing could be compared yet */
  stale: {
    moves: { sending: ['pending'] },
    apply: (entry, { reason }) => into('pending', entry, { reason }),
  },
  /** delivery unknown: the sender went away in the middle of the attempt */
  'sender-lost': {
    moves: { sending: ['pending'] },
    apply: (entry) =>
      unknown(into('pending', entry, { ...errorsOf(entry), reason: noAnswer('Sending was interrupted.') })),
  },
  /** was no attempt; backoff as after a server error */
  'preflight-failed': {
    moves: { pending: ['pending', 'attention'] },
    apply: (entry, event) => ({ ...serverError(entry, event), delivery: entry.delivery, lastAttemptAt: event.now }),
  },
  /** waits (backoff), so that the others go on */
  crashed: {
    moves: { pending: ['pending'], sending: ['pending'] },
    apply: crashed,
  },
  /** cannot be sent as it is; what is unknown stays unknown */
  held: {
    moves: { pending: ['attention'], sending: ['attention'] },
    apply: (entry, { reason, candidates }) =>
      into('attention', entry, candidates === undefined ? { reason } : { reason, candidates }),
  },
  /** keeps what the server holds, for the comparison */
  conflict: {
    moves: { pending: ['attention'], sending: ['attention'] },
    apply: (entry, { facts }) => into('attention', entry, { reason: CHANGED_SINCE, conflict: facts }),
  },
  /** laid over what the server holds; the last answer was definite */
  rebased: {
    moves: { sending: ['pending'] },
    apply: (entry, { change, idempotencyKey, merged }) => ({
      ...into('pending', entry, reasonOf(entry)),
      change,
      idempotencyKey,
      merged: [...new Set([...(entry.merged ?? []), ...merged])],
      delivery: rulingOut(entry.delivery, 'attempt'),
    }),
  },
  /** an earlier payload had arrived: the rest goes on under a new key */
  'key-reused': {
    moves: { sending: ['pending'] },
    apply: (entry, { change, idempotencyKey }) => ({
      ...withoutEarlier(into('pending', entry, {})),
      change,
      idempotencyKey,
      delivery: rulingOut(entry.delivery, 'attempt', 'earlier-payload'),
    }),
  },
  /** waits until an earlier request can no longer be under way */
  'read-back-later': {
    moves: { pending: ['pending'] },
    apply: (entry, { until }) => into('pending', entry, { ...pendingFacts(entry), notBefore: until }),
  },
  /** is due now, under its own key; after the answer “none of these rows” it is sent like one that never was */
  retry: {
    moves: { pending: ['pending'], attention: ['pending'] },
    apply: retry,
  },
  /** ends its wait */
  hurry: {
    moves: { pending: ['pending'] },
    apply: (entry) => into('pending', entry, { ...errorsOf(entry), ...reasonOf(entry) }),
  },
  /** what was decided goes on top of what the server held */
  resolve: {
    moves: { attention: ['pending'] },
    apply: (entry, { change, idempotencyKey }) => ({ ...into('pending', entry, {}), change, idempotencyKey }),
  },
  /** another payload takes its place, under the same key */
  repair: {
    moves: { attention: ['pending'] },
    apply: repair,
  },
  /** a queue file holds a copy: payload and key stay as they are */
  export: {
    moves: { pending: ['pending'], sending: ['sending'], attention: ['attention'] },
    apply: (entry) => ({ ...entry, delivery: adding(entry.delivery, 'export') }),
  },
  /** the other device may have sent it; what needs the administrator does so here too */
  import: {
    moves: { pending: ['pending'], sending: ['pending'], attention: ['attention'] },
    apply: imported,
  },
  /** the deletion has taken what came before it along, and says how much: it counts as tried, there is no undo any more */
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
