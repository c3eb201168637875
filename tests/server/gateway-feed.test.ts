import { get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { feedAddress, type FeedPage, LIVE_PATH } from '../../src/domain/protocol/feed.ts';
import { RESOURCES } from '../../src/domain/resources/index.ts';
import { ups } from '../../src/domain/resources/ups.ts';
import { catalog, CREATE, photos, single, VALUES } from './gateway-ups.ts';
import { adminOf, gatewayWorld } from './gateway-world.ts';
import { formOf } from './harness.ts';
import { filesFor } from './samples.ts';

type Asker = Pick<ReturnType<typeof adminOf>, 'get'>;
type World = Awaited<ReturnType<typeof gatewayWorld>>;

const feed = async (asker: Asker, since?: string): Promise<FeedPage> => (await asker.get(feedAddress(since))).json();
const idsIn = ({ changed }: FeedPage) => changed.ups?.map(({ id }) => id) ?? [];
const listReads = ({ link }: World) => link.reads.filter((path) => path.startsWith(ups.endpoints.list)).length;
/** Past the time for which the gateway trusts what it has read. */
const LATER = 31_000;

/** A UPS created directly on the back end. */
const addElsewhere = async ({ elsewhere }: World) => elsewhere(CREATE, formOf(VALUES, [catalog, ...(await photos(1))]));

test('starts with every list, as the back end returns it, and continues with what changed there', async () => {
  const world = await gatewayWorld();
  const { admin, clock, elsewhere } = world;
  await addElsewhere(world);
  const first = await feed(admin);
  expect(first).toMatchObject({ snapshot: true, more: false, rowsOnly: true });
  expect(first.changed.ups).toEqual([{ id: 1, brand: VALUES['brand'], model: VALUES['model'] }]);
  void clock.pass(LATER);
  const { cursor, changed, deleted } = await feed(admin, first.cursor);
  expect({ cursor, changed, deleted }).toEqual({ cursor: first.cursor, changed: {}, deleted: {} });
  await addElsewhere(world);
  await elsewhere(`${ups.endpoints.delete}/1`);
  void clock.pass(LATER);
  const second = await feed(admin, first.cursor);
  expect([idsIn(second), second.deleted.ups, second.snapshot]).toEqual([[2], [1], undefined]);
});

test('asks the back end once for all devices, and once for simultaneous requests', async () => {
  const world = await gatewayWorld();
  const other = adminOf(world.app, await world.signIn());
  await Promise.all([feed(world.admin), feed(other), feed(world.admin)]);
  await feed(other);
  expect(listReads(world)).toBe(1);
  void world.clock.pass(LATER);
  await feed(other);
  expect(listReads(world)).toBe(2);
});

test('reports its own changes at once, and asks for no other list', async () => {
  const world = await gatewayWorld();
  const { admin, link } = world;
  const { cursor } = await feed(admin);
  link.reads.length = 0;
  expect((await admin.post(CREATE, VALUES, await filesFor(ups))).statusCode).toBe(200);
  expect(idsIn(await feed(admin, cursor))).toEqual([1]);
  const others = RESOURCES.filter(({ name }) => name !== 'ups').map(({ endpoints }) => endpoints.list);
  expect(link.reads.filter((path) => others.some((list) => path.startsWith(list)))).toEqual([]);
});

test('reports what a change did whose answer was lost', async () => {
  const { admin, link } = await gatewayWorld();
  const { cursor } = await feed(admin);
  link.faults.push('unanswered');
  await admin.post(CREATE, VALUES, await filesFor(ups));
  expect(idsIn(await feed(admin, cursor))).toEqual([1]);
});

test('pushes changes to connected devices before they ask', async () => {
  const { app, admin, token } = await gatewayWorld();
  const { cursor } = await feed(admin);
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const headers = { authorization: `Bearer ${token}`, 'last-event-id': cursor };
  const request = get(address + LIVE_PATH, { headers, agent: false });
  onTestFinished(() => void request.destroy());
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  answer
    .setEncoding('utf8')
    .on('error', () => undefined)
    .on('data', (part: string) => {
      text += part;
    });
  await expect.poll(() => text).toContain('connected');
  await admin.post(single(9), VALUES);
  await admin.post(CREATE, VALUES, await filesFor(ups));
  await expect.poll(() => text).toMatch(/event: changes\ndata: .*"rowsOnly":true.*"ups":\[/);
});

test('starts over for a cursor of the previous gateway process', async () => {
  const world = await gatewayWorld();
  await addElsewhere(world);
  const { cursor } = await feed(world.admin);
  await world.app.close();
  const again = adminOf(await world.start(), world.token);
  expect(await feed(again, cursor)).toMatchObject({ snapshot: true, changed: { ups: [{ id: 1 }] } });
});

test('reports an unreachable back end instead of what it last knew, and 401 for an ended session', async () => {
  const { admin, app, link, clock } = await gatewayWorld();
  await feed(admin);
  void clock.pass(LATER);
  link.isDown = true;
  expect((await admin.get(feedAddress(undefined))).statusCode).toBe(503);
  link.isDown = false;
  expect((await adminOf(app, 'no-token').get(feedAddress(undefined))).statusCode).toBe(401);
  expect((await admin.get(feedAddress(undefined))).statusCode).toBe(200);
});

test('returns long lists in pages, each row once', async () => {
  const { admin, link } = await gatewayWorld();
  const rows = Array.from({ length: 1100 }, (_, index) => ({ id: index + 1, brand: `Brand ${index}` }));
  link.insteadOfRead = (path) =>
    path.startsWith(ups.endpoints.list)
      ? Promise.resolve({
          status: 200,
          headers: { 'content-type': 'application/json' },
          cookies: [],
          body: Buffer.from(JSON.stringify(rows)),
        })
      : undefined;
  const ids: number[] = [];
  let page = await feed(admin);
  for (ids.push(...idsIn(page)); page.more; ids.push(...idsIn(page))) page = await feed(admin, page.cursor);
  expect(ids).toEqual(rows.map(({ id }) => id));
});
