import { backoff, SERVER_ERRORS_LIMIT, SERVER_ERRORS_PERIOD } from './backoff.ts';
import { UNSETTLED } from '../protocol/unsettled.ts';
import { adding, isDeliveryUnknown, isExported, rulingOut, UNSENT } from './delivery.ts';
import type { Events, Moment, ServerError } from './events.ts';
import {
  type Change,
  type EntryIn,
  filesOf,
  type OutboxEntry,
  type Phase,
  type PhaseFacts,
  type Reason,
} from './vocabulary.ts';

/** The transitions of `lifecycle.ts` that take more than a line. Only that module uses them. */

/** How long the server may keep executing an aborted or disconnected request. PHP ends it after 30 s. Milliseconds. */
export const AFTERMATH = 30_000;

/** Counts the attempt and records when it will certainly have ended. */
export function attempted(entry: OutboxEntry, { now, timesOutAt }: Events['attempt']): OutboxEntry {
  return {
    ...into('sending', entry, { ...errorsOf(entry), ...reasonOf(entry) }),
    attempts: entry.attempts + 1,
    lastAttemptAt: now,
    attemptEndsBy: timesOutAt + AFTERMATH,
  };
}

/** Moves an entry to a phase with that phase's facts. Drops the facts of the previous phase. */
export function into<P extends Phase>(state: P, entry: OutboxEntry, facts: PhaseFacts[P]): EntryIn<P> {
  const stays = without(entry, 'notBefore', 'reason', 'serverErrors', 'conflict', 'candidates', 'receipt');
  return { ...stays, ...facts, state } as unknown as EntryIn<P>;
}

export function reasonOf({ reason }: OutboxEntry): { reason?: Reason } {
  return reason === undefined ? {} : { reason };
}

export function errorsOf({ serverErrors }: OutboxEntry): Pick<PhaseFacts['pending'], 'serverErrors'> {
  return serverErrors === undefined ? {} : { serverErrors };
}

function pendingFacts(entry: OutboxEntry): PhaseFacts['pending'] {
  const { notBefore } = entry;
  return { ...reasonOf(entry), ...errorsOf(entry), ...(notBefore === undefined ? {} : { notBefore }) };
}

export function unknown(entry: OutboxEntry): OutboxEntry {
  return { ...entry, delivery: adding(entry.delivery, 'attempt') };
}

export function delivered(entry: OutboxEntry, { receipt }: Events['delivered']): OutboxEntry {
  const { merged = [] } = entry;
  const told = merged.length === 0 ? receipt : { ...receipt, merged };
  const rest = without(entry, 'merged', 'attemptEndsBy', 'baselineIds', 'acceptedMessage', 'earlier', 'discarded');
  return { ...into('done', rest, { receipt: told }), delivery: UNSENT };
}

/** Gives a change with files its own backoff, longer than the queue's, so that smaller changes go first. */
export function linkFault(entry: OutboxEntry, { now, random, reason }: Events['link-fault']): OutboxEntry {
  const facts = { ...errorsOf(entry), reason };
  if (filesOf(entry).length === 0) return unanswered(entry, facts, now);
  return unanswered(entry, { ...facts, notBefore: now + backoff(entry.attempts + 1, random) }, now);
}

/** Marks the delivery as unknown. The request may still be executing for a while. */
function unanswered(entry: OutboxEntry, facts: PhaseFacts['pending'], now: number): OutboxEntry {
  // measured from here: the clock may have jumped since the attempt began
  return { ...unknown(into('pending', entry, facts)), attemptEndsBy: now + AFTERMATH, lastAttemptAt: now };
}

export function serverError(entry: OutboxEntry, { now, random, status, message }: Moment & ServerError): OutboxEntry {
  const since = entry.serverErrors?.since ?? now;
  const count = (entry.serverErrors?.count ?? 0) + 1;
  const serverErrors = { count, since };
  const reason: Reason = { code: 'server-error', status, message };
  const doubtful = unanswered(entry, { serverErrors, reason, notBefore: now + backoff(count, random) }, now);
  if (count < SERVER_ERRORS_LIMIT || now - since < SERVER_ERRORS_PERIOD) return doubtful;
  return into('attention', doubtful, { reason: { ...reason, code: 'server-errors' } });
}

/** The first rebase is sent at once. */
export function rebaseWait({ rebases = 0 }: OutboxEntry, pause: Moment | undefined): { notBefore?: number } {
  return pause === undefined || rebases === 0 ? {} : { notBefore: pause.now + backoff(rebases, pause.random) };
}

export function toldToWait(entry: OutboxEntry, { now, random, outcome }: Events['told-to-wait']): OutboxEntry {
  const reason: Reason = { code: outcome.isUnsettled ? UNSETTLED : 'busy', message: outcome.message };
  if (!outcome.mayBeDone) return { ...notAttempted(entry), reason } as OutboxEntry;
  const facts = { ...errorsOf(entry), reason };
  if (outcome.scope === 'queue') return unanswered(entry, facts, now);
  return unanswered(entry, { ...facts, notBefore: now + (outcome.retryAfter || backoff(entry.attempts, random)) }, now);
}

/** Uncounts the attempt, because the server did not process the change. */
export function notAttempted(entry: OutboxEntry): OutboxEntry {
  return { ...into('pending', entry, errorsOf(entry)), attempts: Math.max(0, entry.attempts - 1) };
}

export function crashed(entry: OutboxEntry, { now, random, message }: Events['crashed']): OutboxEntry {
  const lost = entry.state === 'sending' ? unknown(entry) : entry;
  const notBefore = now + backoff(Math.max(1, entry.attempts), random);
  const reason: Reason = { code: 'server-error', message };
  return { ...into('pending', lost, { ...errorsOf(entry), notBefore, reason }), lastAttemptAt: now };
}

/**
 * Makes the change due. Keeps its key: a refusal is not stored under a key, and a slow first request may arrive after the
 * repeat. After the answer "none of these rows" the change starts over as never sent, under a new key.
 */
export function retry(entry: OutboxEntry, { idempotencyKey }: Events['retry']): OutboxEntry {
  const freed = into('pending', entry, {});
  if (entry.candidates === undefined) return freed;
  return { ...without(freed, 'baselineIds', 'earlier'), delivery: UNSENT, attempts: 0, idempotencyKey };
}

/** Replaces the payload. What this device, or one with a copy, may have sent before stays possible. */
export function repair(entry: OutboxEntry, { change, title }: Events['repair']): OutboxEntry {
  const fresh = without(into('pending', entry, {}), 'acceptedMessage', 'merged', 'lastAttemptAt', 'earlier');
  const isOpen = isDeliveryUnknown(entry);
  const mayBeThere = isOpen || isExported(entry);
  const delivery = adding(entry.delivery, 'repair', ...(mayBeThere ? (['earlier-payload'] as const) : []));
  const repaired = { ...fresh, ...(mayBeThere ? earlierOf(entry) : {}), change, title, delivery };
  return isOpen ? repaired : { ...without(repaired, 'attemptEndsBy', 'baselineIds'), attempts: 0 };
}

/** The one payload that the server may have. Absent once a repaired payload was attempted too: then there are several. */
function earlierOf({ change, delivery, earlier, lastAttemptAt }: OutboxEntry): { earlier?: Change } {
  if (!delivery.includes('earlier-payload')) return { earlier: change };
  return earlier === undefined || lastAttemptAt !== undefined ? {} : { earlier };
}

/** Drops the earlier payload once its fate is known. Another device may still send a copy of an exported one. */
export function withoutEarlier(entry: OutboxEntry): OutboxEntry {
  const { delivery } = entry;
  return {
    ...without(entry, 'earlier'),
    delivery: isExported(entry) ? delivery : rulingOut(delivery, 'earlier-payload'),
  };
}

export function imported(entry: OutboxEntry): OutboxEntry {
  const delivery = adding(entry.delivery, 'export');
  if (entry.state === 'attention') return { ...entry, delivery };
  const tried = { ...into('pending', entry, errorsOf(entry)), attempts: Math.max(1, entry.attempts) };
  return { ...tried, delivery: adding(delivery, 'attempt') };
}

/** Begins the time to undo anew after the clock was set back: it takes as long as before. */
export function waitAnew(entry: OutboxEntry, { now }: Events['set-back']): OutboxEntry {
  const { notBefore = now, createdAt } = entry;
  return { ...entry, createdAt: now, notBefore: now + notBefore - createdAt } as OutboxEntry;
}

/** Waits for the end of the last attempt. Counts it as begun where it would have by the clock of now, which may have jumped. */
export function readBackLater(entry: OutboxEntry, { until }: Events['read-back-later']): OutboxEntry {
  const { lastAttemptAt = 0, attemptEndsBy = until } = entry;
  const since = until - (attemptEndsBy - lastAttemptAt);
  const later = into('pending', entry, { ...pendingFacts(entry), notBefore: until });
  return until === attemptEndsBy
    ? later
    : { ...later, lastAttemptAt: since, attemptEndsBy: until, waitedAnew: entry.attempts };
}

export function noAnswer(message: string): Reason {
  return { code: 'no-answer', message };
}

/** Returns the entry without some of its facts. */
function without<E extends OutboxEntry>(entry: E, ...facts: readonly (keyof OutboxEntry)[]): E {
  const rest: Partial<Record<keyof OutboxEntry, unknown>> = { ...entry };
  for (const fact of facts) delete rest[fact];
  return rest as E;
}
