import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { ADMIN, freshFolder } from './harness.ts';
import { signIn, startProcess } from './process.ts';

/** A server with a request that never ends, told to stop at once. */
const PROGRAM = `
  import fastify from 'fastify';
  import { stopOnSignal } from './server/ops/shutdown.ts';
  const app = fastify();
  app.get('/', () => new Promise(() => console.log('asked')));
  stopOnSignal(app, { idle: 50, transit: 100, all: 300 });
  console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
`;

test('does not wait for a stuck upload, and shuts down cleanly', async () => {
  const server = startProcess({ DATA_DIR: await freshFolder(), ADMIN_PASSWORD: ADMIN.password });
  const address = new URL(await server.listening());
  const headers = await signIn(address.origin, ADMIN.password);
  const socket = connect(Number(address.port), address.hostname);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.on('error', () => undefined);
  socket.write(
    `POST /api/create-generator HTTP/1.1\r\nHost: x\r\n${lines.join('')}` +
      `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 100000\r\n\r\n--b\r\n`,
  );
  await fetch(`${address.origin}/healthz`);
  const begun = Date.now();
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  expect(Date.now() - begun).toBeLessThan(20_000);
});

test.each(['SIGTERM', 'SIGINT'] as const)('ends in time on %s even if a request never finishes', async (signal) => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const { port } = new URL(String(line).trim());
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => undefined).write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(child.stdout, 'data');
  child.kill(signal);
  expect((await once(child, 'exit'))[0]).toBe(1);
});
