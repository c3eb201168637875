import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownServers } from './servers/own-on-sqlite.ts';
import type { ServerSupply } from './servers/server.ts';

/** A bug that is planted into the simulation, which must catch it. */
export interface Planted {
  /** Unique: as in the table of known seeds. */
  readonly name: string;
  /** The seed of a world that catches it. Undefined for a bug that has none yet. */
  readonly known: number | undefined;
  /** Plays the world of a seed with the bug, and returns the promises that are broken there. */
  readonly play: (seed: number, own: ServerSupply) => Promise<readonly string[]>;
}

/** As many worlds as test the outbox itself. */
const SEEDS = 500;
const MINUTES = 60_000;

const SEARCH = 'Search for a seed with `npx vitest run --project long-simulation mutants`, and write it there.';

/** Plays each bug in the one world that is known to catch it. */
export function areCaughtWhereKnown(bugs: readonly Planted[]): void {
  inWorlds((own) => {
    for (const { name, known, play } of bugs) {
      it(`catches the mutant "${name}"`, async () => {
        if (known === undefined)
          throw new Error(`tests/simulation/known-seeds.ts has no seed for "${name}". ${SEARCH}`);
        const stale = `The seed ${known} in tests/simulation/known-seeds.ts no longer catches it. ${SEARCH}`;
        expect(await play(known, own()), stale).not.toEqual([]);
      });
    }
  });
}

/** Searches through the seeds, the known one first, and tells which one catches the bug if that is another. */
export function areCaughtSomewhere(bugs: readonly Planted[]): void {
  inWorlds((own) => {
    for (const { name, known, play } of bugs) {
      it(`finds a world that catches the mutant "${name}"`, { timeout: 20 * MINUTES }, async () => {
        const caughtBy = await firstSeed(known, async (seed) => (await play(seed, own())).length > 0);
        expect(caughtBy, `None of ${SEEDS} worlds catches it: give it a schedule of its own.`).toBeDefined();
        expect(known, `Write ${caughtBy} into tests/simulation/known-seeds.ts.`).toBe(caughtBy);
      });
    }
  });
}

async function firstSeed(known = 1, catches: (seed: number) => Promise<boolean>): Promise<number | undefined> {
  for (const seed of [known, ...Array.from({ length: SEEDS }, (_, i) => i + 1)]) if (await catches(seed)) return seed;
  return undefined;
}

function inWorlds(tests: (own: () => ServerSupply) => void): void {
  describe('the simulation', () => {
    let own: ServerSupply;
    beforeAll(async () => {
      own = await ownServers(0);
    }, MINUTES);
    afterAll(() => own.close());

    tests(() => own);
  });
}
