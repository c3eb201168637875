import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Plant } from './planting.ts';
import { PLANTS, type PlantName } from './plants.ts';
import { contractOnlyServers } from './servers/contract-only.ts';
import { ownServers } from './servers/own.ts';
import type { ServerName, ServerSupply } from './servers/server.ts';
import { play } from './stage/play.ts';
import { scheduleOf } from './stage/schedule.ts';

/** As many as the worlds in which the outbox itself is tried. */
const SEEDS = 500;
const MINUTES = 60_000;

/** Seeds in which the bug was found before: looked at first, so that the search is short as long as nothing changes. */
const FOUND_IN: Partial<Record<`${PlantName}, ${ServerName}`, number>> = {
  'no lock and no lease, own': 81,
  'no lock and no lease, contract-only': 81,
  'result written without the fence, own': 138,
  'result written without the fence, contract-only': 112,
  '401 taken for a refusal, own': 204,
  '401 taken for a refusal, contract-only': 5,
  'a page taken for success, own': 40,
  'a page taken for success, contract-only': 39,
  'server errors taken for success, own': 4,
  'server errors taken for success, contract-only': 7,
  'no answer taken for success, own': 5,
  'the version left out, own': 11,
  "another user's session, own": 12,
  "another user's session, contract-only": 12,
  'Retry-After not heeded, own': 32,
  'Retry-After not heeded, contract-only': 32,
  'merged after an attempt, own': 14,
  'merged after an attempt, contract-only': 28,
  'merged into another record of its kind, own': 15,
  'read-back left out, contract-only': 14,
  'merged into another record of its kind, contract-only': 80,
  'a list that ignores the page is read for ever, contract-only': 4,
  'ids written in a step of their own, own': 81,
  'ids written in a step of their own, contract-only': 81,
  'server errors drop the change, own': 4,
  'server errors drop the change, contract-only': 11,
  'old changes dropped, own': 41,
  'old changes dropped, contract-only': 41,
  'nobody wakes the sender again, own': 11,
  'nobody wakes the sender again, contract-only': 48,
};

describe('the simulation', () => {
  let own: ServerSupply;
  beforeAll(async () => {
    own = await ownServers();
  }, MINUTES);
  afterAll(() => own.close());

  for (const [name, plant] of Object.entries(PLANTS) as [PlantName, Plant][]) {
    for (const server of plant.servers) {
      it(`catches the planted bug "${name}" (${server})`, { timeout: 10 * MINUTES }, async () => {
        const supply = server === 'own' ? own : contractOnlyServers;
        expect(await caughtBy(plant, supply, FOUND_IN[`${name}, ${server}`] ?? 1)).toBeDefined();
      });
    }
  }
});

/** The first seed, from the likely one on, in which a promise is broken. */
async function caughtBy(plant: Plant, supply: ServerSupply, likely: number): Promise<number | undefined> {
  for (let i = 0; i < SEEDS; i += 1) {
    const seed = ((likely - 1 + i) % SEEDS) + 1;
    const { failures } = await play(scheduleOf(String(seed)), supply, { tamper: plant.tamper });
    if (failures.length > 0) return seed;
  }
  return undefined;
}
