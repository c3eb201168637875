import { isPaused } from './advance.ts';
import { next, type Queue } from './order.ts';

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
  if (!watch.online || isPaused(watch.pause, now)) return false;
  const then = now - STUCK_AFTER;
  const step = next(watch, now);
  const wasDue = step.do === 'send' && Math.max(step.entry.createdAt, step.entry.notBefore ?? 0) <= then;
  return wasDue && (watch.lastAttemptAt ?? 0) <= then && (watch.pause?.until ?? 0) <= then;
}
