import { backoff, SERVER_ERRORS_LIMIT, SERVER_ERRORS_PERIOD } from './backoff.ts';
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

/** What the events of `lifecycle.ts` do, where it is more than a line. Nobody else calls these. */

/** How long a request that was given up, or has lost its connection, may still be at work: PHP ends one after 30 s. Milliseconds. */
const AFTERMATH = 30_000;

/** The attempt is counted; until when it may be at work is noted. */
export function attempted(entry: OutboxEntry, { now, timesOutAt }: Events['attempt']): OutboxEntry {
  return {
    ...into('sending', entry, { ...errorsOf(entry), ...reasonOf(entry) }),
    attempts: entry.attempts + 1,
    lastAttemptAt: now,
    attemptEndsBy: timesOutAt + AFTERMATH,
  };
}

/** The entry in a phase with that phase's facts; those of the phase that it leaves stay behind. */
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

export function pendingFacts(entry: OutboxEntry): PhaseFacts['pending'] {
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

/** A body that the link could not carry waits by itself, for longer than the queue does: smaller ones go first. */
export function linkFault(entry: OutboxEntry, { now, random, reason }: Events['link-fault']): OutboxEntry {
  const facts = { ...errorsOf(entry), reason };
  if (filesOf(entry).length === 0) return unanswered(entry, facts, now);
  return unanswered(entry, { ...facts, notBefore: now + backoff(entry.attempts + 1, random) }, now);
}

/** Nobody knows whether it was carried out. Something of it may still be under way for a while. */
function unanswered(entry: OutboxEntry, facts: PhaseFacts['pending'], now: number): OutboxEntry {
  const attemptEndsBy = Math.min(entry.attemptEndsBy ?? Number.POSITIVE_INFINITY, now + AFTERMATH);
  // a wait is measured from here, so that a clock that was set back since is noticed, also after a long sleep
  return { ...unknown(into('pending', entry, facts)), attemptEndsBy, lastAttemptAt: now };
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

export function toldToWait(entry: OutboxEntry, { now, random, outcome }: Events['told-to-wait']): OutboxEntry {
  const reason: Reason = { code: 'busy', message: outcome.message };
  if (!outcome.mayBeDone) return { ...notAttempted(entry), reason } as OutboxEntry;
  const facts = { ...errorsOf(entry), reason };
  if (outcome.scope === 'queue') return unanswered(entry, facts, now);
  return unanswered(entry, { ...facts, notBefore: now + (outcome.retryAfter ?? backoff(entry.attempts, random)) }, now);
}

/** The attempt did not count: the server did not look at the change. */
export function notAttempted(entry: OutboxEntry): OutboxEntry {
  return { ...into('pending', entry, errorsOf(entry)), attempts: Math.max(0, entry.attempts - 1) };
}

export function crashed(entry: OutboxEntry, { now, random, message }: Events['crashed']): OutboxEntry {
  const lost = entry.state === 'sending' ? unknown(entry) : entry;
  const notBefore = now + backoff(Math.max(1, entry.attempts), random);
  const reason: Reason = { code: 'server-error', message };
  return { ...into('pending', lost, { ...errorsOf(entry), notBefore, reason }), lastAttemptAt: now };
}

/** A refusal is not stored with a key, and a first request that was long on its way may still arrive after that of a repeat. */
export function retry(entry: OutboxEntry, { idempotencyKey }: Events['retry']): OutboxEntry {
  const freed = into('pending', entry, {});
  if (entry.candidates === undefined) return freed;
  return { ...without(freed, 'baselineIds', 'earlier'), delivery: UNSENT, attempts: 0, idempotencyKey };
}

/** What the device or one that a copy went to may have sent before stays possible. */
export function repair(entry: OutboxEntry, { change, title }: Events['repair']): OutboxEntry {
  const fresh = without(into('pending', entry, {}), 'acceptedMessage', 'merged', 'lastAttemptAt', 'earlier');
  const isOpen = isDeliveryUnknown(entry);
  const mayBeThere = isOpen || isExported(entry);
  const delivery = adding(entry.delivery, 'repair', ...(mayBeThere ? (['earlier-payload'] as const) : []));
  const repaired = { ...fresh, ...(mayBeThere ? earlierOf(entry) : {}), change, title, delivery };
  return isOpen ? repaired : { ...without(repaired, 'attemptEndsBy', 'baselineIds'), attempts: 0 };
}

/** The one payload that may be there. Once a repaired one was attempted as well, it is one of several. */
function earlierOf({ change, delivery, earlier, lastAttemptAt }: OutboxEntry): { earlier?: Change } {
  if (!delivery.includes('earlier-payload')) return { earlier: change };
  return earlier === undefined || lastAttemptAt !== undefined ? {} : { earlier };
}

/** The payload from before the repair was looked for. A copy of it may still be sent by another device. */
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

export function noAnswer(message: string): Reason {
  return { code: 'no-answer', message };
}

/** The entry without some of what it carries. */
function without<E extends OutboxEntry>(entry: E, ...facts: readonly (keyof OutboxEntry)[]): E {
  const rest: Partial<Record<keyof OutboxEntry, unknown>> = { ...entry };
  for (const fact of facts) delete rest[fact];
  return rest as E;
}
