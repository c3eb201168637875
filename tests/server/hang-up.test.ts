import { readdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import type { FastifyInstance } from 'fastify';
import type { Overrides } from '../../server/app.ts';
import { realDisk } from '../../server/uploads/disk.ts';
import { STAGING_PATH } from '../../src/domain/protocol/staging.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { ADMIN, type Client, encoded, formOf, signedIn } from './harness.ts';
import { pdf, sha256, valuesFor } from './samples.ts';

const catalog = { field: 'catalog', bytes: pdf(), name: 'a.pdf', type: 'application/pdf' };

/** A listening server with an administrator; `send` writes a request on its own connection. */
async function listening(overrides: Overrides = {}) {
  let log = '';
  const logStream = { write: (line: string) => void (log += line) };
  const server = await signedIn({ LOG_LEVEL: 'info' }, { ...overrides, logStream });
  const address = new URL(await server.app.listen({ host: '127.0.0.1', port: 0 }));
  const send = (head: string, body: Buffer): Socket => {
    const socket = connect(Number(address.port), address.hostname);
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => undefined).write(head);
    socket.write(body);
    return socket;
  };
  return { ...server, origin: address.origin, send, log: () => log };
}

function headersOf(admin: Client): Record<string, string> {
  return {
    cookie: [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    'x-xsrf-token': admin.cookies.get('XSRF-TOKEN') ?? '',
    authorization: `Bearer ${admin.bearer()}`,
  };
}

async function request(admin: Client, path: string, form: FormData) {
  const { body, type } = await encoded(form);
  const headers = { host: 'x', 'content-type': type, 'content-length': String(body.length), ...headersOf(admin) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return { head: `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, body };
}

test.each([
  ['a form', formOf(ADMIN)],
  ['JSON', JSON.stringify(ADMIN)],
])('answers 500 to its own error on a request with %s, and logs it', async (what, body) => {
  const { app, admin, origin, log } = await listening();
  Object.assign(app.services.passwords, { verify: () => Promise.reject(new Error('a fault of the server')) });
  const headers = { ...headersOf(admin), ...(what === 'JSON' ? { 'content-type': 'application/json' } : {}) };
  const answer = await fetch(`${origin}/api/auth/login`, { method: 'POST', headers, body });
  expect(answer.status).toBe(500);
  expect(await answer.json()).toEqual({ message: 'Something went wrong on the server. Its log has the details.' });
  expect(log()).toContain('a fault of the server');
});

test('logs an error even when the sender has hung up', async () => {
  const { app, admin, send, log } = await listening();
  let fail: (fault: Error) => void = () => undefined;
  const looked = new Promise<boolean>((_resolve, reject) => (fail = reject));
  let asked = false;
  Object.assign(app.services.passwords, { verify: () => ((asked = true), looked) });
  const gone = nextHangUp(app);
  const { head, body } = await request(admin, '/api/auth/login', formOf(ADMIN));
  const socket = send(head, body);
  await expect.poll(() => asked).toBe(true);
  socket.destroy();
  await gone;
  fail(new Error('a fault of the server'));
  await expect.poll(log).toContain('a fault of the server');
});

test('gives up the pictures of a sender who hangs up, and keeps their bytes for the next attempt', async () => {
  const { admin, send, dataDir, origin, log } = await listening();
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const picture = sharp({ create: { width: 1200, height: 900, channels: 3, background: '#888', noise } });
  const bytes = new Uint8Array(await picture.png().toBuffer());
  const files = Array.from({ length: 12 }, () => ({ field: 'images[]', bytes, name: 'a.png', type: 'image/png' }));
  const { head, body } = await request(
    admin,
    generators.endpoints.create,
    formOf(valuesFor(generators.fields), [catalog, ...files]),
  );
  const socket = send(head, body);
  const names = async (folder: string) =>
    (await readdir(`${dataDir}/${folder}`)).filter((name) => /^[0-9a-f]{40}/.test(name));
  const pictures = async () => (await names('uploads')).filter((name) => name.endsWith('.png'));
  await expect.poll(pictures, { interval: 5 }).not.toEqual([]);
  socket.destroy();
  await expect.poll(() => names('uploads')).toEqual([]);
  await expect.poll(() => names('uploads/.incoming')).toEqual([]);
  expect((await admin.get(generators.endpoints.list)).json()).toEqual([]);
  const staged = await fetch(`${origin}${STAGING_PATH}/${sha256(bytes)}`, {
    method: 'HEAD',
    headers: { ...headersOf(admin), 'tus-resumable': '1.0.0' },
  });
  expect(staged.headers.get('upload-offset')).toBe(String(bytes.length));
  expect(log()).not.toContain('request failed');
});

test('does not treat a truncated form as its own error', async () => {
  const { admin, send, log, dataDir } = await listening();
  const { head, body } = await request(admin, generators.endpoints.create, formOf({}, [catalog]));
  const socket = send(head, body.subarray(0, -40));
  const unfinished = () => readdir(`${dataDir}/uploads/.incoming`);
  await expect.poll(unfinished).toHaveLength(1);
  socket.destroy();
  await expect.poll(unfinished).toEqual([]);
  await admin.get('/api/user');
  expect(log()).not.toContain('request failed');
});

test.each(['/api/auth/login', '/api/nothing', '/nothing'])(
  'writes no file of a stranger to disk for %s',
  async (path) => {
    let written = 0;
    const disk = {
      ...realDisk,
      create: (name: string) => ((written += name.includes('.incoming') ? 1 : 0), realDisk.create(name)),
    };
    const { admin, origin } = await listening({ disk });
    const { authorization: _none, ...headers } = headersOf(admin);
    const form = formOf(
      ADMIN,
      Array.from({ length: 20 }, () => catalog),
    );
    const answer = await fetch(`${origin}${path}`, { method: 'POST', headers, body: form });
    expect(answer.status).toBe(path === '/api/auth/login' ? 422 : 404);
    expect(written).toBe(0);
    const plain = await fetch(`${origin}/api/auth/login`, { method: 'POST', headers, body: formOf(ADMIN) });
    expect(plain.status).toBe(200);
  },
);

/** Resolves when the server sees the next accepted connection close. */
function nextHangUp(app: FastifyInstance): Promise<void> {
  return new Promise((resolve) =>
    app.server.once('connection', (socket: Socket) => socket.once('close', () => resolve())),
  );
}
