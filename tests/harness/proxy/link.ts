import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../simulation/world/random.ts';
import { RequestReader, type WireRequest } from './request-reader.ts';

/** A fault of a request. Bytes count from the start of the request or of its answer, heads included. */
export type Fault =
  /** The request is swallowed and the connection hangs. */
  | { readonly kind: 'stall' }
  /** The server gets the request and answers. The answer is swallowed and the connection hangs. */
  | { readonly kind: 'stall-answer' }
  /** The server gets this many bytes, then both ends are cut. */
  | { readonly kind: 'cut-request'; readonly after: number }
  /** The server has answered. The browser gets this many bytes of it, then both ends are cut. */
  | { readonly kind: 'cut-answer'; readonly after: number }
  /** Something else answers, such as a captive portal or a gateway. `answer` is the whole HTTP answer as text. */
  | { readonly kind: 'answer'; readonly answer: string }
  /** The request is held in front of the server until it is released. */
  | { readonly kind: 'hold' };

/** What connections request from, and report to, their proxy. */
export interface Switchboard {
  /** The fault for a new request, if any. */
  faultFor(request: WireRequest): Fault | undefined;
  received(request: WireRequest): void;
  /** Resolves when the request held on this connection may continue. */
  letGo(link: Link): Promise<void>;
  /** This many bytes went on to the server. */
  carried(bytes: number): void;
  closed(link: Link): void;
}

/**
 * With `E2E_LATE`, every answer of the API is delayed by a time up to this, drawn the same way in every run. A test that it
 * breaks is flaky. Milliseconds.
 */
const LATE = Number(process.env['E2E_LATE'] ?? 0);
const DRAWS = new Random('late');

/** One connection from the browser, and its connection to the server. The fault is chosen anew for each request. */
export class Link {
  readonly #browser: Socket;
  readonly #server: Socket;
  readonly #switchboard: Switchboard;
  #fault: Fault | undefined;
  /** Orders a held request: first its release, then its chunks. */
  #released: Promise<void> | undefined;
  /** What an answer waits for. */
  #due: Promise<unknown> | undefined;
  #sent = 0;
  #answered = 0;

  constructor(browser: Socket, port: number, switchboard: Switchboard) {
    this.#browser = browser;
    this.#server = connect({ host: '127.0.0.1', port });
    this.#switchboard = switchboard;
    for (const socket of [browser, this.#server]) {
      socket.setNoDelay(true);
      socket.on('error', () => this.cut());
      socket.on('close', () => this.cut());
    }
    void this.#pumpRequests();
    void this.#pumpAnswers();
  }

  /** Ends both connections at once, as a lost network does. */
  cut(): void {
    this.#browser.destroy();
    this.#server.destroy();
    this.#switchboard.closed(this);
  }

  async #pumpRequests(): Promise<void> {
    const reader = new RequestReader({
      begun: (request) => {
        this.#fault = this.#switchboard.faultFor(request);
        this.#released = this.#fault?.kind === 'hold' ? this.#switchboard.letGo(this) : undefined;
        this.#due = LATE > 0 && request.line.includes(' /api/') ? sleep(DRAWS.below(LATE)) : undefined;
        this.#sent = 0;
        this.#answered = 0;
      },
      ended: (request) => {
        this.#switchboard.received(request);
        if (this.#fault?.kind === 'answer') this.#browser.write(this.#fault.answer);
      },
    });
    await pump(this.#browser, async (chunk) => {
      reader.feed(chunk);
      if (this.#fault?.kind === 'stall' || this.#fault?.kind === 'answer') return;
      if (this.#released === undefined) await this.#passOn(chunk);
      // A held request is still read.
      else this.#released = this.#released.then(() => this.#passOn(chunk));
    });
    await this.#released;
    this.#server.end();
  }

  async #passOn(chunk: Buffer): Promise<void> {
    const limit = this.#fault?.kind === 'cut-request' ? this.#fault.after - this.#sent : chunk.length;
    this.#sent += chunk.length;
    await write(this.#server, chunk.subarray(0, Math.max(0, limit)));
    if (limit < chunk.length) await this.#cutAfterFlush(this.#server);
    this.#switchboard.carried(chunk.length);
  }

  async #pumpAnswers(): Promise<void> {
    await pump(this.#server, async (chunk) => {
      if (this.#fault?.kind === 'stall-answer') return;
      await this.#due;
      const limit = this.#fault?.kind === 'cut-answer' ? this.#fault.after - this.#answered : chunk.length;
      this.#answered += chunk.length;
      await write(this.#browser, chunk.subarray(0, Math.max(0, limit)));
      if (limit < chunk.length) await this.#cutAfterFlush(this.#browser);
    });
    this.#browser.end();
  }

  /** Cuts once this end has flushed what was written to it: destroying it at once would drop that. */
  async #cutAfterFlush(end: Socket): Promise<void> {
    if (end.bytesWritten > 0 && !end.destroyed) await new Promise<void>((resolve) => end.end(resolve));
    this.cut();
  }
}

/** Passes every chunk to `each`, one at a time, until the socket ends. A cut socket simply ends. */
async function pump(socket: Socket, each: (chunk: Buffer) => Promise<void>): Promise<void> {
  try {
    for await (const chunk of socket) await each(chunk as Buffer);
  } catch {
    socket.destroy();
  }
}

async function write(to: Socket, bytes: Buffer): Promise<void> {
  if (bytes.length === 0 || to.destroyed || to.writableEnded) return;
  if (!to.write(bytes)) await once(to, 'drain');
}
