import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { freePort } from './ports.ts';
import { type Fault, Link, type Switchboard } from './proxy/link.ts';
import type { WireRequest } from './proxy/request-reader.ts';

export type { Fault } from './proxy/link.ts';
export type { WireRequest } from './proxy/request-reader.ts';

/** Which requests a fault strikes: those whose line starts so (`POST /api/create-`), and how many of them. */
export interface FaultScope {
  readonly only?: string;
  readonly times?: number;
}

interface Trouble {
  readonly fault: Fault;
  readonly only: string;
  left: number;
}

interface Waiter {
  readonly start: string;
  missing: number;
  readonly resolve: (request: WireRequest) => void;
}

/**
 * The network between a browser and a server: it can be away, swallow, slow down and cut. Every change of weather
 * cuts the live connections, kept-alive ones too, so that none lives on in the old weather.
 */
export class FaultProxy implements Switchboard {
  /** Every request that came in whole, in order. */
  readonly requests: WireRequest[] = [];
  /** Connections that were taken, and requests that a fault struck. */
  connections = 0;
  struck = 0;
  readonly #target: number;
  readonly #links = new Set<Link>();
  readonly #waiters = new Set<Waiter>();
  #server: Server | undefined;
  readonly #port: number;
  #troubles: Trouble[] = [];
  /** Requests that are held, oldest first, and how many more may go on. */
  readonly #held = new Map<Link, () => void>();
  #free = 0;
  /** Bytes to the server after which everything is cut, and how many of them have gone. */
  #cutEach = Number.POSITIVE_INFINITY;
  #carried = 0;

  private constructor(target: number, port: number) {
    this.#target = target;
    this.#port = port;
  }

  /** Starts a proxy on 127.0.0.1 before the server at port `target`, on a port that nobody takes while it is away. */
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

  /** Refuses connections, as a machine without that server does. */
  async refuse(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    const closed = new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve())));
    this.cut();
    await closed;
  }

  /** From now on requests in the scope (all, unless told) meet the fault. */
  async strike(fault: Fault, scope: FaultScope = {}): Promise<void> {
    this.#troubles = [];
    this.#free = 0;
    this.strikeToo(fault, scope);
    this.cut();
    await this.#listen();
  }

  /** Requests in this scope meet this fault, beside those that are struck already and come first. */
  strikeToo(fault: Fault, { only = '', times = Number.POSITIVE_INFINITY }: FaultScope): void {
    this.#troubles.push({ fault, only, left: times });
  }

  /** Cuts every live connection each time that so many bytes have gone to the server, until the weather clears. */
  cutEach(bytes: number): void {
    this.#carried = 0;
    this.#cutEach = bytes;
  }

  /** Lets so many of the requests that a fault holds go on (all, unless told), the oldest first, also those still to come. */
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

  /** How many whole requests came in whose line starts so. */
  count(start: string): number {
    return this.requests.filter((request) => request.line.startsWith(start)).length;
  }

  /** Resolves with the next request (or the n-th from now) to come in whole whose line starts so. */
  next(start: string, nth = 1): Promise<WireRequest> {
    return new Promise((resolve) => this.#waiters.add({ start, missing: nth, resolve }));
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
