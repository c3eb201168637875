import 'fake-indexeddb/auto';
import { afterEach, expect, test } from 'vitest';
import type { FeedPage } from '../../src/domain/protocol/feed.ts';
import { readList } from '../../src/offline/cache/cache.ts';
import { readFeed, takeFeedPage } from '../../src/offline/cache/feed.ts';
import { cacheDatabase, FEED_KEY } from '../../src/offline/storage/cache-database.ts';

const unhandled: unknown[] = [];
const note = (failure: unknown) => void unhandled.push(failure);
process.on('unhandledRejection', note);
afterEach(() => void process.off('unhandledRejection', note));

function pageOf(cursor: string, name: string): FeedPage {
  return { cursor, more: false, changed: { partners: [{ id: 1, name }] }, deleted: {} };
}

test('discards the whole page when its cursor cannot be stored, with a single failure', async () => {
  const cache = cacheDatabase('not kept');
  await takeFeedPage({ ...pageOf('1', 'first'), snapshot: true }, { since: undefined, fetchedAt: 1 }, cache);
  cache.close();
  cache.use({
    stack: 'dbcore',
    name: 'no room for the cursor',
    create: (core) => ({
      ...core,
      table: (name) => {
        const table = core.table(name);
        const isCursor = (row: unknown) => (row as { readonly key: string }).key === FEED_KEY;
        return {
          ...table,
          mutate: (request) =>
            request.type === 'put' && request.values.some(isCursor)
              ? Promise.reject(new DOMException('No room.', 'QuotaExceededError'))
              : table.mutate(request),
        };
      },
    }),
  });
  await cache.open();
  const taken = takeFeedPage(pageOf('2', 'second'), { since: '1', fetchedAt: 2 }, cache);
  await expect(taken).rejects.toThrow();
  await new Promise((resolve) => setImmediate(resolve));
  expect(unhandled).toEqual([]);
  expect((await readFeed(cache))?.cursor).toBe('1');
  expect((await readList('partners', cache))?.rows).toMatchObject([{ name: 'first' }]);
});
