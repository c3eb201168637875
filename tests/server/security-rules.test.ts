import { randomBytes } from 'node:crypto';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import cookies from '@fastify/cookie';
import { TOTP } from 'otpauth';
import { expect, onTestFinished, test } from 'vitest';
import { limitsFor } from '../../server/protocol/auth.ts';
import { assertName, letterWith } from '../../server/protocol/people.ts';
import { guardAgainstForgery } from '../../server/security/anti-forgery.ts';
import { audit } from '../../server/security/audit.ts';
import { deviceName } from '../../server/security/device-name.ts';
import { requireFresh } from '../../server/security/fresh.ts';
import { setSecurityHeaders } from '../../server/security/headers.ts';
import { knownDevice, rememberDevice } from '../../server/security/known-device.ts';
import { newPasswordErrors } from '../../server/security/new-password.ts';
import { newSecret, restFor, setUpAddress, stepOf } from '../../server/security/one-time-codes.ts';
import { requireNothingOwed } from '../../server/security/owed.ts';
import { creationOptions, requestOptions, siteOf } from '../../server/security/passkeys.ts';
import { passwordHashing } from '../../server/security/passwords.ts';
import { newRecoveryCodes, recoveryCodeIn } from '../../server/security/recovery-codes.ts';
import { credentialsOf, requireSignIn } from '../../server/security/session.ts';
import { visitorOf } from '../../server/security/visitor.ts';
import type { StoredPasskey } from '../../server/stores/factors.ts';
import type { SignedIn } from '../../server/stores/store.ts';
import { testSettings } from './harness.ts';

const MINUTE = 60_000;
const NOW = Date.parse('2026-11-20T12:00:00Z');
const signedIn = (more: Partial<SignedIn> = {}): SignedIn => ({
  user: { id: 1, name: 'Administrator', email: 'a@example.com' },
  tokenHash: 'a',
  ...more,
});

test.each([
  ['::FFFF:192.0.2.7', '192.0.2.7'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['fe80::', 'fe80:0:0:0'],
  ['1:2:3:4:5:6:7:8', '1:2:3:4'],
  ['1:2:3:4:5:6:7::', '1:2:3:4'],
  ['no address', 'no address'],
])('counts attempts from %s as from %s', (address, visitor) => {
  expect(visitorOf(address)).toBe(visitor);
});

test.each([
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 26_1 like Mac OS X) FxiOS/150.0 Mobile Safari/604.1', 'Firefox on iPhone'],
  ['Mozilla/5.0 (iPad; CPU OS 26_1 like Mac OS X) Version/26.1 EdgiOS/150.0 Mobile Safari/604.1', 'Edge on iPad'],
  ['Mozilla/5.0 (Linux; Android 16) Chrome/150.0.0.0 Mobile Safari/537.36 EdgA/150.0', 'Edge on Android'],
  ['Mozilla/5.0 (X11; Linux x86_64) Chromium/150.0 Safari/537.36', 'Chrome on Linux'],
  ['Reader (Android 16)', 'Android'],
  ['Firefox/153.0', 'Firefox'],
])('names the device of %s as %s', (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name);
});

test('limits a sign-in by device if known, and otherwise by account, address and both', () => {
  expect(limitsFor('a@b', '192.0.2.7', 'nonce')).toEqual([{ key: 'device nonce', most: 5 }]);
  expect(limitsFor('a@b', '192.0.2.7', undefined)).toEqual([
    { key: '192.0.2.7 a@b', most: 5 },
    { key: '192.0.2.7', most: 20 },
    { key: 'account a@b', most: 10 },
  ]);
});

test('allows changes of sign-in methods for a quarter of an hour after a sign-in, to the millisecond', () => {
  const signedInAt = new Date(NOW).toISOString();
  expect(() => requireFresh(signedIn({ signedInAt }), NOW + 15 * MINUTE)).not.toThrow();
  expect(() => requireFresh(signedIn({ signedInAt }), NOW + 15 * MINUTE + 1)).toThrow('Sign in again');
  expect(() => requireFresh(signedIn(), NOW)).toThrow('Sign in again');
});

test('blocks codes for a quarter of an hour after ten wrong ones, stated in whole seconds', () => {
  const failedAt = new Date(NOW).toISOString();
  expect(restFor({ failures: 9, failedAt }, NOW)).toBeUndefined();
  expect(restFor({ failures: 10 }, NOW)).toBeUndefined();
  expect(restFor({ failures: 10, failedAt }, NOW + 1)).toBe(900);
  expect(restFor({ failures: 11, failedAt }, NOW + 15 * MINUTE - 1)).toBe(1);
  expect(restFor({ failures: 10, failedAt }, NOW + 15 * MINUTE)).toBeUndefined();
  // set back by seconds between two servers, and by a day
  expect(restFor({ failures: 10, failedAt }, NOW - MINUTE / 4)).toBe(900);
  expect(restFor({ failures: 10, failedAt }, NOW - 24 * 60 * MINUTE)).toBeUndefined();
});

test('accepts a code in its own step, the one before or the one after, and in no other', () => {
  const secret = newSecret(randomBytes);
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  const code = new TOTP({ secret, digits: 6, period: 30, algorithm: 'SHA1' }).generate({ timestamp: NOW });
  const step = NOW / 30_000;
  const seen = [-60, -30, 0, 29, 30, 60].map((seconds) => stepOf(secret, code, NOW + seconds * 1000));
  expect(seen).toEqual([undefined, step, step, step, step, undefined]);
});

test('labels an authenticator app with site and account, whatever characters are in them', () => {
  const address = new URL(setUpAddress('A'.repeat(32), { issuer: ' North: Power:East', account: 'a:b:c@example.com' }));
  expect(decodeURIComponent(address.pathname)).toBe('/North  Power East:a b c@example.com');
  expect(Object.fromEntries(address.searchParams)).toEqual({
    issuer: 'North  Power East',
    secret: 'A'.repeat(32),
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});

test('recognises a recovery code however typed, and creates ten different ones', () => {
  const codes = newRecoveryCodes(randomBytes);
  expect([codes.length, new Set(codes).size]).toEqual([10, 10]);
  for (const code of codes) expect(code).toMatch(/^[a-km-np-z2-9]{5}-[a-km-np-z2-9]{5}$/);
  for (const typed of ['k7fmq-29qxa', 'K7FMQ29QXA', ' k7fmq 29qxa\n', 'k7-fmq-29-qxa'])
    expect(recoveryCodeIn(typed)).toBe('k7fmq-29qxa');
  for (const typed of ['k7fmq-29qx', 'k7fmq-29qxaa', '']) expect(recoveryCodeIn(typed)).toBeUndefined();
});

test('refuses a new password that is or is made of email or name, in any case', async () => {
  const owner = { name: 'Clementine Okonkwo', email: 'clementine@example.com' };
  const errors = (next: string) => newPasswordErrors(['Voltdesk'], owner, { next, confirmation: next });
  const own = { new_password: ['The new password must not be your email or name.'] };
  expect(await errors('CLEMENTINE okonkwo')).toEqual(own);
  expect(await errors('Clementine@Example.com')).toEqual(own);
  const common = { new_password: ['The new password is too common. Choose one that is hard to guess.'] };
  expect(await errors('okonkwo-clementine-1')).toEqual(common);
  expect(await errors('seven green parrots')).toEqual({});
});

test('hashes a set of secrets with one salt, finds one by a single hash, and rejects others', async () => {
  const { hashSet, find, hash, verify } = passwordHashing({ memory: 8, passes: 1, parallelism: 1 });
  const set = await hashSet(['one', 'two', 'three']);
  expect(new Set(set.map((stored) => stored.split('$')[4])).size).toBe(1);
  for (const [index, secret] of ['one', 'two', 'three'].entries()) expect(await find(secret, set)).toBe(set[index]);
  expect([await find('four', set), await find('one', [])]).toEqual([undefined, undefined]);
  // as another keyboard encodes it
  expect(await verify('Cafe\u0301 ﬁne place', await hash('Café fine place'))).toBe(true);
});

test('truncates typed text in the log to a hundred characters', () => {
  const lines: object[] = [];
  const log = { child: () => ({ info: (facts: object) => lines.push(facts) }) };
  audit({ ip: '192.0.2.7', log } as unknown as FastifyRequest, 'sign-in refused', 'x'.repeat(101));
  expect(lines).toEqual([{ audit: 'sign-in refused', who: 'x'.repeat(100), address: '192.0.2.7' }]);
});

test('limits a name to a hundred readable characters', () => {
  expect(() => assertName('ü'.repeat(100))).not.toThrow();
  for (const name of ['x'.repeat(101), 'a\u0000b', 'a\nb']) expect(() => assertName(name)).toThrow();
});

test('states in a letter until when its link works, to the minute', () => {
  const expiresAt = '2026-11-23T09:05:59.000Z';
  const words = { subject: 'S', begin: 'B' };
  expect(letterWith(words, { to: 'a@b', address: 'https://x/#t', expiresAt })).toEqual({
    to: 'a@b',
    subject: 'S',
    text: 'B\n\nhttps://x/#t\n\nThe link works once, until 2026-11-23 09:05 UTC. Nobody else needs it: do not pass it on.\n',
  });
});

const PASSKEY = { id: 'AQID', transports: ['usb', 'internal'] } as unknown as StoredPasskey;
const SITE = { name: 'Northern', host: 'desk.example.com', origin: 'https://desk.example.com' };

test('creates a passkey for this site and user, excludes known ones, and times out after four minutes', async () => {
  const options = await creationOptions(SITE, { id: 7, name: 'Clementine', email: 'c@example.com' }, [PASSKEY]);
  expect(options).toMatchObject({
    rp: { name: 'Northern', id: 'desk.example.com' },
    user: { name: 'c@example.com', displayName: 'Clementine', id: Buffer.from('voltdesk 7').toString('base64url') },
    timeout: 240_000,
    attestation: 'none',
    excludeCredentials: [{ id: 'AQID', transports: ['usb', 'internal'] }],
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
  expect(options.pubKeyCredParams.map(({ alg }) => alg)).toEqual([-8, -7, -257]);
  const other = await creationOptions(SITE, { id: 8, name: 'C', email: 'c' }, []);
  expect([other.user.id === options.user.id, other.challenge === options.challenge]).toEqual([false, false]);
});

test('requires user verification for a passkey alone, but not after a password', async () => {
  const [alone, beside] = [await requestOptions(SITE, []), await requestOptions(SITE, [PASSKEY])];
  expect(alone).toMatchObject({ rpId: 'desk.example.com', userVerification: 'required', timeout: 240_000 });
  expect(beside).toMatchObject({ userVerification: 'preferred', allowCredentials: [{ id: 'AQID' }] });
});

test.each([
  ['https', 'desk.example.com:443', 'https://desk.example.com'],
  ['http', 'localhost:3000', 'http://localhost:3000'],
])('derives the site of %s at %s as %s', (protocol, host, origin) => {
  const hostname = host.split(':')[0] ?? '';
  expect(siteOf({ protocol, host, hostname } as FastifyRequest, 'N')).toEqual({ name: 'N', host: hostname, origin });
});

test('reads a bearer token in any case, and nothing else as one', () => {
  const token = (authorization: string) => credentialsOf({ headers: { authorization } } as FastifyRequest).token;
  expect(['Bearer abc', 'bearer abc', 'BEARER a-b_c.d'].map(token)).toEqual(['abc', 'abc', 'a-b_c.d']);
  expect(['Basic abc', 'Bearer', 'Bearer a b', 'xBearer abc', ''].map(token)).toEqual(['', '', '', '', '']);
});

/** A server with these routes and the warnings of its log. Closed when the test ends. */
async function serverOf(...plugins: ((app: FastifyInstance) => void)[]) {
  const lines: object[] = [];
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const app: FastifyInstance = fastify({ trustProxy: true, logger: { level: 'warn', stream } });
  onTestFinished(() => app.close());
  await app.register(cookies);
  for (const plugin of plugins) plugin(app);
  return Object.assign(app, { lines });
}

test('recognises a device for its account in any case, for a year, and for no other account', async () => {
  const secret = Buffer.from('a secret');
  const app = await serverOf((own) => {
    own.get('/remember', (request, reply) => {
      rememberDevice(request, reply, { secret, email: 'A@example.com' });
      return reply.send();
    });
    own.get<{ Querystring: { email: string } }>('/known', async (request) => ({
      device: knownDevice(request, secret, request.query.email) ?? 'none',
    }));
  });
  const headers = { 'x-forwarded-proto': 'https' };
  const [given] = (await app.inject({ url: '/remember', headers })).cookies;
  expect(given).toMatchObject({
    name: '__Host-voltdesk_device',
    maxAge: 31_536_000,
    httpOnly: true,
    secure: true,
    sameSite: 'Strict',
    path: '/',
  });
  const [plain] = (await app.inject('/remember')).cookies;
  expect([plain?.name, plain?.secure]).toEqual(['voltdesk_device', undefined]);
  const known = async (email: string, value = plain?.value ?? '') =>
    (await app.inject({ url: `/known?email=${email}`, cookies: { voltdesk_device: value } })).json().device;
  const nonce = plain?.value.split('.')[0];
  expect([await known('A@example.com'), await known('a@EXAMPLE.com')]).toEqual([nonce, nonce]);
  expect([await known('b@example.com'), await known('a@example.com', `x${plain?.value}`)]).toEqual(['none', 'none']);
});

test('records a waiting count of up to six digits with a use, and logs a use that cannot be recorded', async () => {
  const uses: object[] = [];
  const app = await serverOf((own) => {
    requireSignIn(own, {
      signedIn: async () => signedIn(),
      noteUse: async (_who, use) => {
        uses.push(use);
        if (uses.length > 4) throw new Error('full');
      },
    });
    own.get('/', async () => 'here');
  });
  const ask = (waiting?: string) =>
    app.inject({
      url: '/',
      headers: { 'x-forwarded-for': '203.0.113.9', ...(waiting && { 'x-waiting-changes': waiting }) },
    });
  for (const waiting of ['999999', '1000000', '3x', undefined]) await ask(waiting);
  const address = '203.0.113.9';
  expect(uses).toEqual([{ address, waiting: 999_999 }, { address }, { address }, { address }]);
  expect((await ask('1')).body).toBe('here');
  await expect.poll(() => app.lines).toMatchObject([{ user: 1, msg: 'use of a session not noted' }]);
});

test('lets a user who owes something see it, settle it, and log out', async () => {
  const owing = { current: 'password' as NonNullable<SignedIn['owes']> };
  const PATHS = ['', '/authenticator', '/authenticator/take', '/passkeys/options', '/passkeys', '/recovery-codes'];
  const app = await serverOf((own) => {
    own.decorateRequest('signedIn', null);
    own.addHook('onRequest', async (request) => void (request.signedIn = signedIn({ owes: owing.current })));
    requireNothingOwed(own);
    for (const path of [
      '/api/user',
      '/api/logout',
      '/api/change-password',
      '/api/partners',
      ...PATHS.map((end) => `/api/security${end}`),
    ])
      own.get(path, async () => 'yes');
  });
  const allowed = async () => {
    const paths = [
      '/api/user',
      '/api/logout',
      '/api/change-password',
      '/api/partners',
      ...PATHS.map((end) => `/api/security${end}`),
    ];
    const answers = await Promise.all(paths.map((url) => app.inject(url)));
    return paths.filter((_path, index) => answers[index]?.body === 'yes');
  };
  expect(await allowed()).toEqual(['/api/user', '/api/logout', '/api/change-password']);
  owing.current = 'second-factor';
  expect(await allowed()).toEqual([
    '/api/user',
    '/api/logout',
    ...['', '/authenticator', '/authenticator/take', '/passkeys/options', '/passkeys'].map(
      (end) => `/api/security${end}`,
    ),
  ]);
});

test('lets reads through the anti-forgery check, including HEAD and OPTIONS, and reports other sites', async () => {
  const seal = { secret: Buffer.from('s'), randomBytes };
  const app = await serverOf((own) => {
    guardAgainstForgery(own, seal);
    own.route({ method: ['GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE', 'PATCH'], url: '/', handler: async () => 'ok' });
  });
  const first = await app.inject('/');
  const [session, value] = first.cookies as { name: string; value: string; maxAge?: number; httpOnly?: boolean }[];
  expect([session, value]).toMatchObject([
    { name: 'voltdesk_session', maxAge: 2_592_000, httpOnly: true },
    { name: 'XSRF-TOKEN', maxAge: 2_592_000 },
  ]);
  expect(value?.httpOnly).toBeUndefined();
  const cookie = `voltdesk_session=stump; voltdesk_session=${session?.value}`;
  const status = async (
    method: 'HEAD' | 'OPTIONS' | 'POST' | 'DELETE' | 'PATCH',
    headers: Record<string, string> = {},
  ) => (await app.inject({ method, url: '/', headers })).statusCode;
  const proof = { cookie, 'x-xsrf-token': value?.value ?? '' };
  expect([await status('HEAD'), await status('OPTIONS')]).toEqual([200, 200]);
  for (const method of ['POST', 'DELETE', 'PATCH'] as const) {
    expect([await status(method), await status(method, proof)]).toEqual([419, 200]);
    expect(await status(method, { ...proof, 'x-xsrf-token': `${value?.value}x` })).toBe(419);
    for (const [site, expected] of [
      ['same-origin', 200],
      ['none', 200],
      ['same-site', 403],
      ['cross-site', 403],
    ] as const)
      expect([site, await status(method, { ...proof, 'sec-fetch-site': site })]).toEqual([site, expected]);
  }
});

test('answers health checks under any host name, and enforces TLS in browsers only over TLS', async () => {
  const app = await serverOf((own) => {
    setSecurityHeaders(own, testSettings({ PUBLIC_HOST: 'desk.example.com', HSTS_SUBDOMAINS: 'yes' }));
    for (const url of ['/', '/healthz', '/readyz', '/metrics', '/uploads/:file']) own.get(url, async () => 'ok');
  });
  const status = async (url: string, host: string) => (await app.inject({ url, headers: { host } })).statusCode;
  expect([await status('/', 'Desk.Example.com'), await status('/', 'other.example.com')]).toEqual([200, 421]);
  for (const url of ['/healthz', '/readyz', '/metrics'])
    expect([url, await status(url, '10.0.0.1')]).toEqual([url, 200]);
  const headersOf = async (protocol: string, url = '/') =>
    (await app.inject({ url, headers: { host: 'desk.example.com', 'x-forwarded-proto': protocol } })).headers;
  expect((await headersOf('https'))['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
  expect((await headersOf('http'))['strict-transport-security']).toBeUndefined();
  expect((await headersOf('http'))['cross-origin-resource-policy']).toBe('same-origin');
  expect((await headersOf('http', '/uploads/a.png'))['cross-origin-resource-policy']).toBe('cross-origin');
});
