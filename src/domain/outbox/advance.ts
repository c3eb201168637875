import { backoff, LONGEST_WAIT, SERVER_ERRORS_LIMIT, SERVER_ERRORS_PERIOD } from './backoff.ts';
import { isGatewayError } from './classify.ts';
import { filesOf } from './optimistic-view.ts';
import type { OutboxEntry, Outcome, QueuePause, Reason, Receipt } from './vocabulary.ts';

/** How long a request that was given up, or has lost its connection, may still be at work: PHP ends one after 30 s. Milliseconds. */
const AFTERMATH = 30_000;

/** The entry without some of what it carries. */
export function without<K extends keyof OutboxEntry>(entry: OutboxEntry, ...keys: K[]): Omit<OutboxEntry, K> {
  const rest = { ...entry };
  for (const key of keys) delete rest[key];
  return rest;
}

/** The attempt is on: committed before the request goes out. `timesOutAt` is when it is given up, in epoch milliseconds. */
export function attemptStarted(entry: OutboxEntry, now: number, timesOutAt: number): OutboxEntry {
  return {
    ...without(entry, 'notBefore'),
    state: 'sending',
    attempts: entry.attempts + 1,
    lastAttemptAt: now,
    attemptEndsBy: timesOutAt + AFTERMATH,
  };
}

/** The sender went away in the middle of the attempt: whether the server did it is not known. */
export function senderLost(entry: OutboxEntry): OutboxEntry {
  return { ...entry, state: 'uncertain', doubt: true, reason: noAnswer('The sending was interrupted.') };
}

/** What an attempt's outcome makes of the entry. `random` is from 0 up to 1. */
export function advance(entry: OutboxEntry, outcome: Outcome, now: number, random: number): OutboxEntry {
  switch (outcome.kind) {
    case 'done':
      return confirmed(entry, { at: now, message: outcome.message, ...idOf(outcome) });
    case 'unreachable':
      return linkFailed(entry, { code: 'unreachable', message: outcome.message }, now, random);
    case 'uncertain':
      return outcome.status === undefined
        ? linkFailed(entry, noAnswer(outcome.message), now, random)
        : serverFailed(entry, outcome.status, outcome.message, now, random);
    case 'busy':
      return busy(entry, outcome, now, random);
    case 'signed-out':
      return notAttempted(entry);
    case 'refused':
      return refuse(entry, outcome.reason);
    case 'conflict':
      return {
        ...without(entry, 'serverErrors'),
        state: 'uncertain',
        reason: { code: 'conflict', message: outcome.message },
      };
    default:
      return outcome satisfies never;
  }
}

/** The server's own words on a fault that it has answered, where the change is tried again by itself. */
export function answeredFault({ state, reason }: OutboxEntry): string | undefined {
  if (state !== 'queued' && state !== 'uncertain' && state !== 'waiting') return undefined;
  const isAnswered = reason?.code === 'server-error' ? reason.status !== undefined : reason?.code === 'busy';
  return isAnswered ? reason?.message : undefined;
}

/** True when the last attempt was cut, and what it carried may be more than the link carries today. */
export function isTooMuchForLink({ reason, change }: OutboxEntry): boolean {
  const isLinks = reason?.code === 'no-answer' || reason?.code === 'unreachable';
  return isLinks && 'files' in change && change.files.length > 0;
}

/** What an attempt's outcome makes of the queue's pause: any good answer ends it. `random` is from 0 up to 1. */
export function pauseAfter(
  pause: QueuePause | undefined,
  outcome: Outcome,
  now: number,
  random: number,
): QueuePause | undefined {
  if (outcome.kind === 'signed-out') return { cause: 'signed-out', since: now, failures: 0 };
  if (outcome.kind === 'busy' && outcome.scope === 'queue') {
    const failures = pause?.cause === 'busy' ? pause.failures + 1 : 1;
    return { cause: 'busy', since: now, until: now + (outcome.retryAfter ?? backoff(failures, random)), failures };
  }
  if (!isLinkFault(outcome)) return undefined;
  const before = pause?.cause === 'unreachable' ? pause : { since: now, failures: 0 };
  const failures = before.failures + 1;
  // a clock that was set back since must not make the pause one that has not begun
  const portal = outcome.kind === 'unreachable' && outcome.portal ? { portal: true as const } : {};
  const since = Math.min(before.since, now);
  return { cause: 'unreachable', since, until: now + backoff(failures, random), failures, ...portal };
}

/** True while the pause is in force. One that only an event ends (a sign-in) has no `until`. */
export function isPaused(pause: QueuePause | undefined, now: number): boolean {
  if (pause === undefined) return false;
  if (pause.until === undefined) return true;
  if (now < pause.since || now >= pause.until) return false;
  // a clock that was set back would else stretch the wait
  return pause.cause === 'busy' || pause.until - now <= LONGEST_WAIT;
}

/** Done: kept as a receipt. */
export function confirmed(entry: OutboxEntry, receipt: Receipt): OutboxEntry {
  const { merged } = entry;
  return {
    ...without(
      entry,
      'reason',
      'notBefore',
      'serverErrors',
      'conflict',
      'doubt',
      'copied',
      'mended',
      'firstMayBeThere',
      'knownIds',
      'confirmed',
      'candidates',
      'merged',
      'attemptEndsBy',
    ),
    state: 'done',
    receipt: merged === undefined || merged.length === 0 ? receipt : { ...receipt, merged },
  };
}

/** Needs the administrator. The server was asked and did not do it, so nothing is in doubt. */
export function refuse(entry: OutboxEntry, reason: Reason): OutboxEntry {
  return { ...without(entry, 'serverErrors', 'notBefore', 'doubt'), state: 'refused', reason };
}

function busy(entry: OutboxEntry, outcome: Outcome & { kind: 'busy' }, now: number, random: number): OutboxEntry {
  const reason: Reason = { code: 'busy', message: outcome.message };
  if (!outcome.mayBeDone) return { ...notAttempted(entry), reason };
  if (outcome.scope === 'queue') return { ...inDoubt(entry, now), reason };
  const notBefore = now + (outcome.retryAfter ?? backoff(entry.attempts, random));
  return { ...inDoubt(entry, now), notBefore, reason };
}

/** Nobody knows whether it was carried out. Something of it may still be under way for a while. */
function inDoubt(entry: OutboxEntry, now: number): OutboxEntry {
  const endsBy = Math.min(entry.attemptEndsBy ?? Number.POSITIVE_INFINITY, now + AFTERMATH);
  // a wait is measured from here, so that a clock that was set back since is noticed, also after a long sleep
  return { ...entry, state: 'uncertain', doubt: true, attemptEndsBy: endsBy, lastAttemptAt: now };
}

/** The attempt did not count: the server did not look at the change. */
function notAttempted(entry: OutboxEntry): OutboxEntry {
  const attempts = Math.max(0, entry.attempts - 1);
  return { ...without(entry, 'reason'), attempts, state: entry.doubt ? 'uncertain' : 'queued' };
}

/** A body that the link could not carry waits by itself, for longer than the queue does: smaller ones go first. */
function linkFailed(entry: OutboxEntry, reason: Reason, now: number, random: number): OutboxEntry {
  const doubtful = { ...inDoubt(entry, now), reason };
  return filesOf(entry).length === 0 ? doubtful : { ...doubtful, notBefore: now + backoff(entry.attempts + 1, random) };
}

function serverFailed(entry: OutboxEntry, status: number, message: string, now: number, random: number): OutboxEntry {
  const since = entry.serverErrors?.since ?? now;
  const count = (entry.serverErrors?.count ?? 0) + 1;
  const doubtful = { ...inDoubt(entry, now), serverErrors: { count, since } };
  if (count >= SERVER_ERRORS_LIMIT && now - since >= SERVER_ERRORS_PERIOD) {
    return { ...without(doubtful, 'notBefore'), state: 'refused', reason: { code: 'server-errors', status, message } };
  }
  const reason: Reason = { code: 'server-error', status, message };
  return { ...doubtful, state: 'uncertain', notBefore: now + backoff(count, random), reason };
}

function isLinkFault(outcome: Outcome): boolean {
  if (outcome.kind === 'unreachable') return true;
  return outcome.kind === 'uncertain' && (outcome.status === undefined || isGatewayError(outcome.status));
}

function idOf(outcome: Outcome & { kind: 'done' }): { serverId?: number } {
  return outcome.serverId === undefined ? {} : { serverId: outcome.serverId };
}

function noAnswer(message: string): Reason {
  return { code: 'no-answer', message };
}
