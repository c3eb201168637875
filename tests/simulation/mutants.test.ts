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
  'result written without the fence, own': 101,
  'result written without the fence, contract-only': 794,
  'done before the answer, contract-only': 10,
  '401 taken for a refusal, own': 61,
  '401 taken for a refusal, contract-only': 45,
  'a page taken for success, own': 40,
  'a page taken for success, contract-only': 39,
  'server errors taken for success, own': 27,
  'server errors taken for success, contract-only': 1,
  'no answer taken for success, own': 20,
  'no answer taken for success, contract-only': 23,
  'the version left out, own': 11,
  "another user's session, own": 12,
  "another user's session, contract-only": 12,
  'Retry-After not heeded, own': 32,
  'Retry-After not heeded, contract-only': 1,
  'merged after an attempt, contract-only': 3,
  'a list that ignores the page is read for ever, contract-only': 17,
  'read-back left out, contract-only': 14,
  'ids written in a step of their own, own': 16,
  'ids written in a step of their own, contract-only': 16,
  'a later change overtakes, contract-only': 22,
  'asked by key, and "unknown" taken for done, own': 16,
  'the rest of a divided create left out, contract-only': 39,
  'server errors drop the change, own': 5,
  'old changes dropped, own': 26,
  'old changes dropped, contract-only': 26,
  'nobody wakes the sender again, own': 48,
  'nobody wakes the sender again, contract-only': 60,
  'the offset of a file not asked, own': 39,
  'a piece counted twice, own': 122,
  'every piece from the start of its file, own': 3,
  'a file that was damaged on the device sent as it is, own': 3,
  'a file that was there once taken as there, own': 71,
  "a batch's first answer taken for all, own": 3,
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
