import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { manageAdministrators } from '../../server/commands/admin.ts';
import type { Overrides } from '../../server/app.ts';
import type { Letter } from '../../server/accounts/mail.ts';
import { requireSignIn } from '../../server/security/session.ts';
import { deviceName } from '../../server/security/device-name.ts';
import type { OpenSession } from '../../src/domain/protocol/sessions.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { ADMIN, type Client, signedIn, startServer } from './harness.ts';
import { idOf, withRole } from './people-client.ts';

const MINUTE = 60_000;
const TABLET =
  'Mozilla/5.0 (Linux; Android 16; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36';
const NEXT = { new_password: 'seven green parrots', new_password_confirmation: 'seven green parrots' };

const sessionsOf = async (admin: Client): Promise<OpenSession[]> => (await admin.get('/api/sessions')).json();

async function signInFrom(client: Client, headers: Record<string, string>): Promise<void> {
  await client.get('/api/user');
  const answer = await client.post('/api/auth/login', ADMIN, headers);
  client.useBearer(answer.json().token);
}

test.each([
  [TABLET, 'Chrome on Android'],
  ['Mozilla/5.0 (iPad; CPU OS 26_1 like Mac OS X) AppleWebKit/605.1.15 Version/26.1 Safari/604.1', 'Safari on iPad'],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/150.0.0.0 Safari/537.36 Edg/150.0', 'Edge on Windows'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 15.1; rv:153.0) Gecko/20100101 Firefox/153.0', 'Firefox on Mac'],
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/150.0.0.0 Safari/537.36', 'Chrome on Linux'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 26_1 like Mac OS X) AppleWebKit/605.1.15 CriOS/150.0 Mobile Safari/604.1',
    'Chrome on iPhone',
  ],
  ['Mozilla/5.0 (X11; CrOS x86_64) AppleWebKit/537.36 Chrome/150.0.0.0 Safari/537.36', 'Chrome on ChromeOS'],
  ['Mozilla/5.0 (Windows NT 10.0) Chrome/150.0.0.0 Safari/537.36 OPR/130.0', 'Opera on Windows'],
  [
    'Mozilla/5.0 (Linux; Android 16) SamsungBrowser/30.0 Chrome/150.0.0.0 Mobile Safari/537.36',
    'Samsung Internet on Android',
  ],
  ['curl/8.0', 'Unknown device'],
])('names the device "%s" so that its owner recognises it', (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name);
});

test('lists sessions with device, address, time and waiting changes, and marks the current one', async () => {
  let at = Date.parse('2026-11-20T12:00:00Z');
  const { client } = await startServer({ TRUSTED_PROXIES: '127.0.0.1' }, { now: () => at });
  const [tablet, desk] = [await client(), await client()];
  await signInFrom(tablet, { 'user-agent': TABLET, 'x-forwarded-for': '203.0.113.9' });
  at += 5 * MINUTE;
  await tablet.get('/api/user', { 'x-waiting-changes': '3', 'x-forwarded-for': '203.0.113.10' });
  at += 5 * MINUTE;
  await desk.signIn();
  await expect
    .poll(() => sessionsOf(desk))
    .toMatchObject([
      { isThis: true, lastSeenAt: '2026-11-20T12:10:00.000Z', address: '127.0.0.1' },
      {
        isThis: false,
        device: 'Chrome on Android',
        address: '203.0.113.10',
        signedInAt: '2026-11-20T12:00:00.000Z',
        lastSeenAt: '2026-11-20T12:05:00.000Z',
        waiting: 3,
      },
    ]);
});

test('records the use of a session once a minute, and at once when the waiting count changes', async () => {
  let at = Date.parse('2026-11-20T12:00:00Z');
  const { admin, app } = await signedIn({}, { now: () => at });
  const noted = () => app.services.db.selectFrom('tokens').select(['used_at', 'waiting']).executeTakeFirstOrThrow();
  const ask = (waiting?: string) =>
    admin.get('/api/user', waiting === undefined ? {} : { 'x-waiting-changes': waiting });
  at += MINUTE;
  await ask();
  expect((await noted()).used_at).toBe('2026-11-20T12:00:00.000Z');
  at += 1;
  await ask();
  await expect.poll(noted).toMatchObject({ used_at: '2026-11-20T12:01:00.001Z' });
  at += 1000;
  await ask('2');
  await expect.poll(noted).toEqual({ used_at: '2026-11-20T12:01:01.001Z', waiting: 2 });
  at += 1000;
  await ask('2');
  await ask();
  expect((await noted()).used_at).toBe('2026-11-20T12:01:01.001Z');
});

test('answers even if a session’s use cannot be recorded, and accepts only a number as waiting count', async () => {
  const log: string[] = [];
  const used: unknown[] = [];
  const api = fastify({ logger: { level: 'warn', stream: { write: (line) => log.push(line) } } });
  requireSignIn(api, {
    signedIn: async () => ({ user: { id: 1, name: 'A', email: 'a@example.com' }, tokenHash: 'a', role: 'owner' }),
    noteUse: async (_who, use) => {
      used.push(use);
      throw new Error('full');
    },
  });
  api.get('/', async () => ({}));
  for (const waiting of ['12', '1234567', '3 or 4', 'x'])
    expect((await api.inject({ url: '/', headers: { 'x-waiting-changes': waiting } })).statusCode).toBe(200);
  const address = '127.0.0.1';
  await expect.poll(() => used).toEqual([{ address, waiting: 12 }, { address }, { address }, { address }]);
  expect(log.map((line) => JSON.parse(line).msg)).toEqual(Array(4).fill('use of a session not noted'));
});

test('ends one session at its next request, and only the user’s own', async () => {
  const { admin, client, app } = await signedIn();
  const other = await client();
  await other.signIn();
  const [, ended] = (await sessionsOf(admin)).toSorted((one) => (one.isThis ? -1 : 1));
  const answer = await admin.post(`/api/sessions/${ended?.id}/end`, undefined);
  expect(answer.json()).toEqual({ message: 'Device logged out' });
  expect((await other.get(partners.endpoints.list)).statusCode).toBe(401);
  const again = await admin.post(`/api/sessions/${ended?.id}/end`, undefined);
  expect([again.statusCode, again.json()]).toEqual([404, { message: 'This session has ended already.' }]);

  const world = { ...app.services };
  const said = await manageAdministrators(world, ['add', 'new@example.com']);
  const stranger = await client();
  await stranger.signIn('new@example.com', /Password: (\S+)/.exec(said)?.[1] ?? '');
  await stranger.post('/api/change-password', { previous_password: /Password: (\S+)/.exec(said)?.[1] ?? '', ...NEXT });
  const [theirs, ...others] = await sessionsOf(stranger);
  expect(others).toEqual([]);
  expect((await admin.post(`/api/sessions/${theirs?.id}/end`, undefined)).statusCode).toBe(404);
});

test('ends all other sessions', async () => {
  const { admin, client } = await signedIn();
  const others = [await client(), await client()];
  for (const other of others) await other.signIn();
  await admin.post('/api/sessions/end-others', undefined);
  for (const other of others) expect((await other.get('/api/user')).statusCode).toBe(401);
  expect(await sessionsOf(admin)).toHaveLength(1);
});

test('allows nothing with a generated password before it is changed', async () => {
  const { app, client } = await startServer();
  const said = await manageAdministrators(app.services, ['reset-password', ADMIN.email]);
  const password = /: (\S+)/.exec(said)?.[1] ?? '';
  const admin = await client();
  expect((await admin.signIn(ADMIN.email, password)).json().user).toMatchObject({ owes: 'password' });
  const refused = await admin.post(partners.endpoints.create, { name: 'x' });
  expect([refused.statusCode, refused.json()]).toEqual([
    403,
    { message: 'Choose your own password first: this one was generated for you.', code: 'owed-first' },
  ]);
  expect((await admin.get('/api/people')).statusCode).toBe(403);
  const changed = await admin.post('/api/change-password', { previous_password: password, ...NEXT });
  expect(changed.statusCode).toBe(200);
  expect((await admin.get('/api/user')).json()).not.toHaveProperty('owes');
  expect((await admin.get('/api/people')).statusCode).toBe(200);
});

test('asks for no other password from a user who chose their own', async () => {
  const { admin } = await signedIn();
  expect((await admin.get('/api/user')).json()).not.toHaveProperty('owes');
});

/** A server with mail, and the letters it has sent. */
async function mailing(now: () => number = Date.now, overrides: Overrides = {}) {
  const letters: Letter[] = [];
  const sendMail = async (letter: Letter) => void letters.push(letter);
  const settings = { LOG_LEVEL: 'info', SMTP_URL: 'smtp://mail.example.com', PUBLIC_HOST: 'localhost' };
  const server = await startServer(settings, { sendMail, now, logStream: { write: () => undefined }, ...overrides });
  const guest = await server.client();
  await guest.get('/api/user');
  const forget = (email: string) => guest.post('/api/auth/forgot-password', { email });
  return { ...server, letters, guest, forget };
}

test('mails a link for a forgotten password, and does not reveal whether the address exists', async () => {
  const { guest, letters, forget } = await mailing();
  const [known, unknown] = [await forget('ADMIN@example.com'), await forget('nobody@example.com')];
  expect(known.json()).toEqual({ message: 'If there is an account with this email, a link is on its way.' });
  expect([unknown.statusCode, unknown.json()]).toEqual([known.statusCode, known.json()]);
  await expect.poll(() => letters.map(({ to }) => to)).toEqual([ADMIN.email]);
  const token = /#([\w-]{43})\n/.exec(letters[0]?.text ?? '')?.[1] ?? '';
  await guest.signIn();
  expect((await guest.post('/api/link/take', { token, ...NEXT })).statusCode).toBe(200);
  expect((await guest.get('/api/user')).statusCode).toBe(401);
  expect((await guest.post('/api/link/take', { token, ...NEXT })).statusCode).toBe(404);
  const again = await guest.signIn(ADMIN.email, NEXT.new_password);
  expect([again.statusCode, again.json().user.owes]).toEqual([200, undefined]);
});

test('mails a link for a forgotten password even if an owner has just created another one', async () => {
  const server = await mailing();
  const { letters, forget } = server;
  const owner = await withRole(server, 'owner');
  await owner.post(`/api/people/${await idOf(owner, ADMIN.email)}/reset`, undefined);
  const before = letters.length;
  await forget(ADMIN.email);
  await expect.poll(() => letters.length).toBe(before + 1);
});

test('lets such a link live for an hour, and sends only one at a time', async () => {
  let at = Date.parse('2026-11-20T12:00:00Z');
  const { guest, letters, forget } = await mailing(() => at);
  await forget(ADMIN.email);
  expect((await forget(ADMIN.email)).statusCode).toBe(429);
  // after the answer
  await expect.poll(() => letters).toHaveLength(1);
  at += 2 * MINUTE;
  expect((await forget(ADMIN.email)).statusCode).toBe(200);
  const token = /#([\w-]{43})\n/.exec(letters[0]?.text ?? '')?.[1] ?? '';
  at += 58 * MINUTE;
  expect((await guest.post('/api/link/look', { token })).statusCode).toBe(404);
  expect(letters).toHaveLength(1);
});

test('limits link requests to one per account, five per address and twenty in total', async () => {
  const { guest } = await mailing();
  const statusFor = async (email: string, remoteAddress: string) => {
    const payload = { email };
    return (await guest.send({ method: 'POST', url: '/api/auth/forgot-password', payload, remoteAddress })).statusCode;
  };
  expect(await statusFor(` ${ADMIN.email} `, '192.0.2.1')).toBe(200);
  expect(await statusFor(ADMIN.email.toUpperCase(), '192.0.2.2')).toBe(429);
  const statuses = [];
  for (let n = 0; n < 5; n += 1) statuses.push(await statusFor(`a${n}@example.com`, '192.0.2.1'));
  expect(statuses).toEqual([200, 200, 200, 200, 429]);
  for (let n = 0; n < 15; n += 1) expect(await statusFor(`b${n}@example.com`, `198.51.100.${n}`)).toBe(200);
  expect(await statusFor('c@example.com', '203.0.113.1')).toBe(429);
});

test('answers before the mail server does, and logs who asked', async () => {
  const lines: string[] = [];
  const logStream = { write: (line: string) => void lines.push(line) };
  let asked = 0;
  const sendMail = async () => {
    asked += 1;
    await new Promise(() => undefined);
  };
  const { forget } = await mailing(Date.now, { sendMail, logStream });
  expect((await forget(ADMIN.email)).statusCode).toBe(200);
  await expect.poll(() => asked).toBe(1);
  expect(lines.map((line) => JSON.parse(line)).filter(({ audit }) => audit !== undefined)).toMatchObject([
    { audit: 'password link asked for', who: ADMIN.email },
  ]);
});

test('logs that a link could not be created', async () => {
  const lines: string[] = [];
  const logStream = { write: (line: string) => void lines.push(line) };
  const sendMail = () => {
    throw new Error('no letter can be made');
  };
  const { forget } = await mailing(Date.now, { sendMail, logStream });
  expect((await forget(ADMIN.email)).statusCode).toBe(200);
  await expect.poll(() => lines.join('')).toContain('no link was sent');
});

test('tells the app the page for forgotten passwords, and has no such call without mail', async () => {
  const { guest } = await mailing();
  expect((await guest.get('/settings.json')).json()).toMatchObject({ forgotPasswordAddress: '/forgot-password' });
  const { admin } = await signedIn();
  expect((await admin.get('/settings.json')).json()).toMatchObject({ forgotPasswordAddress: '' });
  expect((await admin.post('/api/auth/forgot-password', { email: ADMIN.email })).statusCode).toBe(404);
});
