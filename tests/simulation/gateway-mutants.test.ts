import { describe, expect, it } from 'vitest';
import { GATEWAY_MUTANTS, type GatewayMutantName } from './gateway-mutants.ts';
import { type GatewayMutant, gatewaysWith } from './servers/gateway.ts';
import { play } from './scenario/play.ts';
import { type Schedule, scheduleOf } from './scenario/schedule.ts';

/** The same number of worlds that test the gateway itself. */
const SEEDS = 500;
const MINUTES = 60_000;

/** Seeds that have found the bug before. They are tried first, so that the search is short as long as nothing changes. */
const FOUND_IN: Partial<Record<GatewayMutantName, number>> = {
  'passed on before the journal is written': 22,
  "a key answered with another change's answer": 2,
  'the list read after the request instead of before': 2,
  'the version not checked': 347,
  'a record remembered instead of read again': 42,
  'passed on again while the first may still arrive': 22,
  'no answer treated as not sent': 22,
  'no answer treated as success': 16,
  'not sent treated as success': 12,
  'a server error treated as "nothing happened"': 2,
  'new rows not looked for': 2,
  'a refusal treated as success': 12,
  'open entries dropped at the start': 3,
  'open entries ignored at the start': 16,
  'the hash of a staged file not checked': 17,
  'a refusal that stays open': 12,
  'a file treated as complete once started, and not checked when used': 3,
  'every change sent for the first user': 12,
  'the id of the row before the new one': 2,
  'lists trusted for ever after one comparison': 6,
  'a deleted row not reported': 27,
};

describe('the simulation', () => {
  for (const [name, mutant] of Object.entries(GATEWAY_MUTANTS) as [GatewayMutantName, GatewayMutant][]) {
    it(`catches the mutant "${name}" of a gateway`, { timeout: 10 * MINUTES }, async () => {
      expect(await caughtBy(mutant, FOUND_IN[name] ?? 1)).toBeDefined();
    });
  }
});

/** The first seed, starting with the likely one, in which a promise is broken. */
async function caughtBy(mutant: GatewayMutant, likely: number): Promise<number | undefined> {
  if (mutant.schedule !== undefined) return (await catches(mutant, mutant.schedule)) ? likely : undefined;
  for (let i = 0; i < SEEDS; i += 1) {
    const seed = ((likely - 1 + i) % SEEDS) + 1;
    if (await catches(mutant, scheduleOf(String(seed)))) return seed;
  }
  return undefined;
}

async function catches(mutant: GatewayMutant, schedule: Schedule): Promise<boolean> {
  return (await play(schedule, gatewaysWith(mutant))).failures.length > 0;
}
