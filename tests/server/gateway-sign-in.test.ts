import type { FastifyInstance } from 'fastify';
import { expect, test } from 'vitest';
import { answerOf } from '../harness/back-link.ts';
import { adminOf, gatewayWorld } from './gateway-world.ts';

const EMAIL = 'admin@example.com';
const RIGHT = 'password';

interface Try {
  readonly email?: string;
  readonly password?: string;
  readonly from?: string;
  readonly cookie?: string;
}

function signIn(
  app: FastifyInstance,
  { email = EMAIL, password = 'wrong', from = '192.0.2.1', cookie = '' }: Try = {},
) {
  const headers = { accept: 'application/json', 'x-requested-with': 'XMLHttpRequest', cookie };
  const payload = { email, password };
  return app.inject({ method: 'POST', url: '/api/auth/login', headers, payload, remoteAddress: from });
}

async function wrongly(app: FastifyInstance, times: number, about: Try = {}): Promise<number[]> {
  const statuses: number[] = [];
  for (let time = 0; time < times; time += 1) statuses.push((await signIn(app, about)).statusCode);
  return statuses;
}

test('returns the back end’s answer to a sign-in unchanged', async () => {
  const { app, admin } = await gatewayWorld();
  const answer = await signIn(app, { password: RIGHT });
  expect(answer.json()).toMatchObject({ user: { id: 1, email: EMAIL }, token: expect.any(String) });
  expect((await admin.get('/api/capabilities')).statusCode).toBe(200);
  const refused = await signIn(app);
  expect([refused.statusCode, refused.json().errors]).toEqual([
    422,
    { email: ['These credentials do not match our records.'] },
  ]);
});

test('logs sign-ins, refused ones and sign-outs, by email', async () => {
  const { start } = await gatewayWorld({ settings: { LOG_LEVEL: 'warn' } });
  const lines: { readonly audit?: string; readonly who?: string; readonly address?: string }[] = [];
  const app = await start({ logStream: { write: (line) => void lines.push(JSON.parse(line)) } });
  await signIn(app);
  await signIn(app, { email: 'my secret password' });
  const { token } = (await signIn(app, { password: RIGHT, from: '192.0.2.9' })).json();
  const admin = adminOf(app, token);
  expect((await admin.get('/api/feed')).statusCode).toBe(200);
  await admin.post('/api/logout', {});
  expect(lines.filter(({ audit }) => audit).map(({ audit, who, address }) => [audit, who, address])).toEqual([
    ['sign-in refused', EMAIL, '192.0.2.1'],
    ['sign-in refused', 'not an address', '192.0.2.1'],
    ['signed in', EMAIL, '192.0.2.9'],
    ['signed out', EMAIL, '127.0.0.1'],
  ]);
});

test('passes on the anti-forgery cookies of the back end, and its 419', async () => {
  const { app } = await gatewayWorld({ csrf: true });
  const stale = await signIn(app, { password: RIGHT });
  expect([stale.statusCode, stale.json()]).toEqual([419, { message: 'CSRF token mismatch.' }]);
  expect(String(stale.headers['set-cookie'])).toContain('laravel_session=');
});

test('passes on the cookies that the back end sets with a sign-in', async () => {
  const { app, link } = await gatewayWorld();
  link.faults.push(async (carryOut) => ({ ...(await carryOut()), cookies: ['laravel_session=b; httponly'] }));
  const answer = await signIn(app, { password: RIGHT });
  expect(answer.headers['set-cookie']).toContain('laravel_session=b; httponly');
});

test('counts attempts on an account whatever the case of its address', async () => {
  const { app } = await gatewayWorld();
  for (const email of [EMAIL, 'Admin@example.com', 'ADMIN@EXAMPLE.COM', EMAIL, ' Admin@Example.com '])
    expect((await signIn(app, { email })).statusCode).toBe(422);
  expect((await signIn(app, { email: 'ADMIN@example.com' })).statusCode).toBe(429);
});

test('counts attempts on an account across all spellings that a database may consider equal', async () => {
  const { app } = await gatewayWorld();
  const spellings = [
    EMAIL,
    'ádmin@example.com',
    'ａdmin@example.com',
    'ad\u00ADmin@example.com',
    'a\u0301dmin@example.com',
  ];
  for (const email of spellings) expect((await signIn(app, { email })).statusCode).toBe(422);
  expect((await signIn(app, { email: 'àdmın@example.com' })).statusCode).toBe(429);
});

test('limits attempts on an account from one address, and states the waiting time', async () => {
  const { app, clock } = await gatewayWorld();
  expect(await wrongly(app, 6)).toEqual([422, 422, 422, 422, 422, 429]);
  const refused = await signIn(app, { password: RIGHT });
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60']);
  void clock.pass(60_000);
  expect((await signIn(app, { password: RIGHT })).statusCode).toBe(200);
});

test('limits attempts from one address on any accounts, and on one account from any address', async () => {
  const { app, clock } = await gatewayWorld();
  for (let one = 0; one < 20; one += 1) await signIn(app, { email: `${one}@example.com` });
  expect((await signIn(app, { email: 'another@example.com' })).statusCode).toBe(429);
  void clock.pass(60_000);
  for (let one = 0; one < 10; one += 1) await signIn(app, { from: `192.0.2.${10 + one}` });
  expect((await signIn(app, { from: '192.0.2.99' })).statusCode).toBe(429);
});

test('does not lock out a device that has signed in before while strangers try', async () => {
  const { app } = await gatewayWorld();
  const first = await signIn(app, { password: RIGHT });
  const cookie = [first.headers['set-cookie'] ?? []]
    .flat()
    .map((line) => line.split(';')[0])
    .join('; ');
  for (let one = 0; one < 11; one += 1) await signIn(app, { from: `192.0.2.${10 + one}` });
  expect((await signIn(app, { password: RIGHT, from: '192.0.2.99' })).statusCode).toBe(429);
  expect((await signIn(app, { password: RIGHT, cookie })).statusCode).toBe(200);
});

test('recognises a device after a restart', async () => {
  const world = await gatewayWorld();
  const first = await signIn(world.app, { password: RIGHT });
  const cookie = [first.headers['set-cookie'] ?? []]
    .flat()
    .map((line) => line.split(';')[0])
    .join('; ');
  const app = await world.start();
  for (let one = 0; one < 11; one += 1) await signIn(app, { from: `192.0.2.${10 + one}` });
  expect((await signIn(app, { password: RIGHT, cookie })).statusCode).toBe(200);
});

test('does not count attempts that the back end did not check', async () => {
  const { app, link } = await gatewayWorld();
  link.isDown = true;
  const down = await signIn(app);
  expect([down.statusCode, down.headers['retry-after'], down.json().code]).toEqual([503, '5', 'back-end-away']);
  expect(await wrongly(app, 9)).toEqual(Array<number>(9).fill(503));
  link.isDown = false;
  for (let one = 0; one < 6; one += 1) link.faults.push(answerOf(429, { message: 'Too Many Attempts.' }));
  expect(await wrongly(app, 6)).toEqual(Array<number>(6).fill(429));
  expect((await signIn(app, { password: RIGHT })).statusCode).toBe(200);
});

test.each([419, 500])('does not count an attempt that the back end answers with %i', async (status) => {
  const { app, link } = await gatewayWorld();
  for (let one = 0; one < 6; one += 1) link.faults.push(answerOf(status, { message: 'Not looked at.' }));
  expect(await wrongly(app, 6)).toEqual(Array<number>(6).fill(status));
  expect((await signIn(app, { password: RIGHT })).statusCode).toBe(200);
});

test('refuses a large body from a client that is not signed in', async () => {
  const { app } = await gatewayWorld();
  expect((await signIn(app, { email: 'a'.repeat(100_000) })).statusCode).toBe(413);
});
