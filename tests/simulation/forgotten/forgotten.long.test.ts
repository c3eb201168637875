import { expect, test } from 'vitest';
import { play } from './play.ts';

const SEEDS = 1_000;
/** Seeds of one test. */
const TOGETHER = 50;
const MINUTE = 60_000;

test.each(Array.from({ length: SEEDS / TOGETHER }, (_, index) => 1 + index * TOGETHER))(
  'devices bring back all that a server has forgotten, once: 50 seeds from %i on',
  { timeout: 20 * MINUTE },
  async (first) => {
    for (let seed = first; seed < first + TOGETHER; seed += 1) {
      const { failures } = await play(String(seed));
      expect(failures, `seed ${seed}`).toEqual([]);
    }
  },
);
