/**
 * For how long a worker begins changes, in milliseconds. Browsers end one that stays up for an event for more than five minutes,
 * and what it is sending with it; further messages bring it no more time.
 */
export const AWAKE_FOR = 4 * 60_000;

const TIMEOUT = 30_000;
/** The slowest link that is still waited for, in bytes per millisecond. */
const SLOWEST = 16;

/** Milliseconds after which a request with so many bytes of files is given up: it grows with the size. */
export function timeoutOf(bytes: number): number {
  return TIMEOUT + Math.ceil(bytes / SLOWEST);
}
