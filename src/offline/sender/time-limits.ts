/**
 * How long a worker starts changes, in milliseconds. Browsers end a worker whose event takes more than five minutes, along with
 * its requests; further messages buy no time.
 */
export const AWAKE_FOR = 4 * 60_000;

const TIMEOUT = 30_000;
/** The slowest link that does not time out, in bytes per millisecond. */
const SLOWEST = 16;

/** The time-out of a request with `bytes` of files, in milliseconds. It grows with the size. */
export function timeoutOf(bytes: number): number {
  return TIMEOUT + Math.ceil(bytes / SLOWEST);
}
