import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { CHANGES_PATH } from '../../../src/domain/protocol/capabilities.ts';
import { PRESENCE_PATH } from '../../../src/domain/protocol/presence.ts';
import { partners } from '../../../src/domain/resources/partners.ts';
import { addUser } from '../../../server/stores/sql/users.ts';
import { change, linesOf, png, sendBatch } from '../batch-client.ts';
import { ADMIN, type Client } from '../harness.ts';
import { codeAt, second } from '../second-factor-client.ts';
import { named } from '../staging-client.ts';
import { twoServers } from './two-servers.ts';

test('counts attempts across both servers, even when they arrive simultaneously', async () => {
  const { one, other } = await twoServers();
  const strangers = [await one.client(), await other.client()] as const;
  for (const stranger of strangers) await stranger.get('/api/user');
  const tries = Array.from({ length: 12 }, (_, index) => strangers[index % 2 === 0 ? 0 : 1]);
  const answers = await Promise.all(
    tries.map((stranger) => stranger.post('/api/auth/login', { email: ADMIN.email, password: 'wrong' })),
  );
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([
    ...Array<number>(5).fill(422),
    ...Array<number>(7).fill(429),
  ]);
});

test('refunds an attempt on the other server after the right password on one', async () => {
  const { one, other } = await twoServers();
  const limits = [{ key: 'somebody', most: 1 }];
  expect(await one.app.services.attempts.take(limits)).toBeUndefined();
  expect(await other.app.services.attempts.take(limits)).toBe(60);
  await one.app.services.attempts.refund(limits);
  expect(await other.app.services.attempts.take(limits)).toBeUndefined();
});

test('completes a sign-in once on the other server', async () => {
  const { one, other, here, there } = await twoServers();
  const { secret, ticket } = (await here.post('/api/security/authenticator', {})).json();
  const now = Date.now();
  const taken = await there.post('/api/security/authenticator/take', { ticket, code: codeAt(secret, now) });
  const [recoveryCode = '', another = ''] = taken.json().recoveryCodes as string[];
  const [guest, elsewhere] = [await one.client(), await other.client()];
  const begun = await guest.signIn();
  expect(begun.statusCode).toBe(202);
  await elsewhere.get('/api/user');
  expect((await second(elsewhere, begun.json().ticket, recoveryCode)).statusCode).toBe(200);
  expect((await second(guest, begun.json().ticket, another)).json().code).toBe('ticket-gone');
});

test('shows on both servers who has a record open', async () => {
  const { one, other, here } = await twoServers();
  const person = { name: 'Anna Kaya', email: 'anna@example.com', password: ADMIN.password, at: '' };
  await addUser(one.app.services, person);
  const anna = await other.client();
  await anna.signIn(person.email);
  const presentFor = async (client: Client, doing: string) =>
    (await client.post(PRESENCE_PATH, { resource: 'generators', id: 7, page: 'page-0001', doing })).json().present;
  await presentFor(anna, 'typing');
  expect(await presentFor(here, 'looking')).toEqual([{ name: 'Anna Kaya', isTyping: true }]);
  expect(await presentFor(anna, 'left')).toEqual([{ name: 'Administrator', isTyping: false }]);
  expect(await presentFor(here, 'looking')).toEqual([]);
});

test('counts connections across both servers, and those of a dead one for a minute', async () => {
  const { one, other } = await twoServers();
  const [here, there] = [one.app.services, other.app.services];
  const first = await here.seats.take(1, 2);
  const next = await there.seats.take(1, 2);
  expect([first, next]).not.toContain(undefined);
  expect(await here.seats.take(1, 2)).toBeUndefined();
  next?.free();
  await expect.poll(() => here.seats.take(1, 2)).toBeDefined();
  await sql`UPDATE live_seats SET until = now()`.execute(here.db);
  expect(await there.seats.take(1, 1)).toBeDefined();
});

test('reports a change waiting in a batch of one server as in flight on the other', async () => {
  const { one, here, there } = await twoServers();
  const logo = await png('#123456');
  const create = (name: string) =>
    change('create', partners.name, { id: name, fields: { name }, files: [named('image', logo.bytes, 'logo.png')] });
  const changes = [create('First'), create('Second')];
  const keys = changes.map(({ key }) => key).join(',');
  const known = async () =>
    Object.values<{ status: number }>((await there.get(`${CHANGES_PATH}?keys=${keys}`)).json().answers).map(
      ({ status }) => status,
    );
  let sending: Promise<unknown> | undefined;
  // no one else can write while this lasts
  await one.app.services.db.transaction().execute(async () => {
    sending = sendBatch(here, changes, [logo]);
    await expect.poll(known).toEqual([409, 409]);
    const again = linesOf(await sendBatch(there, changes, [logo]));
    expect(again.map(({ status }) => status)).toEqual([409, 409]);
  });
  await sending;
  expect(await known()).toEqual([200, 200]);
  const rows = (await there.get(partners.endpoints.list)).json();
  expect(rows.map(({ name }: { name: string }) => name).toSorted()).toEqual(['First', 'Second']);
});

test('does not execute a change of a stalled server’s batch after it was reported as not in flight', async () => {
  const { one, other } = await twoServers();
  const [here, there] = [one.app.services, other.app.services];
  const batch = await here.waiting.add(1, ['stalled', 'other']);
  expect(await there.waiting.has(1, 'stalled')).toBe(true);
  await sql`UPDATE waiting_keys SET until = now()`.execute(here.db);
  expect(await there.waiting.has(1, 'stalled')).toBe(false);
  await expect(batch.confirm('stalled')).rejects.toThrow('being carried out');
  await expect(batch.confirm('other')).resolves.toBeUndefined();
  await batch.end();
  expect(await there.waiting.has(1, 'other')).toBe(false);
});
