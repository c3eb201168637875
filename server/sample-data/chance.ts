/** Repeatable random values: the same seed gives the same content. */
export interface Chance {
  /** From 0 to 1, excluding 1. */
  next(): number;
  /** An integer from `least` to `most`, inclusive. */
  whole(least: number, most: number): number;
  pick<T>(from: readonly T[]): T;
}

/** A generator for the seed (mulberry32). */
export function chance(seed: number): Chance {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    whole: (least, most) => least + Math.floor(next() * (most - least + 1)),
    pick<T>(from: readonly T[]): T {
      const picked = from[Math.floor(next() * from.length)];
      if (picked === undefined) throw new Error('There is nothing to pick from.');
      return picked;
    },
  };
}
