import { describe, expect, test } from 'vitest';
import { PLANTED } from './mutants.ts';
import { play } from './play.ts';

const SEEDS = 10;
const MINUTE = 60_000;
/** A world takes three seconds on an idle machine. */
const PATIENCE = 5 * MINUTE;

describe('20 devices whose server lost a day', () => {
  test.each(Array.from({ length: SEEDS }, (_, index) => String(index + 1)))(
    'bring back all that they had sent, once, and raise no false alarm: seed %s',
    { timeout: PATIENCE },
    async (seed) => {
      const { failures, confirmed, lost } = await play(seed);
      expect(failures).toEqual([]);
      expect([confirmed > DEVICES, lost > 0]).toEqual([true, true]);
    },
  );
});

/** Fewer changes than devices would prove little. */
const DEVICES = 20;

describe('a planted bug is caught', () => {
  test.each(PLANTED)('$what', { timeout: PATIENCE }, async ({ seed, tamper, caught }) => {
    const { failures } = await play(seed, tamper);
    expect(
      failures.some((failure) => caught.test(failure)),
      failures.join('\n'),
    ).toBe(true);
  });
});
