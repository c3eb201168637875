import { expect, test } from 'vitest';
import { play } from './play.ts';

/** Two seconds each: what fits in its shard beside the other worlds. */
const SEEDS = 200;
/** Seeds of one test. */
const TOGETHER = 25;
const MINUTE = 60_000;

test.each(Array.from({ length: SEEDS / TOGETHER }, (_, index) => 1 + index * TOGETHER))(
  'devices bring back all that a server has forgotten, once: 25 seeds from %i on',
  { timeout: 20 * MINUTE },
  async (first) => {
    for (let seed = first; seed < first + TOGETHER; seed += 1) {
      const { failures } = await play(String(seed));
      expect(failures, `seed ${seed}`).toEqual([]);
    }
  },
);
