import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readFeed, takeFeedPage } from '../../src/offline/cache/feed.ts';
import type { TakePage } from './scenario/feed-reader.ts';
import { play } from './scenario/play.ts';
import { scheduleOf } from './scenario/schedule.ts';
import { ownServers } from './servers/own-on-sqlite.ts';
import type { ServerSupply } from './servers/server.ts';

const SEEDS = 500;
const MINUTES = 60_000;

/** Bugs of a device that follows the feed, each with a seed that has found it before. */
const FEED_MUTANTS: readonly (readonly [what: string, likely: number, take: TakePage])[] = [
  [
    'an overtaken page is applied',
    38,
    async (page, asked, { cache }) => takeFeedPage(page, { ...asked, since: (await readFeed(cache))?.cursor }, cache),
  ],
  [
    'what changed elsewhere overwrites an unsent change',
    11,
    async (page, asked, environment) => {
      await takeFeedPage(page, asked, environment.cache);
      await environment.outbox.entries.toCollection().modify(({ change }) => {
        const records = change.op === 'update' ? page.changed[change.resource as never] : undefined;
        const theirs: Partial<Record<string, unknown>> | undefined = (records ?? []).find(
          ({ id }: { id: number }) => String(id) === change.recordId,
        );
        if (theirs === undefined || !('values' in change)) return;
        for (const field of Object.keys(change.values))
          Object.assign(change.values, { [field]: String(theirs[field]) });
      });
    },
  ],
];

describe('the simulation', () => {
  let own: ServerSupply;
  beforeAll(async () => {
    own = await ownServers(0);
  }, MINUTES);
  afterAll(() => own.close());

  for (const [what, likely, takePage] of FEED_MUTANTS) {
    it(`catches the mutant "${what}"`, { timeout: 10 * MINUTES }, async () => {
      expect(await caughtBy(takePage, own, likely)).toBeDefined();
    });
  }
});

/** The first seed, starting with the likely one, in which a promise is broken. */
async function caughtBy(takePage: TakePage, supply: ServerSupply, likely: number): Promise<number | undefined> {
  const all = Array.from({ length: SEEDS }, (_, i) => i + 1);
  for (const seed of [likely, ...all]) {
    const schedule = scheduleOf(String(seed));
    if (!schedule.events.some(({ what }) => what === 'feed asked')) continue;
    const { failures } = await play(schedule, supply, { takePage });
    if (failures.length > 0) return seed;
  }
  return undefined;
}
