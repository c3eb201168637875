/** Delays between attempts. Milliseconds. */
const FIRST_WAIT = 2_000;
export const LONGEST_WAIT = 5 * 60_000;

/** The longest wait that something other than the server can impose. Milliseconds. */
export const FOREIGN_WAIT = 15 * 60_000;

/** After this many 5xx answers over at least this period, the change needs the administrator. */
export const SERVER_ERRORS_LIMIT = 10;
export const SERVER_ERRORS_PERIOD = 30 * 60_000;

/**
 * The delay after `failures` consecutive failures (1 or more): 2 s · 2ⁿ up to 5 min, of which 50–100 % at random, so that
 * many tablets do not return in the same second. `random` is from 0 up to 1.
 */
export function backoff(failures: number, random: number): number {
  const full = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.max(0, failures - 1));
  return Math.round(full * (0.5 + random / 2));
}

/**
 * Reads a Retry-After header: seconds or an HTTP date (RFC 9110, 10.2.3). Returns milliseconds from `now`; undefined if the
 * header is absent or invalid.
 */
export function retryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/**
 * True during a wait from `since` to `until`. A clock that was set back ends the wait: one early attempt is better than one
 * that is two days late.
 */
export function stillWaiting(since: number, until: number, now: number): boolean {
  return now >= since && now < until;
}
