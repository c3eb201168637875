import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { certifications } from '../../src/domain/resources/certifications.ts';
import { readSettings } from '../../server/settings/settings.ts';
import { ADMIN, signedIn, startServer } from './harness.ts';

const TLS = { 'x-forwarded-proto': 'https' };

test('gives cookies the __Host- prefix under TLS, and keeps the contract’s name', async () => {
  const { app } = await startServer({ TRUSTED_PROXIES: '127.0.0.1' });
  const first = await app.inject({ url: '/api/user', headers: TLS });
  const byName = Object.fromEntries(first.cookies.map((cookie) => [cookie.name, cookie]));
  expect(Object.keys(byName).toSorted()).toEqual(['XSRF-TOKEN', '__Host-voltdesk_session']);
  for (const cookie of first.cookies) expect(cookie).toMatchObject({ secure: true, path: '/' });
  const headers = {
    ...TLS,
    cookie: first.cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
    'x-xsrf-token': byName['XSRF-TOKEN']?.value ?? '',
  };
  const signIn = await app.inject({ method: 'POST', url: '/api/auth/login', payload: ADMIN, headers });
  expect(signIn.statusCode).toBe(200);
  expect(signIn.cookies.map(({ name }) => name)).toContain('__Host-voltdesk_device');
  const plain = { ...headers, cookie: headers.cookie.replaceAll('__Host-', '') };
  expect(
    (await app.inject({ method: 'POST', url: '/api/auth/login', payload: ADMIN, headers: plain })).statusCode,
  ).toBe(419);
});

test.each([
  ['no', 'max-age=31536000'],
  ['yes', 'max-age=31536000; includeSubDomains'],
])('asks browsers for a year of TLS, with subdomains: %s', async (subdomains, expected) => {
  const { app } = await startServer({ TRUSTED_PROXIES: '127.0.0.1', HSTS_SUBDOMAINS: subdomains });
  const answer = await app.inject({ url: '/healthz', headers: TLS });
  expect(answer.headers['strict-transport-security']).toBe(expected);
  expect((await app.inject('/healthz')).headers['strict-transport-security']).toBeUndefined();
});

test('answers only under its public host name, except to health checks', async () => {
  const { app } = await startServer({ PUBLIC_HOST: 'Back-Office.example.com' });
  const asked = async (host: string, url = '/api/capabilities') =>
    (await app.inject({ url, headers: { host } })).statusCode;
  expect(await asked('back-office.example.com')).toBe(200);
  expect(await asked('BACK-OFFICE.example.com:443')).toBe(200);
  for (const host of [
    'evil.example',
    'back-office.example.com.evil.example',
    'back-office.example.com:80@evil.example',
    'back-office.example.com:evil.example',
    '127.0.0.1',
  ]) {
    expect([host, await asked(host), await asked(host, '/')]).toEqual([host, 421, 421]);
    expect(await asked(host, '/healthz')).toBe(200);
    const message = 'This server answers as back-office.example.com only.';
    expect((await app.inject({ url: '/', headers: { host } })).json()).toEqual({ message, code: 'wrong-host' });
  }
});

test('refuses a request with several hosts, whichever of them is right', async () => {
  const { app } = await startServer({ PUBLIC_HOST: 'back-office.example.com' });
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const answerTo = async (head: string) => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`${head}\r\nConnection: close\r\n\r\n`);
    return (await text(socket)).split('\r\n')[0];
  };
  const [own, other] = ['Host: back-office.example.com', 'Host: evil.example'];
  const get = 'GET /api/capabilities HTTP/1.1';
  expect(await answerTo(`${get}\r\n${own}`)).toBe('HTTP/1.1 200 OK');
  for (const hosts of [
    [own, own],
    [own, other],
    [other, own],
  ])
    expect(await answerTo(`${get}\r\n${hosts.join('\r\n')}`)).toBe('HTTP/1.1 400 Bad Request');
  expect(await answerTo(`GET http://evil.example/api/capabilities HTTP/1.1\r\n${own}`)).toMatch(/^HTTP\/1.1 4/);
});

test('takes no other host from a trusted proxy', async () => {
  const { app } = await startServer({ PUBLIC_HOST: 'back-office.example.com', TRUSTED_PROXIES: '127.0.0.1' });
  const asked = async (forwarded: string) =>
    (await app.inject({ url: '/api/capabilities', headers: { host: 'voltdesk:3000', 'x-forwarded-host': forwarded } }))
      .statusCode;
  expect(await asked('back-office.example.com')).toBe(200);
  for (const host of [
    'evil.example',
    'back-office.example.com:80@evil.example',
    'back-office.example.com, evil.example',
  ])
    expect([host, await asked(host)]).toEqual([host, 421]);
});

test('names invalid security settings', () => {
  const bad = { PUBLIC_HOST: 'https://a.example', HSTS_SUBDOMAINS: 'perhaps' };
  expect(() => readSettings(bad)).toThrow(/PUBLIC_HOST[^]*HSTS_SUBDOMAINS/);
});

test('lets no page of another origin read its answers', async () => {
  const { app } = await startServer();
  const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
  for (const method of ['GET', 'OPTIONS'] as const)
    for (const url of ['/', '/api/user', '/settings.json', '/uploads/none.png', '/api/auth/login']) {
      const answer = await app.inject({ method, url, headers });
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
});

test('forbids caching of answers meant for one user', async () => {
  const { admin, client } = await signedIn();
  const other = await client();
  const answers = [
    await other.signIn(),
    await admin.get('/api/user'),
    await admin.get('/api/changes/12345678'),
    await admin.post('/api/change-password', {}),
    await admin.get('/api/nothing'),
    await admin.get(`${certifications.endpoints.single}/99`),
    await admin.post('/api/logout', undefined),
    await admin.get('/api/user'),
  ];
  for (const answer of answers) expect(answer.headers['cache-control']).toBe('no-store');
});

const MALFORMED = [
  ['an address that is none', 'GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
  ['a request that is none', 'HELLO\r\n\r\n'],
  ['a header that is none', 'GET / HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n'],
  ['headers without measure', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`],
  [
    'two ways to tell its length',
    'POST /api/logout HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x HTTP/1.1\r\n\r\n',
  ],
  ['two lengths', 'POST /api/logout HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
] as const;

test.each(MALFORMED)('answers %s in JSON, with the strict headers', async (what, request) => {
  const { app } = await startServer();
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(request);
  const answer = (await text(socket)).toLowerCase();
  expect(answer).toMatch(what === 'headers without measure' ? /^http\/1\.1 431 / : /^http\/1\.1 400 /);
  for (const line of ['x-content-type-options: nosniff', 'cache-control: no-store', 'application/json'])
    expect(answer).toContain(line);
  expect(answer).toContain("content-security-policy: default-src 'none'");
  expect(answer).toContain(`this ${what === 'an address that is none' ? 'address' : 'request'} cannot be read.`);
  expect((await app.inject('/healthz')).statusCode).toBe(200);
});

test('tells strangers only that it is not ready, and local requests also why', async () => {
  const { app } = await startServer({ TRUSTED_PROXIES: '10.0.0.1' });
  Object.assign(app.services.storage, { folder: '/nowhere' });
  const local = await app.inject('/readyz');
  expect(local.json()).toEqual({ status: 'not ready', message: 'The uploads folder cannot be written to.' });
  const strangers = [
    await app.inject({ url: '/readyz', remoteAddress: '192.0.2.7' }),
    await app.inject({ url: '/readyz', headers: { 'x-forwarded-for': '192.0.2.7' } }),
  ];
  for (const answer of strangers) {
    expect([answer.statusCode, answer.json()]).toEqual([503, { status: 'not ready' }]);
  }
  for (const remoteAddress of ['::1', '::ffff:127.0.0.1']) {
    expect((await app.inject({ url: '/readyz', remoteAddress })).json()).toHaveProperty('message');
  }
});

test('logs why it is not ready, but not every health check', async () => {
  const log: string[] = [];
  const { app } = await startServer({ LOG_LEVEL: 'info' }, { logStream: { write: (line) => log.push(line) } });
  for (const url of ['/healthz', '/readyz']) await app.inject(url);
  expect(log).toEqual([]);
  Object.assign(app.services.storage, { folder: '/nowhere' });
  const answer = await app.inject('/readyz');
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(log.map((line) => JSON.parse(line).msg)).toEqual(['not ready: The uploads folder cannot be written to.']);
});

test('logs a request with its method, URL and client address, but without headers', async () => {
  const log: string[] = [];
  const { app } = await startServer({ LOG_LEVEL: 'info' }, { logStream: { write: (line) => log.push(line) } });
  const headers = { authorization: 'Bearer secret-token', cookie: 'a=secret-cookie' };
  await app.inject({ url: '/api/user?x=1', headers, remoteAddress: '192.0.2.7' });
  const requests = log.map((line) => JSON.parse(line).req).filter((facts) => facts !== undefined);
  expect(requests).toEqual([{ method: 'GET', url: '/api/user?x=1', address: '192.0.2.7' }]);
  expect(log.join('')).not.toContain('secret');
});
