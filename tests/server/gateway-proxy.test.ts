import { createHash } from 'node:crypto';
import { createServer, request as requestOf, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { buildGateway, type GatewayOverrides } from '../../server/gateway.ts';
import { freshFolder, testSettings } from './harness.ts';

async function backEnd(listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function frontOf(
  apiUrl: string,
  overrides: GatewayOverrides = {},
  more: Record<string, string> = {},
): Promise<string> {
  const folders = { DATA_DIR: await freshFolder(), APP_DIR: await freshFolder() };
  const settings = testSettings({ API_URL: apiUrl, ...folders, ...more });
  const app = await buildGateway(settings, overrides);
  onTestFinished(() => app.close());
  return app.listen({ host: '127.0.0.1', port: 0 });
}

test('passes on a request unchanged, and every cookie of its answer', async () => {
  const seen: { url?: string; headers?: Record<string, unknown>; body: string } = { body: '' };
  const url = await backEnd((request, response) => {
    seen.url = request.url ?? '';
    seen.headers = request.headers;
    request.on('data', (chunk) => (seen.body += chunk));
    request.on('end', () => {
      response.setHeader('Set-Cookie', ['XSRF-TOKEN=a%3D; path=/', 'laravel_session=b; httponly']);
      response.writeHead(419, 'unknown status', { 'Content-Type': 'application/json' });
      response.end('{"message":"CSRF token mismatch."}');
    });
  });
  const front = await frontOf(url);
  const answer = await fetch(`${front}/api/get-gti-brands?page=2`, {
    method: 'POST',
    body: new URLSearchParams({ a: '1 2' }),
    headers: { cookie: 'XSRF-TOKEN=x', 'x-xsrf-token': 'x', authorization: 'Bearer t' },
  });
  expect(answer.status).toBe(419);
  expect(await answer.json()).toEqual({ message: 'CSRF token mismatch.' });
  expect(answer.headers.getSetCookie()).toEqual(['XSRF-TOKEN=a%3D; path=/', 'laravel_session=b; httponly']);
  expect(seen.url).toBe('/api/get-gti-brands?page=2');
  expect(seen.body).toBe('a=1+2');
  expect(seen.headers).toMatchObject({ cookie: 'XSRF-TOKEN=x', 'x-xsrf-token': 'x', authorization: 'Bearer t' });
});

test.each(['/shop', '/shop/'])('passes on requests below the path of the back end’s address: %s', async (path) => {
  const asked: string[] = [];
  const url = await backEnd((request, response) => {
    asked.push(request.url ?? '');
    response.end('{}');
  });
  const front = await frontOf(url + path);
  for (const one of ['/api/get-generators-series?a=1', '/uploads/a.png'])
    await (await fetch(front + one)).arrayBuffer();
  expect(asked).toEqual(['/shop/api/get-generators-series?a=1', '/shop/uploads/a.png']);
});

test('asks the back end only once who owns a token, and again after a logout', async () => {
  const asked: string[] = [];
  const url = await backEnd((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.setHeader('Content-Type', 'application/json').end('{"id":1,"name":"Nadia","message":"Done."}');
  });
  const front = await frontOf(url);
  const ask = async (method: string, path: string) => {
    const answer = await fetch(front + path, { method, headers: { authorization: 'Bearer t' } });
    await answer.arrayBuffer();
  };
  const users = () => asked.filter((one) => one === 'GET /api/user').length;
  await ask('GET', '/api/changes/some-key-of-ours');
  await ask('POST', '/api/get-gti-brands');
  await ask('GET', '/api/changes/some-key-of-ours');
  expect(users()).toBe(1);
  await ask('POST', '/api/logout');
  await ask('GET', '/api/changes/some-key-of-ours');
  expect(users()).toBe(2);
});

test('streams a body while it still arrives', async () => {
  let heard: (text: string) => void = () => undefined;
  const first = new Promise<string>((resolve) => (heard = resolve));
  const url = await backEnd((request, response) => {
    request.once('data', (chunk) => heard(String(chunk)));
    request.resume().on('end', () => response.end('done'));
  });
  const front = new URL(await frontOf(url));
  const socket = connect(Number(front.port), front.hostname);
  socket.write(
    'POST /api/get-gti-brands HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 10\r\n\r\nhalf',
  );
  expect(await first).toBe('half');
  socket.write('rest..');
  expect(await new Promise((resolve) => socket.once('data', (data) => resolve(String(data))))).toContain('200 OK');
  socket.destroy();
});

test('ends the request to the back end when an upload breaks off', async () => {
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<boolean>();
  const url = await backEnd((request) => {
    request.once('data', () => begun.resolve());
    request.once('close', () => ended.resolve(request.complete)).once('error', () => undefined);
  });
  const front = new URL(await frontOf(url));
  const socket = connect(Number(front.port), front.hostname);
  socket.write(
    'POST /api/get-gti-brands HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 10\r\n\r\nhalf',
  );
  await begun.promise;
  socket.destroy();
  expect(await ended.promise).toBe(false);
});

test('answers 503 with an explanation and a retry time while the back end is away', async () => {
  const front = await frontOf('http://127.0.0.1:9');
  const answer = await fetch(`${front}/api/user`);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await answer.json()).toMatchObject({
    code: 'back-end-away',
    message: expect.stringContaining('cannot be reached'),
  });
});

test('answers 504 with an explanation when the back end stays silent', async () => {
  const front = await frontOf(await backEnd(() => undefined), { answerTime: 300 });
  const answer = await fetch(`${front}/api/user`);
  expect(answer.status).toBe(504);
  expect(await answer.json()).toMatchObject({ code: 'back-end-silent' });
});

test('waits longer for a back end than a connection may be silent', async () => {
  let requests = 0;
  const url = await backEnd((request, response) => {
    requests += 1;
    request.resume().on('end', () => setTimeout(() => response.end('done'), 1000));
  });
  const timeLimits = { request: 60_000, headers: 60_000, silence: 200, handling: 60_000, linger: 1_000 };
  const front = await frontOf(url, { timeLimits });
  const answer = await fetch(`${front}/api/get-gti-brands`, { method: 'POST', body: 'x' });
  expect(await answer.text()).toBe('done');
  expect(await (await fetch(`${front}/api/get-sps`)).text()).toBe('done');
  expect(requests).toBe(2);
});

test.each(['GET', 'POST'])('sends a %s only once, even when the back end cuts the connection', async (method) => {
  let requests = 0;
  const url = await backEnd((request) => {
    requests += 1;
    request.resume().on('end', () => request.socket.destroy());
  });
  const front = await frontOf(url);
  const answer = await fetch(`${front}/api/get-gti-brands`, { method, ...(method === 'GET' ? {} : { body: 'x' }) });
  expect(answer.status).toBe(503);
  expect(requests).toBe(1);
});

test('passes on a busy answer with its retry time, without retrying itself', async () => {
  let requests = 0;
  const url = await backEnd((_request, response) => {
    requests += 1;
    response.writeHead(503, { 'Retry-After': '0' }).end('busy');
  });
  const answer = await fetch(`${await frontOf(url)}/api/get-sps`);
  expect([answer.status, answer.headers.get('retry-after'), await answer.text()]).toEqual([503, '0', 'busy']);
  expect(requests).toBe(1);
});

test('is ready while the back end answers, even with 404 to an unknown call', async () => {
  const front = await frontOf(await backEnd((_request, response) => response.writeHead(404).end()));
  const answer = await fetch(`${front}/readyz`);
  expect([answer.status, await answer.json()]).toEqual([200, { status: 'ready' }]);
});

test.each([
  ['is away', async () => 'http://127.0.0.1:9', 'The back end cannot be reached.'],
  ['stays silent', () => backEnd(() => undefined), 'The back end does not answer.'],
  [
    'is under maintenance',
    () => backEnd((_request, response) => response.writeHead(503).end()),
    'The back end answers with an error (503).',
  ],
  [
    'is a site that shows pages only',
    () => backEnd((_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello</p>')),
    'The back end answers with pages instead of JSON. Is API_URL its address?',
  ],
])('is not ready while the back end %s, and says why', async (_what, address, message) => {
  const front = await frontOf(await address(), { answerTime: 300 });
  const answer = await fetch(`${front}/readyz`);
  expect([answer.status, await answer.json()]).toEqual([503, { status: 'not ready', message }]);
  expect((await fetch(`${front}/healthz`)).status).toBe(200);
});

test('asks the back end once a second, however many readiness checks it gets, and notices its return', async () => {
  let asked = 0;
  let status = 503;
  const url = await backEnd((_request, response) => ((asked += 1), response.writeHead(status).end()));
  let at = 0;
  const front = await frontOf(url, { now: () => at });
  const ready = async () => (await fetch(`${front}/readyz`)).status;
  expect(await Promise.all([ready(), ready(), ready()])).toEqual([503, 503, 503]);
  status = 404;
  at = 999;
  expect(await ready()).toBe(503);
  expect(asked).toBe(1);
  at = 1000;
  expect(await ready()).toBe(200);
  expect(asked).toBe(2);
});

test('serves the settings and its own health itself', async () => {
  const front = await frontOf('http://127.0.0.1:9');
  expect((await fetch(`${front}/settings.json`)).status).toBe(200);
  expect((await fetch(`${front}/healthz`)).status).toBe(200);
});

test('passes on a form of several megabytes without losing a byte', async () => {
  const hash = createHash('sha256');
  const url = await backEnd((request, response) => {
    request.on('data', (chunk) => hash.update(chunk)).on('end', () => response.end(hash.digest('hex')));
  });
  const front = await frontOf(url);
  const form = new FormData();
  form.append('catalog', new File([new Uint8Array(3_000_000).fill(7)], 'a.pdf'));
  const request = new Request(`${front}/api/get-gti-brands`, { method: 'POST', body: form });
  const bytes = Buffer.from(await request.clone().arrayBuffer());
  const answer = await fetch(request.url, { method: 'POST', body: bytes, headers: request.headers });
  expect(await answer.text()).toBe(createHash('sha256').update(bytes).digest('hex'));
});

test('passes on pictures of the back end with their type and caching', async () => {
  const url = await backEnd((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'image/png', 'Cache-Control': 'max-age=60' });
    response.end(Buffer.from([1, 2, 3]));
  });
  const answer = await fetch(`${await frontOf(url)}/uploads/a.png`);
  expect(answer.headers.get('content-type')).toBe('image/png');
  expect(answer.headers.get('cache-control')).toBe('max-age=60');
  expect(new Uint8Array(await answer.arrayBuffer())).toEqual(new Uint8Array([1, 2, 3]));
});

test('refuses paths that lead out of /api and /uploads of the back end', async () => {
  const seen: string[] = [];
  const url = await backEnd((request, response) => {
    seen.push(request.url ?? '');
    response.end('{}');
  });
  const front = new URL(await frontOf(url));
  for (const path of [
    '/api/../secret',
    '/api/%2e%2e/secret',
    '/uploads/..%2fsecret',
    '/api//evil.example/x',
    '//evil.example/api/x',
    '/%61pi/%2e%2e/secret',
    '/%61pi/x',
    'http://evil.example/api/x',
    'http://evil.example/secret',
    'http://evil.example/api/../secret',
  ]) {
    const socket = connect(Number(front.port), front.hostname);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    await new Promise((resolve) => socket.on('close', resolve).resume());
  }
  for (const path of seen) expect(path).toMatch(/^\/(api|uploads)\//);
  for (const path of seen) expect(new URL(path, 'http://x').pathname).toMatch(/^\/(api|uploads)\//);
});

test('tells the back end the client’s address itself, and drops headers that a client could forge', async () => {
  let seen: Record<string, unknown> = {};
  const url = await backEnd((request, response) => ((seen = request.headers), response.end('{}')));
  const forged = {
    'x-forwarded-for': '10.0.0.1',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-port': '1',
    'x-forwarded-prefix': '/evil',
    forwarded: 'for=10.0.0.1',
    'x-real-ip': '10.0.0.1',
    'x-original-url': '/admin',
    'x-rewrite-url': '/admin',
    'x-client-ip': '10.0.0.1',
    'true-client-ip': '10.0.0.1',
  };
  const others = { 'x-real-ip-list': 'a', 'not-forwarded': 'b' };
  await fetch(`${await frontOf(url)}/api/get-sps`, { headers: { ...forged, ...others } });
  const said = Object.keys(seen).filter((name) => name in forged);
  expect(said.toSorted()).toEqual(['x-forwarded-for', 'x-forwarded-host']);
  expect(seen).toMatchObject({ 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'http', ...others });
  expect(seen['x-forwarded-host']).not.toBe('evil.example');
});

test('passes on that a browser used TLS when a trusted proxy says so', async () => {
  let seen: Record<string, unknown> = {};
  const url = await backEnd((request, response) => ((seen = request.headers), response.end('{}')));
  const front = await frontOf(url, {}, { TRUSTED_PROXIES: '127.0.0.1' });
  const said = { 'x-forwarded-for': '192.0.2.7', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'desk.example.com' };
  await fetch(`${front}/api/get-sps`, { headers: said });
  expect(seen).toMatchObject(said);
});

test.each([
  ['does not state its length', (bytes: Uint8Array<ArrayBuffer>) => new Blob([bytes]).stream()],
  ['states it', (bytes: Uint8Array<ArrayBuffer>) => bytes],
])('accepts a request that %s up to the limit, and not a byte more', async (_what, bodyOf) => {
  let bytes = 0;
  const url = await backEnd((request, response) => {
    request.on('data', (chunk: Buffer) => (bytes += chunk.length)).on('end', () => response.end('{}'));
  });
  const front = await frontOf(url, {}, { MAX_FILE_MB: '1', MAX_REQUEST_MB: '3' });
  const send = async (size: number) => {
    bytes = 0;
    const body = bodyOf(new Uint8Array(size));
    const about = {
      method: 'POST',
      body,
      duplex: 'half',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    };
    return (await fetch(`${front}/api/get-gti-brands`, about as RequestInit)).status;
  };
  expect([await send(3 * 1024 * 1024), bytes]).toEqual([200, 3 * 1024 * 1024]);
  expect(await send(3 * 1024 * 1024 + 1)).toBe(413);
});

test.each([
  ['states its length', { 'content-length': String(2 * 1024 * 1024) }],
  ['does not', { 'transfer-encoding': 'chunked' }],
])('refuses a request over the limit, whether it %s', async (_what, headers) => {
  const url = await backEnd((request, response) => void request.resume().on('end', () => response.end('{}')));
  const front = new URL(await frontOf(url, {}, { MAX_FILE_MB: '1', MAX_REQUEST_MB: '1' }));
  const socket = connect(Number(front.port), front.hostname);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST /api/get-gti-brands HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n${lines.join('')}\r\n`);
  const answered = new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))));
  const body = Buffer.alloc(2 * 1024 * 1024, 7);
  const isChunked = 'transfer-encoding' in headers;
  if (isChunked) socket.write(`${body.length.toString(16)}\r\n`);
  socket.on('error', () => undefined).write(body);
  if (isChunked) socket.write('\r\n0\r\n\r\n');
  expect(await answered).toMatch(/ 413 /);
  socket.destroy();
});

test('counts a back end that redirects as ready, and does not follow the redirect', async () => {
  const url = await backEnd((_request, response) => response.writeHead(302, { Location: 'http://127.0.0.1:9/' }).end());
  expect((await fetch(`${await frontOf(url)}/readyz`)).status).toBe(200);
});

test.each(['/api/auth/login/', '/api/./auth/login', '/api/%2e/auth/login', '/api//auth//login', '/api/Auth/Login'])(
  'passes on no sign-in past the limits, however its address is spelled: %s',
  async (path) => {
    const asked: string[] = [];
    const url = await backEnd(({ url: one = '' }, response) => {
      asked.push(one);
      response.end('{}');
    });
    const { hostname, port } = new URL(await frontOf(url));
    const status = await new Promise((resolve, reject) => {
      const sent = requestOf({ hostname, port, path, method: 'POST' }, (answer) => resolve(answer.resume().statusCode));
      sent.once('error', reject).end();
    });
    expect([status, asked]).toEqual([404, []]);
  },
);
