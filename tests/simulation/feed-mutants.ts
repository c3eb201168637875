import { readFeed, takeFeedPage } from '../../src/offline/cache/feed.ts';
import { KNOWN_SEEDS } from './known-seeds.ts';
import type { Planted } from './planted.ts';
import type { TakePage } from './scenario/feed-reader.ts';
import { play } from './scenario/play.ts';
import { scheduleOf } from './scenario/schedule.ts';

/** Bugs of a device that follows the feed. The simulation must catch each. */
const FEED_MUTANTS = {
  'an overtaken page is applied': async (page, asked, { cache }) =>
    takeFeedPage(page, { ...asked, since: (await readFeed(cache))?.cursor }, cache),
  'what changed elsewhere overwrites an unsent change': async (page, asked, environment) => {
    await takeFeedPage(page, asked, environment.cache);
    await environment.outbox.entries.toCollection().modify(({ change }) => {
      const records = change.op === 'update' ? page.changed[change.resource as never] : undefined;
      const theirs: Partial<Record<string, unknown>> | undefined = (records ?? []).find(
        ({ id }: { id: number }) => String(id) === change.recordId,
      );
      if (theirs === undefined || !('values' in change)) return;
      for (const field of Object.keys(change.values)) Object.assign(change.values, { [field]: String(theirs[field]) });
    });
  },
} as const satisfies Record<string, TakePage>;

export type FeedMutantName = keyof typeof FEED_MUTANTS;

/** The bugs, each in a device of this repository's server. */
export const PLANTED_FEEDS = (Object.entries(FEED_MUTANTS) as [FeedMutantName, TakePage][]).map(
  ([name, takePage]): Planted => ({
    name,
    known: KNOWN_SEEDS.feeds[name],
    play: async (seed, own) => {
      const schedule = scheduleOf(String(seed));
      if (!schedule.events.some(({ what }) => what === 'feed asked')) return [];
      return (await play(schedule, own, { takePage })).failures;
    },
  }),
);
