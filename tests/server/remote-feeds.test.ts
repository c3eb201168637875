import { expect, test, vi } from 'vitest';
import { Refusal } from '../../server/errors/refusal.ts';
import { RemoteFeeds } from '../../server/stores/remote/feeds.ts';
import type { ListRow, Resource } from '../../src/domain/resource.ts';

const credentialsOf = (token: string) => ({ token, cookie: '', antiForgery: '' });
const [A, B] = [credentialsOf('a'), credentialsOf('b')];

/** Feeds of a back end that shows everyone their own rows of a kind, or refuses it. */
function feedsOf(rowsOf: Record<string, readonly ListRow[] | 'refused'>) {
  const reader = (token: string) => ({
    rows: async ({ name }: Resource) => {
      const rows = name === 'ups' ? (rowsOf[token] ?? []) : [];
      if (rows === 'refused') throw new Refusal(403, { message: 'This action is unauthorized.' });
      return rows;
    },
  });
  const world = {
    backEnd: { readerFor: ({ token }: { token: string }) => reader(token) },
    now: () => 0,
    log: { warn: vi.fn() },
  };
  let lives = 0;
  return new RemoteFeeds(world as unknown as ConstructorParameters<typeof RemoteFeeds>[0], () => `life${(lives += 1)}`);
}

test('shows nobody what the back end refuses to them, after somebody else has asked', async () => {
  const feeds = feedsOf({ a: [{ id: 1, brand: 'secret' }], b: 'refused' });
  await feeds.of(1, A).bringUpToDate(A);
  const { cursor, changed } = feeds.of(1, A).page(undefined);
  expect(changed.ups).toEqual([{ id: 1, brand: 'secret' }]);
  await feeds.of(2, B).bringUpToDate(B);
  for (const since of [undefined, cursor, 'life1.0']) expect(feeds.of(2, B).page(since)).toMatchObject({ changed: {} });
});

test('takes away what the back end has ceased to show', async () => {
  const rows: Record<string, readonly ListRow[] | 'refused'> = { a: [{ id: 1 }] };
  const feeds = feedsOf(rows);
  await feeds.of(1, A).bringUpToDate(A);
  const { cursor } = feeds.of(1, A).page(undefined);
  rows['a'] = 'refused';
  feeds.mark('ups');
  await feeds.of(1, A).bringUpToDate(A);
  expect(feeds.of(1, A).page(cursor)).toMatchObject({ changed: {}, deleted: { ups: [1] } });
});

test('tells watchers of changes in the feed of anybody, and keeps only so many feeds', async () => {
  const feeds = feedsOf({ a: [{ id: 1 }], b: [{ id: 2 }] });
  const told = vi.fn();
  const stop = feeds.watch(told);
  await feeds.of(1, A).bringUpToDate(A);
  await feeds.of(2, B).bringUpToDate(B);
  expect(told).toHaveBeenCalledTimes(2);
  stop();
  const first = feeds.of(1, A);
  for (let id = 2; id <= 51; id += 1) feeds.of(id, B);
  expect(feeds.of(1, A)).not.toBe(first);
});
