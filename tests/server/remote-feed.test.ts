import { expect, test, vi } from 'vitest';
import { RemoteFeed } from '../../server/stores/remote/feed.ts';
import type { ListRow, ResourceName } from '../../src/domain/resource.ts';
import { RESOURCES } from '../../src/domain/resources/index.ts';

const ASKER = { token: 'secret', cookie: '', antiForgery: '' };
const warned = vi.fn();

/** A feed of lists set by a test, with a record of those read. */
function feedOf(lists: Partial<Record<ResourceName, readonly ListRow[]>>) {
  const read: ResourceName[] = [];
  const clock = { now: 1_000_000 };
  const during = new Map<ResourceName, () => void>();
  const failing = new Set<ResourceName>();
  const rows = async ({ name }: { readonly name: ResourceName }) => {
    read.push(name);
    const found = lists[name] ?? [];
    during.get(name)?.();
    if (failing.has(name)) throw new Error(`${name} cannot be read.`);
    return found;
  };
  const world = {
    backEnd: { readerFor: () => ({ rows }) },
    now: () => clock.now,
    log: { warn: warned },
  } as unknown as ConstructorParameters<typeof RemoteFeed>[0];
  return { clock, during, failing, feed: new RemoteFeed(world, 'life'), lists, read };
}

const look = ({ feed }: { feed: RemoteFeed }) => feed.bringUpToDate(ASKER);
/** All that is played by the test takes no time, so what was begun has ended by the next turn. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('reports a row that changed twice once, in its current state', async () => {
  const world = feedOf({
    ups: [
      { id: 1, brand: 'A' },
      { id: 2, brand: 'B' },
    ],
  });
  await look(world);
  const { cursor } = world.feed.page(undefined);
  for (const brand of ['C', 'D']) {
    world.lists.ups = [
      { id: 1, brand },
      { id: 2, brand: 'B' },
    ];
    world.feed.mark('ups');
    await look(world);
  }
  const { changed, deleted } = world.feed.page(cursor);
  expect({ changed, deleted }).toEqual({ changed: { ups: [{ id: 1, brand: 'D' }] }, deleted: {} });
  expect(world.feed.page(undefined).changed.ups).toEqual([
    { id: 2, brand: 'B' },
    { id: 1, brand: 'D' },
  ]);
});

test('reports a deleted row once, and not again at each check', async () => {
  const world = feedOf({ ups: [{ id: 1 }] });
  await look(world);
  const { cursor } = world.feed.page(undefined);
  world.lists.ups = [];
  world.feed.mark('ups');
  await look(world);
  const gone = world.feed.page(cursor);
  expect(gone.deleted).toEqual({ ups: [1] });
  world.feed.mark('ups');
  await look(world);
  const { cursor: same, changed, deleted } = world.feed.page(gone.cursor);
  expect({ same, changed, deleted }).toEqual({ same: gone.cursor, changed: {}, deleted: {} });
});

test('reads no list after a change of the settings, and all lists after an unknown one', async () => {
  const world = feedOf({});
  await look(world);
  world.read.length = 0;
  world.feed.mark('site-meta');
  await look(world);
  expect(world.read).toEqual([]);
  world.feed.mark('images');
  await look(world);
  expect(world.read).toEqual(RESOURCES.map(({ name }) => name));
});

test('reads nothing for connected devices before anyone has asked, nor within a minute of that', async () => {
  const world = feedOf({});
  world.feed.keepUp(ASKER);
  await settled();
  expect(world.read).toEqual([]);
  await look(world);
  world.read.length = 0;
  world.clock.now += 59_999;
  world.feed.keepUp(ASKER);
  world.feed.keepUp(undefined);
  await settled();
  expect(world.read).toEqual([]);
  world.clock.now += 1;
  world.feed.keepUp(undefined);
  await settled();
  expect(world.read).toEqual([]);
  world.feed.keepUp(ASKER);
  await settled();
  expect(world.read).toHaveLength(RESOURCES.length);
});

test('returns nothing older than half a minute', async () => {
  const world = feedOf({});
  await look(world);
  world.read.length = 0;
  world.clock.now += 29_999;
  await look(world);
  expect(world.read).toEqual([]);
  world.clock.now += 1;
  await look(world);
  expect(world.read).toHaveLength(RESOURCES.length);
});

test('dates a slow check to its start', async () => {
  const world = feedOf({});
  world.during.set('ups', () => (world.clock.now += 20_000));
  await look(world);
  world.read.length = 0;
  world.clock.now += 10_000;
  await look(world);
  expect(world.read).toHaveLength(RESOURCES.length);
});

test('does not count a check of one list as one of the others', async () => {
  const world = feedOf({});
  await look(world);
  world.clock.now += 20_000;
  world.feed.mark('ups');
  await look(world);
  world.read.length = 0;
  world.clock.now += 10_000;
  await look(world);
  expect(world.read).toHaveLength(RESOURCES.length);
});

test('rereads a list that changed while it was being read', async () => {
  const world = feedOf({ ups: [] });
  world.during.set('ups', () => {
    world.during.clear();
    world.lists.ups = [{ id: 1 }];
    world.feed.mark('ups');
  });
  await look(world);
  await look(world);
  expect(world.feed.page(undefined).changed).toEqual({ ups: [{ id: 1 }] });
});

test('rereads a failed list with the next request, and logs a failure that no one asked for', async () => {
  const world = feedOf({ ups: [{ id: 1 }] });
  await look(world);
  world.lists.ups = [{ id: 1 }, { id: 2 }];
  world.failing.add('ups');
  world.feed.mark('ups');
  await expect(look(world)).rejects.toThrow('ups cannot be read.');
  world.feed.keepUp(ASKER);
  await settled();
  expect(warned).toHaveBeenCalledOnce();
  world.failing.clear();
  await look(world);
  expect(world.feed.page(undefined).changed.ups).toHaveLength(2);
});

test('starts a new check for a request that arrives while another’s check fails', async () => {
  const world = feedOf({ ups: [{ id: 1 }] });
  world.failing.add('ups');
  let reads = 0;
  world.during.set('ups', () => {
    reads += 1;
    if (reads === 2) world.failing.clear();
  });
  const [first, second] = await Promise.allSettled([look(world), look(world)]);
  expect([first?.status, second?.status]).toEqual(['rejected', 'fulfilled']);
  expect(world.feed.page(undefined).changed.ups).toEqual([{ id: 1 }]);
});

test('notifies connected devices once per change, never without one, and not after they left', async () => {
  const world = feedOf({ ups: [{ id: 1 }] });
  const told = vi.fn();
  const leave = world.feed.watch(told);
  await look(world);
  expect(told).toHaveBeenCalledOnce();
  world.feed.mark('ups');
  await look(world);
  expect(told).toHaveBeenCalledOnce();
  leave();
  world.lists.ups = [];
  world.feed.mark('ups');
  await look(world);
  expect(told).toHaveBeenCalledOnce();
});

test.each(['life.9', 'other.1', 'life.', 'life.1x', ''])(
  'returns everything for the invalid cursor "%s"',
  async (cursor) => {
    const world = feedOf({ ups: [{ id: 1 }] });
    await look(world);
    expect(world.feed.page(cursor)).toMatchObject({ snapshot: true, cursor: 'life.1', changed: { ups: [{ id: 1 }] } });
    expect(world.feed.page('life.1')).not.toHaveProperty('snapshot');
  },
);
