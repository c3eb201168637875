import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { freePort } from './ports.ts';
import { type Fault, Link, type Switchboard } from './proxy/link.ts';
import type { WireRequest } from './proxy/request-reader.ts';

export type { Fault } from './proxy/link.ts';
export type { WireRequest } from './proxy/request-reader.ts';

/** The requests that a fault strikes: those whose line starts with this (`POST /api/create-`), and how many of them. */
export interface FaultScope {
  readonly only?: string;
  readonly times?: number;
}

interface Trouble {
  readonly fault: Fault;
  readonly only: string;
  left: number;
}

/** How long a request is waited for: twice the time of an expectation in the browser. Milliseconds. */
const PATIENCE = 90_000;

interface Waiter {
  readonly start: string;
  missing: number;
  readonly resolve: (request: WireRequest) => void;
}

/**
 * The network between a browser and a server. It can be down, swallow, slow down and cut. Every change of its condition
 * cuts the live connections, including kept-alive ones, so that none keeps the previous condition.
 */
export class FaultProxy implements Switchboard {
  /** Every request that was received completely, in order. */
  readonly requests: WireRequest[] = [];
  /** Accepted connections, and requests that a fault struck. */
  connections = 0;
  struck = 0;
  #target: number;
  readonly #links = new Set<Link>();
  readonly #waiters = new Set<Waiter>();
  #server: Server | undefined;
  readonly #port: number;
  #troubles: Trouble[] = [];
  /** Held requests, oldest first, and how many more may be released. */
  readonly #held = new Map<Link, () => void>();
  #free = 0;
  /** The number of bytes to the server after which everything is cut, and how many have been sent. */
  #cutEach = Number.POSITIVE_INFINITY;
  #carried = 0;

  private constructor(target: number, port: number) {
    this.#target = target;
    this.#port = port;
  }

  /**
   * Starts a proxy on 127.0.0.1 in front of the server at port `target`, on a port that nothing else takes while it is
   * down.
   */
  static async start(target: number): Promise<FaultProxy> {
    const proxy = new FaultProxy(target, await freePort());
    await proxy.#listen();
    return proxy;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Lets everything through again. */
  async clear(): Promise<void> {
    this.#troubles = [];
    this.#cutEach = Number.POSITIVE_INFINITY;
    this.cut();
    await this.#listen();
  }

  /** Leads to the server at port `target` from now on, as a proxy that was just started. */
  async renew(target: number): Promise<void> {
    this.#target = target;
    this.#free = 0;
    this.#held.clear();
    this.#waiters.clear();
    await this.clear();
    this.requests.length = 0;
    this.connections = 0;
    this.struck = 0;
  }

  /** Refuses connections, as a machine without that server does. */
  async refuse(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    const closed = new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve())));
    this.cut();
    await closed;
  }

  /** Applies the fault to requests in the scope from now on (all by default). */
  async strike(fault: Fault, scope: FaultScope = {}): Promise<void> {
    this.#troubles = [];
    this.#free = 0;
    this.strikeToo(fault, scope);
    this.cut();
    await this.#listen();
  }

  /** Applies another fault to requests in this scope. Existing faults take precedence. */
  strikeToo(fault: Fault, { only = '', times = Number.POSITIVE_INFINITY }: FaultScope): void {
    this.#troubles.push({ fault, only, left: times });
  }

  /** Cuts every live connection whenever this many bytes have gone to the server, until `clear()`. */
  cutEach(bytes: number): void {
    this.#carried = 0;
    this.#cutEach = bytes;
  }

  /** Releases this many held requests (all by default), oldest first, including later ones. */
  release(count = Number.POSITIVE_INFINITY): void {
    this.#free += count;
    for (const [link, go] of this.#held) {
      if (this.#free === 0) return;
      this.#free -= 1;
      this.#held.delete(link);
      go();
    }
  }

  /** Cuts every live connection once. */
  cut(): void {
    for (const link of this.#links) link.cut();
  }

  /** The number of completely received requests whose line starts with this. */
  count(start: string): number {
    return this.requests.filter((request) => request.line.startsWith(start)).length;
  }

  /**
   * Resolves with the next (or n-th) request to be received completely whose line starts with this. Rejects with the last ones
   * if none comes.
   */
  next(start: string, nth = 1): Promise<WireRequest> {
    const next = new Promise<WireRequest>((resolve, reject) => {
      const waiter = { start, missing: nth, resolve };
      this.#waiters.add(waiter);
      const giveUp = () => {
        if (!this.#waiters.delete(waiter)) return;
        const last = this.requests.slice(-20).map(({ line }) => line);
        reject(new Error(`No "${start}" has come. The last requests: ${JSON.stringify(last)}`));
      };
      setTimeout(giveUp, PATIENCE).unref();
    });
    // a test may end without it
    next.catch(() => undefined);
    return next;
  }

  async close(): Promise<void> {
    await this.refuse();
  }

  faultFor(request: WireRequest): Fault | undefined {
    const trouble = this.#troubles.find(({ only, left }) => left > 0 && request.line.startsWith(only));
    if (trouble === undefined) return undefined;
    trouble.left -= 1;
    this.struck += 1;
    return trouble.fault;
  }

  received(request: WireRequest): void {
    this.requests.push(request);
    for (const waiter of this.#waiters) {
      if (!request.line.startsWith(waiter.start)) continue;
      waiter.missing -= 1;
      if (waiter.missing > 0) continue;
      this.#waiters.delete(waiter);
      waiter.resolve(request);
    }
  }

  async letGo(link: Link): Promise<void> {
    if (this.#free === 0) return new Promise((resolve) => this.#held.set(link, resolve));
    this.#free -= 1;
  }

  carried(bytes: number): void {
    this.#carried += bytes;
    if (this.#carried < this.#cutEach) return;
    this.#carried = 0;
    this.cut();
  }

  closed(link: Link): void {
    this.#links.delete(link);
    this.#held.delete(link);
  }

  async #listen(): Promise<void> {
    if (this.#server !== undefined) return;
    const server = createServer((socket) => {
      this.connections += 1;
      this.#links.add(new Link(socket, this.#target, this));
    });
    this.#server = server;
    await once(server.listen(this.#port, '127.0.0.1'), 'listening');
  }
}
