import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';

/** A server with a request that never ends, told to stop at once. */
const PROGRAM = `
  import fastify from 'fastify';
  import { stopOnSignal } from './server/shutdown.ts';
  const app = fastify();
  app.get('/', () => new Promise(() => console.log('asked')));
  stopOnSignal(app, 300);
  console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
`;

test('ends in time though a request never finishes', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const { port } = new URL(String(line).trim());
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => undefined).write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  expect((await once(child, 'exit'))[0]).toBe(1);
});
