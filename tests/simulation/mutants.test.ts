import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Mutant } from './mutant.ts';
import { MUTANTS, type MutantName } from './mutants.ts';
import { contractOnlyServers } from './servers/contract-only.ts';
import { ownServers } from './servers/own-on-sqlite.ts';
import type { ServerName, ServerSupply } from './servers/server.ts';
import { play } from './scenario/play.ts';
import { scheduleOf } from './scenario/schedule.ts';

/** The same number of worlds that test the outbox itself, in addition to the likely one. */
const SEEDS = 500;
const MINUTES = 60_000;

/** Seeds that have found the bug before. They are tried first, so that the search is short as long as nothing changes. */
const FOUND_IN: Partial<Record<`${MutantName}, ${ServerName}`, number>> = {
  'no lock and no lease, own': 5,
  'no lock and no lease, contract-only': 3,
  'a new key for every try, own': 2,
  'done before the answer, own': 2,
  'deleted before the answer, own': 2,
  'files in another order, own': 3,
  'files in another order, contract-only': 3,
  'merged after an attempt, own': 3,
  'merged into another record of its kind, own': 15,
  'merged into another record of its kind, contract-only': 11,
  'a later change overtakes, own': 61,
  'server errors drop the change, contract-only': 2,
  'result written without the fence, own': 101,
  'result written without the fence, contract-only': 794,
  'done before the answer, contract-only': 10,
  '401 treated as a refusal, own': 61,
  '401 treated as a refusal, contract-only': 45,
  'a page treated as success, own': 40,
  'a page treated as success, contract-only': 39,
  'server errors treated as success, own': 27,
  'server errors treated as success, contract-only': 1,
  'no answer treated as success, own': 20,
  'no answer treated as success, contract-only': 23,
  'the version left out, own': 11,
  "another user's session, own": 12,
  "another user's session, contract-only": 12,
  'Retry-After ignored, own': 32,
  'Retry-After ignored, contract-only': 1,
  'merged after an attempt, contract-only': 3,
  'pages of a list requested for ever, contract-only': 17,
  'read-back left out, contract-only': 14,
  'ids written in a separate step, own': 16,
  'ids written in a separate step, contract-only': 16,
  'a later change overtakes, contract-only': 22,
  'an unknown key treated as done, own': 16,
  'the rest of a split create left out, contract-only': 39,
  'server errors drop the change, own': 5,
  'old changes dropped, own': 26,
  'old changes dropped, contract-only': 26,
  'the sender never woken again, own': 48,
  'the sender never woken again, contract-only': 60,
  'no request for the offset of a file, own': 39,
  'a piece counted twice, own': 122,
  'every piece from the start of its file, own': 3,
  'a file damaged on the device sent anyway, own': 3,
  'a file once stored treated as still stored, own': 71,
  "a batch's first answer used for all, own": 3,
};

describe('the simulation', () => {
  let own: ServerSupply;
  beforeAll(async () => {
    own = await ownServers(0);
  }, MINUTES);
  afterAll(() => own.close());

  for (const [name, mutant] of Object.entries(MUTANTS) as [MutantName, Mutant][]) {
    for (const server of mutant.servers) {
      it(`catches the mutant "${name}" (${server})`, { timeout: 10 * MINUTES }, async () => {
        const supply = server === 'own' ? own : contractOnlyServers;
        expect(await caughtBy(mutant, supply, FOUND_IN[`${name}, ${server}`] ?? 1)).toBeDefined();
      });
    }
  }
});

/** The first seed, starting with the likely one, in which a promise is broken. */
async function caughtBy(mutant: Mutant, supply: ServerSupply, likely: number): Promise<number | undefined> {
  const all = Array.from({ length: SEEDS }, (_, i) => i + 1);
  const schedule = mutant.schedule ?? scheduleOf;
  for (const seed of [likely, ...all]) {
    const { failures } = await play(schedule(String(seed)), supply, { tamper: mutant.tamper });
    if (failures.length > 0) return seed;
  }
  return undefined;
}
