import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { generators } from '../../src/domain/resources/generators.ts';
import { ADMIN, encoded, formOf, freshFolder, withKey } from './harness.ts';
import { filesFor, valuesFor } from './samples.ts';

interface Running {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly ended: Promise<number | null>;
  /** The address, once it listens. */
  readonly listening: () => Promise<string>;
}

function startProcess(environment: Record<string, string>): Running {
  const env = {
    ...process.env,
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'silent',
    ADMIN_EMAIL: ADMIN.email,
    ...environment,
  };
  const child = spawn(process.execPath, ['--import', './server/require-node.js', 'server/start.ts'], { env });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  onTestFinished(() => void child.kill('SIGKILL'));
  const listening = () => expect.poll(() => /http:\/\/[\d.:]+/.exec(text)?.[0]).toBeTruthy();
  return {
    child,
    output: () => text,
    ended,
    listening: async () => (await listening(), /http:\/\/[\d.:]+/.exec(text)?.[0] ?? ''),
  };
}

/** A signed-in browser's headers. */
async function signIn(address: string, password: string): Promise<Record<string, string>> {
  const cookies = (await fetch(`${address}/api/user`)).headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0] ?? '');
  const xsrf = cookies.find((cookie) => cookie.startsWith('XSRF-TOKEN='))?.slice(11) ?? '';
  const headers = { cookie: cookies.join('; '), 'x-xsrf-token': xsrf };
  const answer = await fetch(`${address}/api/auth/login`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ email: ADMIN.email, password }),
  });
  expect(answer.status).toBe(200);
  const { token } = (await answer.json()) as { token: string };
  return { ...headers, authorization: `Bearer ${token}` };
}

test('makes up a password at the first start, shows it once, and ends in order', async () => {
  const DATA_DIR = await freshFolder();
  const first = startProcess({ DATA_DIR });
  const address = await first.listening();
  const password = /Password +(\S+)/.exec(first.output())?.[1] ?? '';
  expect(password).toMatch(/^[a-z2-9]{5}(-[a-z2-9]{5}){3}$/);
  await signIn(address, password);
  first.child.kill('SIGTERM');
  expect(await first.ended).toBe(0);
  const second = startProcess({ DATA_DIR });
  await second.listening();
  expect(second.output()).not.toContain('Password');
});

test('keeps what it acknowledged when it is killed the moment after', async () => {
  const DATA_DIR = await freshFolder();
  const environment = { DATA_DIR, ADMIN_PASSWORD: ADMIN.password };
  const first = startProcess(environment);
  const address = await first.listening();
  const headers = { ...(await signIn(address, ADMIN.password)), ...withKey() };
  const form = formOf(valuesFor(generators.fields), await filesFor(generators));
  const created = await fetch(address + generators.endpoints.create, { method: 'POST', headers, body: form });
  first.child.kill('SIGKILL');
  const { id } = (await created.json()) as { id: number };
  await first.ended;
  const second = startProcess(environment);
  const again = await second.listening();
  const read = await fetch(`${again}${generators.endpoints.single}/${id}`, { headers });
  expect(read.status).toBe(200);
  const { files } = (await read.json()) as { files: { name: string }[] };
  expect(files).toHaveLength(3);
  for (const { name } of files) expect((await fetch(`${again}/uploads/${name}`)).status).toBe(200);
});

test('finishes what is in flight when it is told to stop', async () => {
  const server = startProcess({ DATA_DIR: await freshFolder(), ADMIN_PASSWORD: ADMIN.password });
  const address = new URL(await server.listening());
  const headers = { ...(await signIn(address.origin, ADMIN.password)), ...withKey() };
  const { body, type } = await encoded(formOf(valuesFor(generators.fields), await filesFor(generators)));
  const head = Object.entries({
    ...headers,
    host: address.host,
    'content-type': type,
    'content-length': String(body.length),
  });
  const socket = connect(Number(address.port), address.hostname);
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk));
  const lines = head.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.write(`POST ${generators.endpoints.create} HTTP/1.1\r\n${lines}\r\n`);
  socket.write(body.subarray(0, 200));
  await fetch(`${address.origin}/healthz`);
  server.child.kill('SIGTERM');
  await expect
    .poll(() =>
      fetch(`${address.origin}/healthz`).then(
        () => 'open',
        () => 'closed',
      ),
    )
    .toBe('closed');
  socket.write(body.subarray(200));
  await expect.poll(() => answer).toContain('Generator Created Successfully');
  socket.end();
  expect(await server.ended).toBe(0);
});

test('names every setting that cannot be used, at once, and does not start', async () => {
  const server = startProcess({
    PORT: 'many',
    API_URL: 'nowhere',
    ADMIN_PASSWORD: 'short',
    LOG_LEVEL: 'loud',
    LOGO_PATH: '/none.png',
  });
  expect(await server.ended).toBe(1);
  for (const name of ['PORT', 'API_URL', 'ADMIN_PASSWORD', 'LOG_LEVEL', 'LOGO_PATH'])
    expect(server.output()).toContain(`${name}:`);
  expect(server.output()).not.toContain('    at ');
});

test('says in words that the port or the data folder is taken', async () => {
  const DATA_DIR = await freshFolder();
  const first = startProcess({ DATA_DIR, ADMIN_PASSWORD: ADMIN.password });
  const { port } = new URL(await first.listening());
  const samePort = startProcess({ DATA_DIR: await freshFolder(), PORT: port });
  expect(await samePort.ended).toBe(1);
  expect(samePort.output()).toContain(`Port ${port} is taken`);
  const sameFolder = startProcess({ DATA_DIR });
  expect(await sameFolder.ended).toBe(1);
  expect(sameFolder.output()).toContain('Another Voltdesk is using');
});
