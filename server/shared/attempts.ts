import { hash } from 'node:crypto';
import { tooMany } from '../errors/refusal.ts';
import { steadyClock } from './steady-clock.ts';

/** The window of the rate limit, in milliseconds. */
export const WINDOW = 60_000;
/** Bounds memory under attack, together with the fixed length of keys. */
const MOST_KEYS = 50_000;

/** A key, and how many attempts it allows per minute. */
export interface Limit {
  readonly key: string;
  readonly most: number;
}

/** A rate limiter: counts attempts per key within the last minute. A key is never locked for longer than that. */
export interface Attempts {
  /**
   * Counts an attempt under every key. If one of them is over its limit, counts none and returns the seconds to wait.
   */
  take(limits: readonly Limit[]): Promise<number | undefined>;
  /** Refunds an attempt under every key, because it succeeded. */
  refund(limits: readonly Limit[]): Promise<void>;
}

/** A rate limiter in the memory of this process. `clock` is a test's, in milliseconds. */
export function countAttempts(clock?: () => number): Attempts {
  const now = steadyClock(clock);
  /** Ordered by the time of the last attempt, oldest first. */
  const tries = new Map<string, readonly number[]>();
  const recent = (name: string) => (tries.get(name) ?? []).filter((at) => now() - at < WINDOW);
  const waitFor = ({ key, most }: Limit) => {
    const made = recent(nameOf(key));
    return made.length < most ? 0 : (made[0] ?? 0) + WINDOW - now();
  };
  const forgetOldest = () => {
    for (const name of tries.keys()) {
      if (tries.size < MOST_KEYS && recent(name).length > 0) return;
      tries.delete(name);
    }
  };
  return {
    async take(limits) {
      const wait = Math.max(...limits.map(waitFor));
      if (wait > 0) return Math.ceil(wait / 1000);
      for (const name of limits.map(({ key }) => nameOf(key))) {
        const made = recent(name);
        tries.delete(name);
        forgetOldest();
        tries.set(name, [...made, now()]);
      }
      return undefined;
    },
    async refund(limits) {
      for (const name of limits.map(({ key }) => nameOf(key))) tries.set(name, recent(name).slice(0, -1));
    },
  };
}

/** A key of fixed length, whatever account name a stranger sends. */
export function nameOf(key: string): string {
  return hash('sha256', key);
}

/** Counts an attempt. Throws 429 with the time to wait if there were too many. */
export async function takeTry(attempts: Attempts, limits: readonly Limit[]): Promise<void> {
  const seconds = await attempts.take(limits);
  if (seconds !== undefined) throw tooMany(seconds);
}
