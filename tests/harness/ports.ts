import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that systems assign to connections (from 32768 on Linux, 49152 elsewhere). No browser's connection takes
 * one while a server has not started yet or is briefly down.
 */
const FIRST = 20_000;
const LAST = 32_000;

/** Returns a free port of 127.0.0.1 that the system never assigns by itself. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
