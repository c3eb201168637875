import 'fake-indexeddb/auto';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { backUp } from '../../server/commands/backup.ts';
import { restore } from '../../server/commands/restore.ts';
import { feedAddress, type FeedPage } from '../../src/domain/protocol/feed.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { sliders } from '../../src/domain/resources/sliders.ts';
import { readList } from '../../src/offline/cache/cache.ts';
import { readFeed, takeFeedPage } from '../../src/offline/cache/feed.ts';
import { type CacheDatabase, cacheDatabase } from '../../src/offline/storage/cache-database.ts';
import { adminOf, gatewayWorld } from '../server/gateway-world.ts';
import { type Client, formOf, freshFolder, signedIn, startServer } from '../server/harness.ts';
import { filesFor } from '../server/samples.ts';
import { Random } from './world/random.ts';

const KINDS = [partners, sliders] as const;
const STEPS = 40;

/** A server with people who work on it, and its answers to a device. */
interface Side {
  /** Another user creates, edits or deletes a record. */
  work(random: Random): Promise<void>;
  ask(since: string | undefined): Promise<FeedPage>;
  /** The current answers of the list calls, by resource. */
  lists(): Promise<string>;
  /** Restarts the server, perhaps from a backup. */
  anew(random: Random): Promise<void>;
}

type Post = (path: string, values: Readonly<Record<string, string>>, isNew: boolean) => Promise<void>;

/** Uses ids without checking that they still exist. */
async function workOn(random: Random, made: number, post: Post): Promise<void> {
  const { endpoints, name } = random.pick(KINDS);
  const text = `Text ${random.below(1000)}`;
  const values = name === 'sliders' ? { text, serial: String(random.between(1, 9)) } : { name: text };
  const id = random.between(1, Math.max(1, made));
  if (random.chance(0.5)) return post(endpoints.create, values, true);
  return random.chance(0.7)
    ? post(`${endpoints.single}/${id}`, values, false)
    : post(`${endpoints.delete}/${id}`, {}, false);
}

async function ownSide(): Promise<Side> {
  const dataDir = await freshFolder();
  const backup = join(await freshFolder(), 'backup.voltdesk');
  const files = await filesFor(partners);
  let server = await signedIn({ DATA_DIR: dataDir });
  let isBackedUp = false;
  let made = 0;
  const list = async (client: Client, path: string) => (await client.get(path)).json() as unknown;
  return {
    work: (random) =>
      workOn(random, (made += 1), async (path, values, isNew) => {
        await server.admin.post(path, formOf(values, isNew ? files : []));
      }),
    ask: async (since) => (await server.admin.get(feedAddress(since))).json() as FeedPage,
    lists: async () =>
      JSON.stringify(await Promise.all(KINDS.map(({ endpoints }) => list(server.admin, endpoints.list)))),
    async anew(random) {
      if (!isBackedUp) await backUp(dataDir, backup);
      await server.app.close();
      if (isBackedUp && random.chance(0.7)) await restore({ dataDir, file: backup, now: Date.now() });
      isBackedUp = true;
      const again = await startServer({ DATA_DIR: dataDir });
      const admin = await again.client();
      await admin.signIn();
      server = { ...again, admin };
    },
  };
}

async function gatewaySide(): Promise<Side> {
  const world = await gatewayWorld();
  const files = await filesFor(partners);
  let { app } = world;
  let made = 0;
  const auth = { accept: 'application/json', authorization: `Bearer ${world.token}` };
  const list = async (path: string) =>
    (await world.backend.handle(new Request(`http://x${path}`, { headers: auth }))).json() as Promise<unknown>;
  const quietly = () => undefined;
  return {
    // Through the gateway or directly on the back end.
    work: (random) =>
      workOn(random, (made += 1), async (path, values, isNew) => {
        const own = isNew ? files : [];
        if (random.chance(0.5)) await adminOf(app, world.token).post(path, values, own);
        else await world.elsewhere(path, formOf(values, own)).catch(quietly);
      }),
    async ask(since) {
      world.clock.pass(31_000);
      return (await adminOf(app, world.token).get(feedAddress(since))).json() as FeedPage;
    },
    lists: async () => JSON.stringify(await Promise.all(KINDS.map(({ endpoints }) => list(endpoints.list)))),
    async anew() {
      await app.close();
      app = await world.start();
    },
  };
}

interface Asked {
  readonly page: FeedPage;
  readonly since: string | undefined;
}

/** One step between a device and its server: answers are lost, arrive late or twice, and are applied by two tabs. */
async function deviceStep(random: Random, side: Side, cache: CacheDatabase, late: Asked[]): Promise<void> {
  const since = (await readFeed(cache))?.cursor;
  const asked = { page: await side.ask(since), since };
  if (random.chance(0.2)) return;
  if (random.chance(0.3)) late.push(asked);
  const taken = random.chance(0.3) && late.length > 0 ? random.pick(late) : asked;
  const tabs = Array.from({ length: random.between(1, 2) }, () =>
    takeFeedPage(taken.page, { since: taken.since, fetchedAt: 1 }, cache),
  );
  await Promise.all(tabs);
}

const onDevice = async (cache: CacheDatabase) =>
  JSON.stringify(await Promise.all(KINDS.map(async ({ name }) => (await readList(name, cache))?.rows)));

async function play(seed: string, side: Side): Promise<void> {
  const random = new Random(seed);
  const cache = cacheDatabase(seed);
  const seen = new Set([await side.lists(), await onDevice(cache)]);
  const late: Asked[] = [];
  for (let step = 0; step < STEPS; step += 1) {
    if (random.chance(0.05)) await side.anew(random);
    else if (random.chance(0.5)) await side.work(random);
    else await deviceStep(random, side, cache, late);
    seen.add(await side.lists());
    expect(seen, `seed ${seed}, step ${step}: lists that the server never had`).toContain(await onDevice(cache));
  }
  expect(seen.size, `seed ${seed}: too little happened`).toBeGreaterThan(5);
  const since = (await readFeed(cache))?.cursor;
  await takeFeedPage(await side.ask(since), { since, fetchedAt: 2 }, cache);
  expect(await onDevice(cache), `seed ${seed}: at the end`).toBe(await side.lists());
}

describe.each<[string, () => Promise<Side>, number]>([
  ['own records', ownSide, 10],
  ['an existing back end', gatewaySide, 10],
])('a device that follows the feed of a server with %s', (kind, open, seeds) => {
  test('shows lists of a single moment throughout, and the current ones after the last answer', async () => {
    for (let seed = 1; seed <= seeds; seed += 1) {
      await play(`${kind} ${seed}`, await open());
    }
  });
});
