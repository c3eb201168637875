import { expect, test } from 'vitest';
import { RemoteFeed } from '../../server/stores/remote/feed.ts';
import { Rate } from '../../server/stores/remote/rate.ts';
import type { Reader } from '../../src/domain/protocol/read-back/reader.ts';
import { projects } from '../../src/domain/resources/projects.ts';

const PAGES = 100;
const NOBODY = { token: '', cookie: '', antiForgery: '' };

/** A feed of a back end with a hundred pages of projects, on a clock that jumps to the next timer. */
function pagedFeed(limit: string | undefined) {
  const rate = new Rate();
  if (limit !== undefined) rate.note({ 'x-ratelimit-limit': limit });
  let now = 0;
  let timers: readonly { readonly at: number; readonly work: () => Promise<void> }[] = [];
  const readAt: number[] = [];
  const readerFor = (_credentials: object, turn: () => Promise<void> = async () => undefined): Reader => ({
    rows: async ({ name }) => {
      const count = name === projects.name ? PAGES : 1;
      for (let page = 0; page < count; page += 1) {
        await turn();
        readAt.push(now);
      }
      return name === projects.name ? Array.from({ length: PAGES }, (_, id) => ({ id: id + 1 })) : [];
    },
    record: async () => undefined,
    sha256: async () => undefined,
  });
  const world = {
    backEnd: { readerFor, rate },
    now: () => now,
    after: (milliseconds: number, work: () => Promise<void>) => {
      const timer = { at: now + milliseconds, work };
      timers = [...timers, timer];
      return () => void (timers = timers.filter((other) => other !== timer));
    },
    log: { warn: () => undefined } as never,
  };
  const next = async () => {
    const [timer] = timers.toSorted((one, other) => one.at - other.at);
    if (timer === undefined) return;
    timers = timers.filter((other) => other !== timer);
    now = timer.at;
    await timer.work();
  };
  return { feed: new RemoteFeed(world, 'life'), readAt, next };
}

test('comparing lists takes a third of the rate that the back end tells, from the first time on', async () => {
  const { feed, readAt, next } = pagedFeed('60');
  const refusals: unknown[] = [];
  for (let asked = 0; asked < 1000; asked += 1) {
    const end = { isThere: false, error: undefined as unknown };
    void feed.bringUpToDate(NOBODY).then(
      () => (end.isThere = true),
      (error: unknown) => Object.assign(end, { isThere: true, error }),
    );
    while (!end.isThere) {
      await new Promise(setImmediate);
      if (!end.isThere) await next();
    }
    if (end.error === undefined) break;
    refusals.push(end.error);
  }
  const most = Math.max(...readAt.map((at) => readAt.filter((other) => other >= at && other < at + 60_000).length));
  expect(most).toBe(20);
  expect(readAt.length).toBeGreaterThan(PAGES);
  expect(refusals[0]).toMatchObject({ status: 503, body: { code: 'lists-being-read' } });
  expect(feed.page(undefined).changed.projects).toHaveLength(PAGES);
});

test('a back end that tells no limit is compared at once', async () => {
  const { feed, readAt } = pagedFeed(undefined);
  await feed.bringUpToDate(NOBODY);
  expect(new Set(readAt)).toEqual(new Set([0]));
});
