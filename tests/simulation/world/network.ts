import { createHash } from 'node:crypto';
import type { BatchedChange } from '../../../src/domain/protocol/batch.ts';
import { changesIn, isBatch, stagedBy } from '../oracle/arrivals.ts';
import { type Fault, REFUSALS } from './faults.ts';
import { Random } from './random.ts';
import type { SimulatedServer, WireAnswer, WireRequest } from '../servers/server.ts';
import type { Lane, Scheduler } from './scheduler.ts';
import { CookieJar } from './cookies.ts';
import { wireRequest } from './wire-request.ts';
import { answerOf, type BodyEnd, brokenAnswer, pageAnswer, toResponse } from './answers.ts';

/** Everything that the server received completely, and its answers, in order. */
export interface Delivery {
  readonly at: number;
  readonly request: WireRequest;
  readonly answer: WireAnswer;
  /** The request's number. A repeat has the same. */
  readonly number: number;
  /** The sender: one of the device's lanes, or someone elsewhere. */
  readonly from: string;
  readonly repeated: boolean;
}

/** Observes requests: when they leave a lane, and what the lane receives. */
export interface Watcher {
  readonly sent: (request: Sent) => void;
  readonly heard: (request: Sent, answer: WireAnswer) => void;
  readonly over: (request: Sent) => void;
}

export interface Sent {
  readonly lane: Lane;
  readonly method: string;
  readonly path: string;
  readonly key: string | undefined;
  readonly token: string;
  /** The changes in one request. */
  readonly batch: readonly BatchedChange[];
  /** The SHA-256 of the file that it stages. */
  readonly staged: string | undefined;
  /** Where the chunk in this request begins. */
  readonly offset: number | undefined;
}

/** The fault of the nth request. */
export type FaultPlan = (number: number, method: string, path: string) => Fault | undefined;

/** By how much a clock jumps. Milliseconds. */
const JUMPS = [-48 * 3_600_000, -5 * 60_000, -5_000, 5_000, 5 * 60_000, 48 * 3_600_000];

const AWAY: Lane = { name: 'network', alive: true };

/** The network between the device and the server. Latencies are drawn, faults come from the plan. */
export class Network {
  /** False without a link. Requests fail at once. */
  online = true;
  /** Nobody answers until then. The world's epoch milliseconds. */
  serverDownUntil = 0;
  readonly jar: CookieJar;
  readonly deliveries: Delivery[] = [];
  readonly faults = new Map<Fault, number>();
  /** Called after the server has executed a request, before anyone else can see the result. */
  onDelivery: (delivery: Delivery) => void | Promise<void> = () => {};
  plan: FaultPlan = () => undefined;
  /** The device's clock is set by this many milliseconds. */
  onJump: (milliseconds: number) => void = () => undefined;
  watcher: Watcher | undefined;
  /** Freezes the next lane that sends a change for this many milliseconds while it waits for the answer. */
  freezeNext: number | undefined;
  /** Called after a chunk of a file has arrived. Real work. */
  afterPiece: () => void | Promise<void> = () => undefined;
  readonly #scheduler: Scheduler;
  readonly #server: SimulatedServer;
  readonly #seed: string;
  #requests = 0;

  constructor(scheduler: Scheduler, server: SimulatedServer, seed: string) {
    this.#scheduler = scheduler;
    this.#server = server;
    this.#seed = seed;
    this.jar = new CookieJar(() => scheduler.now);
  }

  /** A lane's `fetch`. A lane that is gone receives nothing more. */
  for(lane: Lane): (address: string, init: RequestInit) => Promise<Response> {
    return (address, init) =>
      new Promise((resolve, reject) => {
        const number = this.#requests;
        this.#requests += 1;
        const random = new Random(`${this.#seed}/request/${number}`);
        const path = address.replace(/^https?:\/\/[^/]+/, '');
        new Exchange(this, lane, { number, random, path, init, resolve, reject }).start();
      });
  }

  /** A request from elsewhere, over a good link. */
  async elsewhere(request: WireRequest): Promise<WireAnswer> {
    return this.deliver(request, -1, 'elsewhere', false);
  }

  get scheduler(): Scheduler {
    return this.#scheduler;
  }

  faultFor(number: number, method: string, path: string): Fault | undefined {
    if (!this.online || this.#scheduler.now < this.serverDownUntil) return 'unreachable';
    const fault = this.plan(number, method, path);
    if (fault !== undefined) this.faults.set(fault, (this.faults.get(fault) ?? 0) + 1);
    return fault;
  }

  freeze(lane: Lane): void {
    if (this.freezeNext === undefined) return;
    lane.frozenUntil = this.#scheduler.now + this.freezeNext;
    this.freezeNext = undefined;
  }

  /** Real work: call it from a task that represents it. */
  async deliver(request: WireRequest, number: number, from: string, repeated: boolean): Promise<WireAnswer> {
    const answer = await this.#server.handle(request, from);
    const delivery = { at: this.#scheduler.now, request, answer, number, from, repeated };
    this.deliveries.push(delivery);
    this.#scheduler.trace(
      `${from} #${number} ${request.method} ${request.path} -> ${answer.status} ${inShort(answer)}`,
    );
    await this.onDelivery(delivery);
    if (request.method === 'PATCH') await this.afterPiece();
    return answer;
  }
}

interface Sending {
  readonly number: number;
  readonly random: Random;
  readonly path: string;
  readonly init: RequestInit;
  readonly resolve: (response: Response) => void;
  readonly reject: (reason: unknown) => void;
}

/** One request in flight. */
class Exchange {
  readonly #network: Network;
  readonly #lane: Lane;
  readonly #sending: Sending;
  readonly #method: string;
  readonly #fault: Fault | undefined;
  readonly #sent: Sent;
  #over = false;
  #arrived = false;

  constructor(network: Network, lane: Lane, sending: Sending) {
    this.#network = network;
    this.#lane = lane;
    this.#sending = sending;
    this.#method = sending.init.method ?? 'GET';
    this.#fault = network.faultFor(sending.number, this.#method, sending.path);
    const headers = new Headers(sending.init.headers);
    const key = headers.get('idempotency-key') ?? undefined;
    const { path, init } = sending;
    const batch = isBatch({ method: this.#method, path }) ? changesIn(init.body) : [];
    const offset = headers.has('upload-offset') ? Number(headers.get('upload-offset')) : undefined;
    const token = (headers.get('authorization') ?? '').replace('Bearer ', '');
    this.#sent = { lane, method: this.#method, path, key, token, batch, staged: stagedBy(path, headers), offset };
  }

  start(): void {
    const { init, number, path } = this.#sending;
    const { scheduler } = this.#network;
    scheduler.trace(`${this.#lane.name} #${number} sends ${this.#method} ${path} ${this.#fault ?? ''}`);
    this.#network.watcher?.sent(this.#sent);
    if (this.#method === 'POST') this.#network.freeze(this.#lane);
    init.signal?.addEventListener('abort', () => this.#fail(new DOMException('Given up.', 'AbortError')));
    scheduler.soonReally(async () => {
      const request = await wireRequest(path, init, this.#network.jar);
      const upload = this.#sending.random.between(5, 60) + Math.ceil((request.body?.byteLength ?? 0) / 200);
      scheduler.afterReally(this.#fault === 'slow' ? upload + 15_000 : upload, () => this.#arrive(request), AWAY);
    }, AWAY);
  }

  /** The whole request may reach the server now. */
  async #arrive(request: WireRequest): Promise<void> {
    const { random } = this.#sending;
    const cut = () => this.#soonFails(random.between(0, 9_000));
    // In half of the cases, a sender that is gone had not sent all of it.
    if ((this.#over || !this.#lane.alive) && random.chance(0.5)) return;
    switch (this.#fault) {
      case 'unreachable':
        return this.#fail(new TypeError('Failed to fetch'));
      case 'request cut':
        if (this.#method === 'PATCH') await this.#carryOut(firstPart(request, random));
        return cut();
      case 'request lost':
        return cut();
      case 'stalled before':
        return;
      case 'clock jumps':
        this.#network.scheduler.after(random.pick([0, 1_000]), () => this.#network.onJump(random.pick(JUMPS)), AWAY);
        this.#network.scheduler.afterReally(random.between(2_000, 20_000), () => this.#carryOutLate(request), AWAY);
        return this.#soonFails(500);
      case 'delivered late':
        this.#network.scheduler.afterReally(random.between(20_000, 300_000), () => this.#carryOutLate(request), AWAY);
        return cut();
      default:
        return this.#answered(request, cut);
    }
  }

  async #answered(request: WireRequest, cut: () => void): Promise<void> {
    const { random } = this.#sending;
    const fault = this.#fault;
    const instead =
      fault === undefined || this.#isSettled(request)
        ? undefined
        : brokenAnswer(fault, this.#network.scheduler.now, random);
    if (instead !== undefined) return this.#hear(instead);
    let answer = await this.#carryOut(request);
    if (fault === 'delivered twice') answer = await this.#carryOut(request);
    if (fault === 'answer lost') return cut();
    if (fault === 'stalled after') return;
    if (fault === 'page after') return this.#hear(pageAnswer(200));
    const [, foreign] = /^(?:page|repeat) (\d+)/.exec(fault ?? '') ?? [];
    if (foreign !== undefined)
      return this.#hear(
        fault?.startsWith('page') ? pageAnswer(Number(foreign)) : answerOf(Number(foreign), { message: '' }),
      );
    const status = /^(\d+) after$/.exec(fault ?? '')?.[1];
    if (status !== undefined) return this.#hear(answerOf(Number(status), { message: 'Server Error' }));
    this.#hear(fault === 'empty answer' ? { ...answer, body: new Uint8Array() } : answer, this.#bodyEnd());
  }

  /** A server that knows the key of an executed change does not refuse it afterwards. */
  #isSettled({ headers }: WireRequest): boolean {
    const key = headers.get('idempotency-key');
    if (this.#fault === undefined || !REFUSALS.includes(this.#fault) || key === null) return false;
    return this.#network.deliveries.some(
      ({ request, answer }) => request.headers.get('idempotency-key') === key && answer.status === 200,
    );
  }

  async #carryOutLate(request: WireRequest): Promise<void> {
    await this.#carryOut(request);
  }

  #carryOut(request: WireRequest): Promise<WireAnswer> {
    const repeated = this.#arrived;
    this.#arrived = true;
    return this.#network.deliver(request, this.#sending.number, this.#lane.name, repeated);
  }

  #bodyEnd(): BodyEnd {
    if (this.#fault === 'answer cut') return { cutAt: this.#sending.random.next() };
    if (this.#fault !== 'stalled within') return 'whole';
    const fail = (work: () => void) => this.#network.scheduler.soon(work, this.#lane);
    return { stalledUntil: this.#sending.init.signal ?? undefined, fail };
  }

  #hear(answer: WireAnswer, end: BodyEnd = 'whole'): void {
    const { random, resolve } = this.#sending;
    this.#network.scheduler.after(
      random.between(5, 60),
      () => {
        this.#network.jar.take(answer.headers);
        if (!this.#lane.alive || this.#over) return;
        this.#over = true;
        // An answer that breaks off does not count: a device need not follow its headers.
        this.#network.watcher?.heard(this.#sent, end === 'whole' ? answer : { ...answer, headers: new Headers() });
        this.#network.watcher?.over(this.#sent);
        this.#network.scheduler.soon(() => resolve(toResponse(answer, end)), this.#lane);
      },
      AWAY,
    );
  }

  #soonFails(milliseconds: number): void {
    this.#network.scheduler.after(milliseconds, () => this.#fail(new TypeError('Failed to fetch')), AWAY);
  }

  #fail(reason: unknown): void {
    if (this.#over || !this.#lane.alive) return;
    this.#over = true;
    this.#network.watcher?.over(this.#sent);
    this.#network.scheduler.soon(() => this.#sending.reject(reason), this.#lane);
  }
}

/** The server keeps the part of a cut chunk that has arrived. */
function firstPart(request: WireRequest, random: Random): WireRequest {
  const body = request.body?.slice(0, random.below(request.body.byteLength));
  const headers = new Headers(request.headers);
  headers.set('content-length', String(body?.byteLength ?? 0));
  return { ...request, headers, body };
}

/**
 * A digest that distinguishes answers, including cookies and tokens: if a draw did not depend on the seed, a replay would
 * not repeat them.
 */
function inShort({ headers, body }: WireAnswer): string {
  return createHash('sha256').update(headers.getSetCookie().join('\n')).update(body).digest('hex').slice(0, 8);
}
