/** How many tries are free within a minute, per key. */
const WINDOW = 60_000;
/** Keys kept before old ones are cleared away: bounded memory under attack. */
const MOST_KEYS = 50_000;

/** Counts tries per key within the last minute. A key is never locked out for good: a minute's rest frees it. */
export interface Attempts {
  /** Counts a try. Returns the seconds to wait when there were too many, else undefined. */
  take(key: string, most: number): number | undefined;
  /** Gives one try back: it succeeded. */
  giveBack(key: string): void;
}

/** Counting of tries by the given clock (epoch milliseconds). */
export function countAttempts(now: () => number): Attempts {
  const tries = new Map<string, number[]>();
  const recent = (key: string) => (tries.get(key) ?? []).filter((at) => now() - at < WINDOW);
  const clear = () => {
    for (const key of tries.keys()) if (recent(key).length === 0) tries.delete(key);
    if (tries.size >= MOST_KEYS) tries.clear();
  };
  return {
    take(key, most) {
      if (tries.size >= MOST_KEYS) clear();
      const made = recent(key);
      const oldest = made[0];
      if (made.length >= most && oldest !== undefined) return Math.max(1, Math.ceil((oldest + WINDOW - now()) / 1000));
      tries.set(key, [...made, now()]);
      return undefined;
    },
    giveBack(key) {
      tries.set(key, recent(key).slice(0, -1));
    },
  };
}
