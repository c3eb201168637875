import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ServerSupply } from './servers/server.ts';
import { play } from './scenario/play.ts';
import { scheduleOf } from './scenario/schedule.ts';

/** How many seeds make one test, so that a failing one is easy to find in the report. */
const IN_ONE_TEST = 25;
const MINUTES = 60_000;

/** Plays seeds as tests: every promise holds in every world. */
export function keepsItsPromises(open: () => Promise<ServerSupply>, first: number, last: number): void {
  let supply: ServerSupply;
  beforeAll(async () => {
    supply = await open();
  }, MINUTES);
  afterAll(() => supply.close());

  for (let from = first; from <= last; from += IN_ONE_TEST) {
    const to = Math.min(last, from + IN_ONE_TEST - 1);
    it(`keeps every promise in the worlds ${from} to ${to}`, { timeout: 10 * MINUTES }, async () => {
      const broken: string[] = [];
      for (let seed = from; seed <= to; seed += 1) {
        const { failures } = await play(scheduleOf(String(seed)), supply);
        broken.push(...failures.map((failure) => `seed ${seed}: ${failure}`));
      }
      expect(broken).toEqual([]);
    });
  }
}
