import { backoff, FOREIGN_WAIT, LONGEST_WAIT } from './backoff.ts';
import { isGatewayError } from './classify.ts';
import type { Outcome, QueuePause } from './vocabulary.ts';

/** Rules for pausing the whole queue. */

/** The queue's pause after an attempt. Any conclusive answer ends it. `random` is from 0 up to 1. */
export function pauseAfter(
  pause: QueuePause | undefined,
  outcome: Outcome,
  now: number,
  random: number,
): QueuePause | undefined {
  if (outcome.kind === 'signed-out') return { cause: 'signed-out', since: now, failures: 0 };
  if (outcome.kind === 'busy' && outcome.scope === 'queue') {
    const foreign = outcome.foreign && { foreign: outcome.foreign };
    const cause = outcome.foreign ? 'unreachable' : 'busy';
    const failures = pause?.cause === cause ? pause.failures + 1 : 1;
    return { cause, since: now, until: now + (outcome.retryAfter || backoff(failures, random)), failures, ...foreign };
  }
  if (!isLinkFault(outcome)) return undefined;
  const before = pause?.cause === 'unreachable' ? pause : { since: now, failures: 0 };
  const failures = before.failures + 1;
  const portal = outcome.kind === 'unreachable' && outcome.portal ? { portal: true as const } : {};
  // if the clock was set back, `since` must not lie in the future
  const since = Math.min(before.since, now);
  return { cause: 'unreachable', since, until: now + backoff(failures, random), failures, ...portal };
}

/**
 * True if a pause stays in force although a concurrent request's outcome would replace it with `other`. The server's
 * instructions override link faults. Of two instructions, the one that lasts longer wins.
 */
export function isUpheld(pause: QueuePause | undefined, outcome: Outcome, other: QueuePause | undefined, now: number) {
  if (pause === undefined || !isPaused(pause, now)) return false;
  return !isToldToAll(outcome) || (pause.cause !== 'unreachable' && endOf(pause) > endOf(other));
}

/** True if the server's answer applies to the whole queue. */
function isToldToAll(outcome: Outcome): boolean {
  return outcome.kind === 'signed-out' || (outcome.kind === 'busy' && outcome.scope === 'queue' && !outcome.foreign);
}

function endOf(pause: QueuePause | undefined): number {
  return pause?.until ?? Number.POSITIVE_INFINITY;
}

/** True while the pause is in force. A pause that only an event (a sign-in) ends has no `until`. */
export function isPaused(pause: QueuePause | undefined, now: number): boolean {
  if (pause === undefined) return false;
  if (pause.until === undefined) return true;
  if (now < pause.since || now >= pause.until) return false;
  // otherwise a clock that was set back would prolong the wait
  return pause.cause === 'busy' || pause.until - now <= (pause.foreign ? FOREIGN_WAIT : LONGEST_WAIT);
}

function isLinkFault(outcome: Outcome): boolean {
  if (outcome.kind === 'unreachable') return true;
  return outcome.kind === 'uncertain' && (outcome.status === undefined || isGatewayError(outcome.status));
}
