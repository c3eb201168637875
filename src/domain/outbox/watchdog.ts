import { next, type Queue } from './scheduler.ts';

/** Sendable work, a link not known to be down, and no attempt for this long: something is wrong. Milliseconds. */
const STUCK_AFTER = 5 * 60_000;

export interface Watch extends Queue {
  readonly lastAttemptAt: number | undefined;
  /** False only if there is certainly no link. */
  readonly online: boolean;
}

/**
 * True if the queue should be moving and is not. Times are epoch milliseconds. A change that only just became due is not
 * stuck, however long ago the last attempt was.
 */
export function isStuck(watch: Watch, now: number): boolean {
  if (!watch.online) return false;
  const then = now - STUCK_AFTER;
  const step = next(watch, now);
  if (step.do !== 'send' && step.do !== 'stage') return false;
  const { createdAt, notBefore } = step.entry;
  return latestUntil(now, [createdAt, notBefore, watch.lastAttemptAt, watch.pause?.until]) <= then;
}

/**
 * The latest of the times that is not after `now`, in epoch milliseconds; 0 if there is none. A time recorded before the
 * clock was set back lies in the future and is ignored.
 */
export function latestUntil(now: number, times: readonly (number | undefined)[]): number {
  return Math.max(0, ...times.map((time = 0) => (time <= now ? time : 0)));
}
