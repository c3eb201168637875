import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { manageLookups } from '../../server/commands/lookups.ts';
import { addUser } from '../../server/stores/sql/users.ts';
import { feedAddress, type FeedPage, LIVE_PATH } from '../../src/domain/protocol/feed.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { ADMIN, type Client, formOf, freshFolder, signedIn } from './harness.ts';
import { signIn, startProcess } from './process.ts';
import { filesFor } from './samples.ts';

interface Event {
  readonly id: string;
  readonly event: string;
  readonly data: { readonly since: string; readonly page: FeedPage };
}

/** A connection as read by an independent client: none of the app's code, and no extra sockets. */
async function listen(address: string, headers: Record<string, string>) {
  const request = get(address + LIVE_PATH, { headers, agent: false });
  onTestFinished(() => void request.destroy());
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  let isOver = false;
  answer.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  // a cut connection ends with an error
  answer
    .on('error', () => undefined)
    .on('close', () => {
      isOver = true;
    });
  const events = () => text.split('\n\n').slice(0, -1).flatMap(eventIn);
  return { answer, events, text: () => text, isOver: () => isOver, cut: () => request.destroy() };
}

/** The event in a block of lines. Undefined for a comment. */
function eventIn(block: string): Event[] {
  const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2)));
  return fields.data === undefined ? [] : [{ ...fields, data: JSON.parse(fields.data) }];
}

const bearer = (admin: Client) => ({ authorization: `Bearer ${admin.bearer()}` });

async function listening(limits = {}, settings = {}) {
  // a change that is only reported with the next heartbeat is late
  const server = await signedIn(settings, { liveLimits: { heartbeat: 600_000, ...limits } });
  const address = await server.app.listen({ host: '127.0.0.1', port: 0 });
  const connect = (headers = {}) => listen(address, { ...bearer(server.admin), ...headers });
  const create = async (name: string) =>
    server.admin.post(partners.endpoints.create, formOf({ name }, await filesFor(partners)));
  return { ...server, address, connect, create };
}

const namesIn = ({ data }: Event) => data.page.changed.partners?.map((partner) => partner['name']);

test('sends a change to every connected device, and nothing before there is one', async () => {
  const { connect, create } = await listening();
  const devices = [await connect(), await connect()];
  for (const { text } of devices) await expect.poll(text).toBe(': connected\n\n');
  await create('Volt Brothers');
  for (const { events } of devices) {
    await expect.poll(() => events().map(namesIn)).toEqual([['Volt Brothers']]);
    expect(events()[0]).toMatchObject({ event: 'changes', id: events()[0]?.data.page.cursor });
  }
});

test('continues from the last event that a device has read', async () => {
  const { connect, create } = await listening();
  const device = await connect();
  await create('One');
  await expect.poll(() => device.events()).toHaveLength(1);
  device.cut();
  await create('Two');
  await create('Three');
  const resumed = await connect({ 'last-event-id': device.events()[0]?.id ?? '' });
  await expect.poll(() => resumed.events().flatMap(namesIn)).toEqual(['Two', 'Three']);
  expect(resumed.events()[0]?.data.since).toBe(device.events()[0]?.id);
});

test('refers a device with another installation’s cursor to the feed, and then sends what follows', async () => {
  const { connect, create, admin } = await listening();
  const device = await connect({ 'last-event-id': 'AAAAAAAAAAAA.7' });
  await expect.poll(() => device.events().map(({ event, data }) => [event, data])).toEqual([['behind', {}]]);
  const page = (await admin.get(feedAddress(device.events()[0]?.id))).json();
  expect([page.changed, page.more]).toEqual([{}, false]);
  await create('Next');
  await expect.poll(() => device.events().slice(1).flatMap(namesIn)).toEqual(['Next']);
});

test('sends heartbeats, and reports what another process has changed', async () => {
  const { connect, app } = await listening({ heartbeat: 50 });
  const device = await connect();
  await expect.poll(device.text).toContain(': alive');
  await manageLookups(app.services.db, ['add', 'ups-types', 'Flywheel']);
  await expect.poll(() => JSON.stringify(device.events().map(({ data }) => data.page.lookups))).toContain('Flywheel');
});

test('ends with the session, and sends nothing more', async () => {
  const { connect, client, create } = await listening();
  const other = await client();
  await other.signIn();
  const device = await connect(bearer(other));
  await expect.poll(device.text).toContain('connected');
  await other.post('/api/logout', undefined);
  await create('Secret');
  await expect.poll(device.isOver).toBe(true);
  expect(device.text()).not.toContain('Secret');
});

test('disconnects a device that does not read its events', async () => {
  const { connect } = await listening({ heartbeat: 50, mostWaiting: -1 });
  const device = await connect();
  await expect.poll(device.isOver).toBe(true);
});

test('ends when the role changes or a second factor is required, so that the page checks who is signed in', async () => {
  const { app, address, client, connect, admin } = await listening({ heartbeat: 50 });
  const at = new Date().toISOString();
  const password = 'seven green parrots';
  await addUser(app.services, { name: 'Other', email: 'other@example.com', password, role: 'editor', at });
  const other = await client();
  await other.signIn('other@example.com', password);
  const { id } = (await other.get('/api/user')).json();
  const [own, theirs] = [await connect(), await listen(address, bearer(other))];
  await admin.post(`/api/people/${id}/role`, { role: 'viewer' });
  await expect.poll(theirs.isOver).toBe(true);
  expect(own.isOver()).toBe(false);
  const again = await listen(address, bearer(other));
  expect(again.answer.statusCode).toBe(200);
  await app.services.db.insertInto('requirements').values({ name: 'second-factor', since: at }).execute();
  await expect.poll(() => [again.isOver(), own.isOver()]).toEqual([true, true]);
  expect((await listen(address, bearer(other))).answer.statusCode).toBe(403);
});

test('limits connections per user, without affecting other users', async () => {
  const { connect, app, client } = await listening({}, { LIVE_CONNECTIONS: '2' });
  const [first] = [await connect(), await connect()];
  const refused = await connect();
  expect(refused.answer.statusCode).toBe(429);
  expect(refused.answer.headers['retry-after']).toBe('60');
  await expect.poll(refused.text).toContain('Too many browsers of yours are connected.');
  await addUser(app.services, { name: 'Omar', email: 'omar@example.com', password: ADMIN.password, at: '' });
  const omar = await client();
  await omar.signIn('omar@example.com');
  expect((await connect(bearer(omar))).answer.statusCode).toBe(200);
  first?.cut();
  await expect.poll(async () => (await connect()).answer.statusCode).toBe(200);
});

test('passes through nginx unbuffered, requires sign-in, and is not cacheable', async () => {
  const { connect, address } = await listening();
  const { headers } = (await connect()).answer;
  expect(headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  expect((await listen(address, {})).answer.statusCode).toBe(401);
});

test('answers HEAD with 404, because the stream would never end', async () => {
  const { admin } = await signedIn();
  expect((await admin.send({ method: 'HEAD', url: LIVE_PATH })).statusCode).toBe(404);
});

test('does not delay the shutdown of the server', async () => {
  const {
    child,
    listening: address,
    ended,
  } = startProcess({
    DATA_DIR: await freshFolder(),
    ADMIN_PASSWORD: ADMIN.password,
  });
  const origin = await address();
  const device = await listen(origin, await signIn(origin, ADMIN.password));
  await expect.poll(device.text).toContain('connected');
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  await expect.poll(device.isOver).toBe(true);
});
