import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';

/** A server with routes that answer late, never, and with more than a connection takes in. */
const PROGRAM = `
  import fastify from 'fastify';
  import { stopOnSignal } from './server/ops/shutdown.ts';
  const app = fastify({ forceCloseConnections: 'idle' });
  app.server.on('connection', () => console.log('connected'));
  app.addHook('onRequest', async () => console.log('asked'));
  app.get('/quick', async () => 'done');
  app.get('/late', () => new Promise((resolve) => setTimeout(resolve, 600, 'done')));
  app.get('/large', async () => Buffer.alloc(64_000_000));
  app.post('/quick', async () => 'done');
  stopOnSignal(app, { idle: 50, transit: 300, all: 20_000 });
  console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
`;

/** A running server, and a way to wait for lines of its output. */
async function running() {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (bytes) => (output += String(bytes)));
  const told = async (line: string, times: number) => {
    while (output.split(line).length <= times) await once(child.stdout, 'data');
  };
  await told('http://', 1);
  const port = Number(/:(\d+)\n/.exec(output)?.[1]);
  /** Connects, sends a text and stands still. */
  const send = async (text: string): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    socket.write(text);
    return socket;
  };
  const stop = async () => {
    child.kill('SIGTERM');
    return (await once(child, 'exit'))[0] as number | null;
  };
  return { send, told, stop };
}

test('ends cleanly beside connections on which nothing, or only part of a request, arrives', async () => {
  const { send, told, stop } = await running();
  for (const text of ['', 'G', 'GET /quick HTTP/1.1\r\nHost: x\r\n', 'POST /quick HTTP/1.1\r\nHost: x\r\nContent-L'])
    await send(text);
  await told('connected', 4);
  // between two requests, and in the middle of the second one
  const kept = await send('GET /quick HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(kept, 'data');
  kept.write('GET /quick HTTP/1.1\r\nHo');
  await send('POST /quick HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\nab');
  await told('asked', 2);
  const begun = performance.now();
  expect(await stop()).toBe(0);
  expect(performance.now() - begun).toBeLessThan(5000);
});

test('ends cleanly beside a reader that takes nothing of its answer', async () => {
  const { send, told, stop } = await running();
  (await send('GET /large HTTP/1.1\r\nHost: x\r\n\r\n')).pause();
  await told('asked', 1);
  expect(await stop()).toBe(0);
});

test('finishes a request whose work takes longer than connections may stand still, then closes its connection', async () => {
  const { send, told, stop } = await running();
  const socket = await send('GET /late HTTP/1.1\r\nHost: x\r\n\r\n');
  let answer = '';
  socket.on('data', (bytes) => (answer += String(bytes)));
  await told('asked', 1);
  expect(await stop()).toBe(0);
  expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*done$/);
});
