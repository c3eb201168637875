import { hash } from 'node:crypto';
import { tooMany } from '../refusal.ts';

/** How far back tries count, in milliseconds. */
export const WINDOW = 60_000;
/** With keys of one length, this bounds the memory under attack. */
const MOST_KEYS = 50_000;

/** What tries are counted by, and how many of them are free within a minute. */
export interface Limit {
  readonly key: string;
  readonly most: number;
}

/** Counts tries per key within the last minute. A key is never locked out for good: a minute's rest frees it. */
export interface Attempts {
  /**
   * Counts a try under every key, or under none when one of them has had too many. Returns the seconds to wait then, else
   * undefined.
   */
  take(limits: readonly Limit[]): Promise<number | undefined>;
  /** Gives one try back under every key: it succeeded. */
  giveBack(limits: readonly Limit[]): Promise<void>;
}

/** Counting of tries in this process by the given clock (epoch milliseconds). */
export function countAttempts(now: () => number): Attempts {
  /** By the time of their last try, the oldest first. */
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
    async giveBack(limits) {
      for (const name of limits.map(({ key }) => nameOf(key))) tries.set(name, recent(name).slice(0, -1));
    },
  };
}

/** Of one length, whatever a stranger sends for the name of an account. */
export function nameOf(key: string): string {
  return hash('sha256', key);
}

/** Counts a try. Throws 429 with the time to wait when there were too many. */
export async function takeTry(attempts: Attempts, limits: readonly Limit[]): Promise<void> {
  const seconds = await attempts.take(limits);
  if (seconds !== undefined) throw tooMany(seconds);
}
