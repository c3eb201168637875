import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/**
 * Below the ports that systems assign to connections (from 32768 on Linux, 49152 elsewhere). No browser's connection takes
 * one while a server has not started yet or is briefly down.
 */
const FIRST = 20_000;
const LAST = 32_000;
/** How many ports a process has to itself. It listens on the first of them for as long as it lives. */
const BLOCK = 100;

/** The other ports of this process. The one that was given away last is the last to be given away again. */
const own: number[] = [];

/**
 * Returns a port of 127.0.0.1 that the system never assigns by itself and that no other process of tests is given, whether
 * something listens there at the moment or not.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = own.shift();
    if (port === undefined) own.push(...(await claimBlock()));
    else {
      own.push(port);
      if (await isFree(port)) return port;
    }
  }
}

/** Returns the ports of a block that no other process has claimed. */
async function claimBlock(): Promise<number[]> {
  for (let first = FIRST; first + BLOCK <= LAST; first += BLOCK) {
    const claim = await listening(first);
    // the process may end while it holds a claim
    claim?.unref();
    if (claim !== undefined) return Array.from({ length: BLOCK - 1 }, (_, at) => first + 1 + at);
  }
  throw new Error('Other processes of tests have claimed every port.');
}

async function isFree(port: number): Promise<boolean> {
  const server = await listening(port);
  if (server === undefined) return false;
  server.close();
  await once(server, 'close');
  return true;
}

/** A server on this port. Undefined if something listens there already. */
async function listening(port: number): Promise<Server | undefined> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return server;
  } catch {
    return undefined;
  }
}
