import { next, type Queue } from './scheduler.ts';

/** Work that could go, a link that is not known to be bad, and no attempt for so long: something is wrong. */
const STUCK_AFTER = 5 * 60_000;

export interface Watch extends Queue {
  readonly lastAttemptAt: number | undefined;
  /** False only where there is surely no link. */
  readonly online: boolean;
}

/**
 * True when the queue should be moving and is not. Times are epoch milliseconds. A change that became due only a
 * moment ago is not stuck, however long ago the last attempt was.
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
 * The latest of some times that is not after `now`, all in epoch milliseconds; 0 when there is none. One from before the clock was set
 * back lies in the future, and tells nothing.
 */
export function latestUntil(now: number, times: readonly (number | undefined)[]): number {
  return Math.max(0, ...times.map((time = 0) => (time <= now ? time : 0)));
}
