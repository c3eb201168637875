import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { buildGateway, type GatewayOverrides } from '../../../server/gateway.ts';
import { readSettings } from '../../../server/settings/settings.ts';
import { StagingFolder } from '../../../server/staging/staging-folder.ts';
import { RemoteFeed } from '../../../server/stores/remote/feed.ts';
import { Journal } from '../../../server/stores/remote/journal.ts';
import {
  NoAnswerError,
  NotSentError,
  type Transport,
  type WireAnswer as BackAnswer,
  type WireRequest as BackRequest,
} from '../../../server/stores/remote/transport.ts';
import { CHANGES_PATH } from '../../../src/domain/protocol/capabilities.ts';
import { OUTCOME, type OutcomeDecision } from '../../../src/domain/protocol/unsettled.ts';
import type { ResourceName } from '../../../src/domain/resource.ts';
import { quickFolder } from '../../harness/quick-folder.ts';
import { isBatch, stagedBy, targetOf } from '../oracle/arrivals.ts';
import type { Schedule } from '../scenario/schedule.ts';
import type { Habits } from '../../harness/contract-only/habits.ts';
import { Random } from '../world/random.ts';
import { ContractOnlyServer } from './contract-only.ts';
import { ServerLife, never } from './server-life.ts';
import { GatewayPromises } from './gateway-promises.ts';
import type { ServerSupply, ServerWorld, SimulatedServer, StoredRecord, WireAnswer, WireRequest } from './server.ts';
import { inject } from './inject.ts';
import { harmStaged, type StagedHarm } from './staged-files.ts';

/** After this many milliseconds a request between gateway and back end can no longer take effect. */
const LONGEST_REQUEST = 60_000;
/** A late request takes effect before this. Milliseconds. */
const LATEST = 45_000;

/** Faults of a change between gateway and back end. */
const FAULTS = ['refused', 'lost', 'late', 'unanswered', '500 before', '500 after', '504 after', 'down'] as const;
const FAULT_RATE = 0.2;
const UPLOADS = ['served', 'served', 'redirects', 'forbids', 'page', 'missing'] as const;
/** The probability that the gateway is killed at one of the next steps, during a change that arrives or during a start. */
const KILL_RATE = 0.2;
const KILL_WITHIN = 14;

export type JournalWays = Pick<Journal, 'find' | 'open' | 'passOn' | 'answer' | 'forget'>;

/** A bug that a gateway could have, injected from outside. */
export interface GatewayMutant {
  /** Replaces methods of the journal. */
  readonly journal?: (journal: JournalWays) => Partial<JournalWays>;
  /** Changes the requests to the back end. */
  readonly toBackEnd?: (transport: Transport) => Transport;
  /** Changes the headers that a device sent. */
  readonly fromDevice?: (headers: Headers) => void;
  /** Replaces methods of the folder of staged files. */
  readonly staged?: Partial<Pick<StagingFolder, 'find' | 'isRight' | 'pathOf'>>;
  /** Replaces methods of the feed. */
  readonly feed?: Partial<Pick<RemoteFeed, 'bringUpToDate' | 'page'>>;
  /** Milliseconds. */
  readonly longestRequest?: number;
  /** Worlds in which it can do harm. Defaults to any. */
  readonly schedule?: (seed: string) => Schedule;
}

/** The original methods of the folder. */
const { find, isRight, pathOf } = StagingFolder.prototype;
const STAGED = { find, isRight, pathOf };
/** The original methods of the feed. */
const { bringUpToDate, page } = RemoteFeed.prototype;
const FEED = { bringUpToDate, page };

/** A gateway in front of the stock back end's double, a new one for every world. */
export const gatewayServers: ServerSupply = gatewaysWith({});

/** Gateways with a mutant. */
export function gatewaysWith(mutant: GatewayMutant): ServerSupply {
  return { fresh: async (world) => GatewayServer.begin(world, mutant), close: async () => {} };
}

class GatewayServer implements SimulatedServer {
  readonly name = 'gateway';
  onArrival: SimulatedServer['onArrival'];
  readonly #world: ServerWorld;
  readonly #backEnd: ContractOnlyServer;
  readonly #random: Random;
  readonly #dataDir = mkdtempSync(join(quickFolder(), 'voltdesk-gateway-'));
  readonly #mutant: GatewayMutant;
  readonly #promises = new GatewayPromises();
  #life = new ServerLife();
  #app: FastifyInstance | undefined;
  #downUntil = 0;

  private constructor(world: ServerWorld, mutant: GatewayMutant) {
    this.#world = world;
    this.#mutant = mutant;
    this.#backEnd = new ContractOnlyServer(world, habitsOf(world.seed));
    this.#random = new Random(`${world.seed}/back link`);
  }

  static async begin(world: ServerWorld, mutant: GatewayMutant): Promise<GatewayServer> {
    const server = new GatewayServer(world, mutant);
    Object.assign(StagingFolder.prototype, mutant.staged);
    Object.assign(RemoteFeed.prototype, mutant.feed);
    await server.#start();
    return server;
  }

  async handle(request: WireRequest, from?: string): Promise<WireAnswer> {
    // Clients elsewhere use the back end directly. Reads and sign-in pass through.
    if (from === 'elsewhere' || !isGateways(request)) return this.#backEnd.handle(request);
    const life = this.#life;
    const isStaging = stagedBy(request.path, request.headers) !== undefined;
    if (targetOf(request) !== undefined || isBatch(request) || isStaging) this.#drawKill(life);
    await this.#promises.noteRequest(request);
    const answer = await Promise.race([this.#inject(request), life.killed]).catch(() => 'killed' as const);
    if (answer !== 'killed') {
      this.#promises.noteAnswer(request, answer);
      return answer;
    }
    if (this.#life === life) await this.#start();
    // The answer of a proxy in front of a killed gateway.
    return { status: 502, headers: new Headers({ 'content-type': 'text/html' }), body: new Uint8Array() };
  }

  /** Kills the gateway between two requests. Its back end keeps everything in its database. */
  async restart(): Promise<void> {
    this.#life.stop();
    await this.#start();
  }

  async signIn(user: string): Promise<string> {
    const token = await this.#backEnd.signIn(user);
    this.#promises.noteToken(token, user);
    return token;
  }

  async broken(): Promise<readonly string[]> {
    // The start removes what a killed gateway has left behind.
    this.#downUntil = 0;
    await this.#start();
    const tokens = await Promise.all(['1', '2'].map(async (user) => [user, await this.signIn(user)] as const));
    return this.#promises.broken(new Map(tokens), (request) => this.#inject(request));
  }

  async decide(user: string, key: string, decided: OutcomeDecision): Promise<void> {
    const authorization = `Bearer ${await this.signIn(user)}`;
    const headers = new Headers({ accept: 'application/json', 'content-type': 'application/json', authorization });
    const body = new Uint8Array(Buffer.from(JSON.stringify(decided)));
    await this.handle({ method: 'POST', path: `${CHANGES_PATH}/${key}/${OUTCOME}`, headers, body });
  }

  harmStaged(harm: StagedHarm): void {
    harmStaged(this.#dataDir, harm);
  }

  stored(resource: ResourceName): Promise<readonly StoredRecord[]> {
    return this.#backEnd.stored(resource);
  }

  siteMeta(): Promise<Readonly<Record<string, unknown>>> {
    return this.#backEnd.siteMeta();
  }

  async close(): Promise<void> {
    Object.assign(StagingFolder.prototype, STAGED);
    Object.assign(RemoteFeed.prototype, FEED);
    this.#bury();
    rmSync(this.#dataDir, { recursive: true, force: true });
  }

  async #inject(request: WireRequest): Promise<WireAnswer> {
    this.#mutant.fromDevice?.(request.headers);
    if (this.#app === undefined) throw new Error('There is no gateway.');
    return inject(this.#app, request);
  }

  async #start(): Promise<void> {
    this.#bury();
    const life = new ServerLife();
    this.#life = life;
    this.#drawKill(life);
    const { now, randomBytes } = this.#world;
    const settings = readSettings({ LOG_LEVEL: 'silent', DATA_DIR: this.#dataDir, API_URL: 'http://127.0.0.1:9' });
    const { toBackEnd = (transport) => transport, longestRequest = LONGEST_REQUEST } = this.#mutant;
    const overrides: GatewayOverrides = {
      now,
      randomBytes,
      after: (milliseconds, work) => this.#afterIn(life, milliseconds, work),
      transport: toBackEnd((request) => this.#toBackEnd(life, request)),
      longestRequest,
      disk: life.disk,
      openJournal: (dataDir) => this.#openJournal(life, dataDir),
    };
    const started = await Promise.race([buildGateway(settings, overrides), life.killed]).catch(() => 'killed' as const);
    if (started === 'killed') await this.#start();
    else this.#app = started;
  }

  /** Ends the process and releases what it held in memory. */
  #bury(): void {
    this.#life.bury();
    void this.#app?.close().catch(() => undefined);
    this.#app = undefined;
  }

  #drawKill(life: ServerLife): void {
    if (this.#happens(KILL_RATE)) life.killAt(this.#random.between(1, KILL_WITHIN));
  }

  #afterIn(life: ServerLife, milliseconds: number, work: () => Promise<void>): () => void {
    return this.#world.after(milliseconds, async () => {
      if (life.isOver) return;
      await Promise.race([work(), life.killed]).catch(() => undefined);
      if (life.isOver && this.#life === life) await this.#start();
    });
  }

  async #openJournal(life: ServerLife, dataDir: string): Promise<Journal> {
    const journal = await Journal.open(dataDir, this.#world.now, life.openSqlite);
    return Object.assign(journal, this.#mutant.journal?.(ways(journal)));
  }

  async #toBackEnd(life: ServerLife, request: BackRequest): Promise<BackAnswer> {
    if (life.isOver) return never();
    const body = await bytesOf(request);
    const wire = { method: request.method, path: request.path, headers: new Headers({ ...request.headers }), body };
    if (this.#world.now() < this.#downUntil) throw new NotSentError('There is no way to the back end.');
    if (request.method === 'GET') return backAnswer(await this.#backEnd.handle({ ...wire, body: undefined }));
    life.step();
    const fault = this.#happens(FAULT_RATE) ? this.#random.pick(FAULTS) : undefined;
    const answer = await this.#withFault(wire, fault);
    life.step();
    return backAnswer(answer);
  }

  async #withFault(request: WireRequest, fault: (typeof FAULTS)[number] | undefined): Promise<WireAnswer> {
    switch (fault) {
      case 'refused':
        throw new NotSentError('The connection was refused.');
      case 'down':
        this.#downUntil = this.#world.now() + this.#random.between(1_000, 90_000);
        throw new NotSentError('There is no way to the back end.');
      case 'lost':
        throw new NoAnswerError('The request was lost.');
      case 'late':
        this.#world.after(this.#random.between(1_000, LATEST), async () => void (await this.#carryOut(request)));
        throw new NoAnswerError('The request is late.');
      case 'unanswered':
        await this.#carryOut(request);
        throw new NoAnswerError('The answer was lost.');
      case '500 before':
        return failure(500);
      case '500 after':
      case '504 after':
        await this.#carryOut(request);
        return failure(fault === '500 after' ? 500 : 504);
      case undefined:
        return this.#carryOut(request);
      default:
        return fault satisfies never;
    }
  }

  async #carryOut(request: WireRequest): Promise<WireAnswer> {
    const answer = await this.#backEnd.handle(request);
    await this.onArrival?.(request, answer);
    return answer;
  }

  #happens(rate: number): boolean {
    return !this.#world.isCalm() && this.#random.chance(rate);
  }
}

/** The habits of a world's back end, by its seed: half of them are stock. */
function habitsOf(seed: string): Habits {
  const random = new Random(`${seed}/habits`);
  if (random.chance(0.5)) return {};
  return {
    reencodes: random.chance(0.5),
    uploads: random.pick(UPLOADS),
    ...(random.chance(0.5) ? { pageSize: 3, newestFirst: random.chance(0.5) } : {}),
  };
}

/** A journal's own methods, callable separately. */
function ways(journal: Journal): JournalWays {
  return {
    find: journal.find.bind(journal),
    open: journal.open.bind(journal),
    passOn: journal.passOn.bind(journal),
    answer: journal.answer.bind(journal),
    forget: journal.forget.bind(journal),
  };
}

/** True for requests that the gateway answers itself. */
function isGateways(request: WireRequest): boolean {
  const { method, path } = request;
  if (targetOf(request) !== undefined || /^\/api\/(staging|changes)/.test(path)) return true;
  return method === 'GET' && /^\/api\/(capabilities|feed|get-single-|site-meta)/.test(path);
}

async function bytesOf({ body }: BackRequest): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (body === undefined) return undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of body.stream) chunks.push(Buffer.from(chunk as Uint8Array));
  return new Uint8Array(Buffer.concat(chunks));
}

function backAnswer({ status, headers, body }: WireAnswer): BackAnswer {
  const plain = new Headers(headers);
  const cookies = plain.getSetCookie();
  plain.delete('set-cookie');
  return { status, headers: Object.fromEntries(plain), cookies, body: Buffer.from(body) };
}

function failure(status: number): WireAnswer {
  const body = new Uint8Array(Buffer.from('{"message":"Server Error"}'));
  return { status, headers: new Headers({ 'content-type': 'application/json' }), body };
}
