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
  'passed on before the journal says so': 22,
  "a key answered with another change's answer": 2,
  'the list read after the request instead of before': 2,
  'the version not checked': 347,
  'a record remembered instead of read again': 42,
  'passed on again while the first may still arrive': 22,
  'no answer taken for not sent': 22,
  'no answer taken for success': 16,
  'not sent taken for success': 12,
  'a server error taken for "nothing happened"': 2,
  'pictures not compared by their bytes': 2,
  'a refusal taken for success': 12,
  'what was open forgotten at the start': 3,
  'what was open left alone at the start': 16,
  'the hash of a staged file not checked': 17,
  'a refusal that stays open': 12,
  'a file taken for whole as soon as it is begun, and not looked at when it is used': 3,
  'everything in the name of whoever came first': 12,
  'the id of the row before the new one': 2,
  'lists that were compared once are believed for good': 6,
  'a row that is gone is not told': 27,
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
