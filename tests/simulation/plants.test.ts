import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Plant, PLANTS, type PlantName } from './plants.ts';
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
  '401 taken for a refusal, own': 105,
  'a page taken for success, own': 31,
  'a page taken for success, contract-only': 27,
  "another user's session, own": 27,
  "another user's session, contract-only": 27,
  'Retry-After not heeded, own': 14,
  'Retry-After not heeded, contract-only': 14,
  'merged after an attempt, own': 14,
  'merged after an attempt, contract-only': 14,
  'server errors taken for success, contract-only': 7,
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
