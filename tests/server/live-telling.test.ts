import { expect, onTestFinished, test, vi } from 'vitest';
import type { FastifyBaseLogger } from 'fastify';
import { LiveFeed, type LiveLimits } from '../../server/protocol/live-feed.ts';
import { seatsHere } from '../../server/shared/seats.ts';
import type { FeedSource, SignedIn } from '../../server/stores/store.ts';
import type { FeedPage } from '../../src/domain/protocol/feed.ts';

const WHO: SignedIn = { user: { id: 1, name: 'Administrator', email: 'a@example.com' }, tokenHash: 'a', role: 'owner' };
const CREDENTIALS = { token: 't', cookie: '', antiForgery: '' };
const HOUR = 60 * 60_000;

/** A store whose changes are numbered by hand, and the events sent to its connected devices. */
function telling(limits: Partial<LiveLimits> = { heartbeat: HOUR }, more: Partial<FeedSource> = {}) {
  const state = { number: 1, page: {} as Partial<FeedPage>, asked: 0, isWatched: true };
  const warned: string[] = [];
  const store: FeedSource = {
    signedIn: async () => {
      state.asked += 1;
      return WHO;
    },
    feed: async () => ({ cursor: `c${state.number}`, more: false, changed: {}, deleted: {}, ...state.page }),
    feedCursor: async () => `c${state.number}`,
    watch: () => () => {
      state.isWatched = false;
    },
    ...more,
  };
  const log = { warn: (_facts: object, words: string) => void warned.push(words) } as unknown as FastifyBaseLogger;
  const live = new LiveFeed(store, log, { mostPerPerson: 1, ...limits }, seatsHere());
  onTestFinished(() => live.close());
  const join = async (since?: string) => {
    const stream = await live.join(WHO, CREDENTIALS, since);
    let text = '';
    const read = () => {
      for (let part = stream.read(); part !== null; part = stream.read()) text += String(part);
      return text;
    };
    return { stream, read };
  };
  return { live, state, warned, join };
}

test('sends a returning device at once what it has missed', async () => {
  const { join } = telling();
  const { read } = await join('c0');
  await expect.poll(read, { interval: 2 }).toContain('id: c1\nevent: changes\n');
});

test('ends a connection that arrives during shutdown, so that nothing waits for it', async () => {
  const { live, join } = telling();
  live.close();
  const { stream, read } = await join('c0');
  await expect.poll(() => [read(), stream.destroyed], { interval: 2 }).toEqual([': connected\n\n', true]);
});

test('sends a change made during a broadcast right afterwards', async () => {
  let meanwhile: () => void = () => undefined;
  const { live, state, join } = telling(undefined, {
    feed: async () => {
      const cursor = `c${state.number}`;
      await Promise.resolve();
      meanwhile();
      return { cursor, more: false, changed: {}, deleted: {} };
    },
  });
  const { read } = await join();
  await live.tell();
  meanwhile = () => {
    meanwhile = () => undefined;
    state.number = 3;
    void live.tell();
  };
  state.number = 2;
  await live.tell();
  expect(read().match(/^id: .*$/gm)).toEqual(['id: c2', 'id: c3']);
});

test.each([1, 2, 3, 4, 5, 6, 7, 8])('sends a change that comes %i microtasks after the last read', async (steps) => {
  let looked: () => unknown = () => undefined;
  const { live, state, join } = telling(undefined, {
    feed: async () => {
      looked();
      return { cursor: `c${state.number}`, more: false, changed: {}, deleted: {} };
    },
  });
  const { read } = await join();
  await live.tell();
  looked = async () => {
    looked = () => undefined;
    for (let step = 0; step < steps; step += 1) await Promise.resolve();
    state.number = 2;
    void live.tell();
  };
  await live.tell();
  await new Promise((resolve) => setImmediate(resolve));
  expect(read()).toContain('id: c2');
});

test('reads the feed once for each cursor, for all devices that share it', async () => {
  const asked: (string | undefined)[] = [];
  const { live, join } = telling(
    { heartbeat: HOUR, mostPerPerson: 9 },
    {
      feed: async (since) => {
        asked.push(since);
        return { cursor: 'c9', more: false, changed: {}, deleted: {} };
      },
    },
  );
  const [one, twin, other] = [await join('c1'), await join('c1'), await join('c2')];
  const toldTo = ({ read }: typeof one) => /"since":"(.*?)"/.exec(read())?.[1];
  await expect.poll(() => [one, twin, other].map(toldTo), { interval: 2 }).toEqual(['c1', 'c1', 'c2']);
  await live.tell();
  asked.length = 0;
  await live.tell();
  expect(asked).toEqual(['c9']);
});

test('refers a device that is far behind to the feed, and continues from its end', async () => {
  const { live, state, join } = telling();
  const { read } = await join();
  await live.tell();
  state.number = 9;
  state.page = { cursor: 'c5', more: true };
  await live.tell();
  expect(read()).toContain('id: c9\nevent: behind\ndata: {}\n\n');
});

test('logs a feed that cannot be read, and sends the next change again', async () => {
  const { live, state, warned, join } = telling(undefined, {
    feed: async () => {
      if (state.number === 2) throw new Error('away');
      return { cursor: `c${state.number}`, more: false, changed: {}, deleted: {} };
    },
  });
  const { read } = await join();
  state.number = 2;
  await live.tell();
  expect(warned).toEqual(['changes not told']);
  state.number = 3;
  await live.tell();
  expect(read()).toContain('id: c3');
});

test('frees the seat of a failed connection, and reads nothing for one that has ended', async () => {
  const cursors = [() => Promise.reject(new Error('away')), async () => 'c1'];
  const { live, state, join } = telling(undefined, { feedCursor: () => (cursors.shift() ?? (async () => 'c1'))() });
  await expect(join()).rejects.toThrow('away');
  const { stream } = await join();
  stream.destroy();
  await new Promise((resolve) => stream.once('close', resolve));
  state.number = 2;
  await live.tell();
  expect(state.asked).toBe(0);
  await expect(join()).resolves.toBeDefined();
});

test('sends a heartbeat every twenty seconds, buffers a megabyte per device, and stops with the server', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { live, state, join } = telling({});
  const { stream, read } = await join();
  stream.push('x'.repeat(1_000_000));
  await vi.advanceTimersByTimeAsync(20_000);
  expect(stream.destroyed).toBe(false);
  expect(read().match(/: alive/g)).toHaveLength(1);
  stream.push('x'.repeat(1_100_000));
  await vi.advanceTimersByTimeAsync(20_000);
  expect(stream.destroyed).toBe(true);
  live.close();
  expect([state.isWatched, vi.getTimerCount()]).toEqual([false, 0]);
});
