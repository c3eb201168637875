import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { SignedIn } from './sign-in.ts';

/**
 * A signed-in client that sends one request at a time over one connection and checks only that the answer is complete, so
 * that it takes little CPU from the measured servers.
 */
export class Reader {
  readonly #socket: Socket;
  readonly #head: string;

  private constructor(socket: Socket, head: string) {
    this.#socket = socket;
    this.#head = head;
  }

  static async to(origin: string, session: SignedIn): Promise<Reader> {
    const { hostname, port, host } = new URL(origin);
    const socket = connect(Number(port), hostname).setNoDelay(true);
    await once(socket, 'connect');
    const headers = Object.entries(session.headers).map(([name, value]) => `${name}: ${value}\r\n`);
    return new Reader(socket, ` HTTP/1.1\r\nhost: ${host}\r\n${headers.join('')}\r\n`);
  }

  /** Throws for any status but 200. */
  async get(path: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let text = '';
    const take = (bytes: Buffer) => {
      text += bytes.toString('latin1');
      if (isWhole(text)) resolve();
    };
    this.#socket.on('data', take).once('close', reject);
    this.#socket.write(`GET ${path}${this.#head}`);
    await promise;
    this.#socket.off('data', take).off('close', reject);
    if (!text.startsWith('HTTP/1.1 200 ')) throw new Error(`Reading answered ${text.slice(0, text.indexOf('\r'))}.`);
  }

  close(): void {
    this.#socket.destroy();
  }
}

function isWhole(answer: string): boolean {
  const end = answer.indexOf('\r\n\r\n');
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(answer)?.[1];
  return end >= 0 && length !== undefined && answer.length >= end + 4 + Number(length);
}
