import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that systems hand out to connections (from 32768 on Linux, 49152 elsewhere): no browser's connection takes
 * one of these while a server is not there yet, or away for a moment.
 */
const FIRST = 20_000;
const LAST = 32_000;

/** A port of 127.0.0.1 that nobody listens on, and that nobody is given unless they ask for it. */
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
