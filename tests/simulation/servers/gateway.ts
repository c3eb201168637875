import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { buildGateway } from '../../../server/gateway.ts';
import { readSettings } from '../../../server/settings.ts';
import {
  NoAnswerError,
  NotSentError,
  type Transport,
  type WireAnswer as BackAnswer,
  type WireRequest as BackRequest,
} from '../../../server/stores/remote/transport.ts';
import { openSqlite } from '../../../server/stores/sqlite/sqlite.ts';
import { type Disk, realDisk } from '../../../server/uploads/disk.ts';
import type { ResourceName } from '../../../src/domain/resource.ts';
import { targetOf } from '../oracle/arrivals.ts';
import { Random } from '../world/random.ts';
import { ContractOnlyServer } from './contract-only.ts';
import type { ServerSupply, ServerWorld, SimulatedServer, StoredRecord, WireAnswer, WireRequest } from './server.ts';

/** Memory, where the machine has such a folder. */
const FOLDER = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** After so many milliseconds a request between gateway and back end can no longer take effect. */
const LONGEST_REQUEST = 60_000;
/** A request that is late takes effect before that. */
const LATEST = 45_000;

/** What can go wrong between gateway and back end, with a change. */
const FAULTS = ['refused', 'lost', 'late', 'unanswered', '500 before', '500 after', '504 after', 'down'] as const;
/** The gateway is killed: at a step of the journal, or while the back end works. */
const KILLS = ['before a commit', 'after a commit', 'before the request', 'after the request'] as const;
const FAULT_RATE = 0.2;
const KILL_RATE = 0.12;

/** A gateway in front of the stock back end's double, a new one for every world. */
export const gatewayServers: ServerSupply = {
  fresh: async (world) => GatewayServer.begin(world),
  close: async () => {},
};

type Database = ReturnType<typeof openSqlite>;

/** Nothing that a killed gateway still does has an effect, and nothing that it waits for comes. */
const NEVER = new Promise<never>(() => undefined);

/** One run of the gateway, until it is killed. */
class Life {
  isOver = false;
  readonly databases: Database[] = [];
  readonly killed: Promise<'killed'>;
  #tell: (word: 'killed') => void = () => undefined;

  constructor() {
    this.killed = new Promise((resolve) => (this.#tell = resolve));
  }

  /** Kills it from outside. */
  stop(): void {
    this.isOver = true;
    this.#tell('killed');
  }

  /** Kills it in the middle of what it does. */
  end(): never {
    this.stop();
    throw new Error('The gateway was killed.');
  }

  /** The end of a process closes its files: what was not committed is undone, and its locks are free. */
  bury(): void {
    for (const database of this.databases.splice(0)) database.close();
  }
}

class GatewayServer implements SimulatedServer {
  readonly name = 'gateway';
  onArrival: SimulatedServer['onArrival'];
  readonly #world: ServerWorld;
  readonly #backEnd: ContractOnlyServer;
  readonly #random: Random;
  readonly #dataDir = mkdtempSync(join(FOLDER, 'voltdesk-gateway-'));
  #life = new Life();
  #app: FastifyInstance | undefined;
  /** What is to kill the gateway next. */
  #kill: (typeof KILLS)[number] | undefined;
  #downUntil = 0;

  private constructor(world: ServerWorld) {
    this.#world = world;
    this.#backEnd = new ContractOnlyServer(world);
    this.#random = new Random(`${world.seed}/back link`);
  }

  static async begin(world: ServerWorld): Promise<GatewayServer> {
    const server = new GatewayServer(world);
    await server.#start();
    return server;
  }

  async handle(request: WireRequest, from?: string): Promise<WireAnswer> {
    // somebody elsewhere works on the back end itself; reads and sign-in pass through
    if (from === 'elsewhere' || !isGateways(request)) return this.#backEnd.handle(request);
    if (targetOf(request) !== undefined && this.#happens(KILL_RATE)) this.#kill = this.#random.pick(KILLS);
    const life = this.#life;
    const answer = await Promise.race([this.#inject(request), life.killed]).catch(() => 'killed' as const);
    if (answer !== 'killed') return answer;
    await this.#start();
    // whoever stands in front of a gateway that was killed
    return { status: 502, headers: new Headers({ 'content-type': 'text/html' }), body: new Uint8Array() };
  }

  /** The gateway is killed between two requests; its back end keeps everything in its database. */
  async restart(): Promise<void> {
    this.#life.stop();
    await this.#start();
  }

  signIn(user: string): Promise<string> {
    return this.#backEnd.signIn(user);
  }

  stored(resource: ResourceName): Promise<readonly StoredRecord[]> {
    return this.#backEnd.stored(resource);
  }

  siteMeta(): Promise<Readonly<Record<string, unknown>>> {
    return this.#backEnd.siteMeta();
  }

  async close(): Promise<void> {
    this.#life.isOver = true;
    this.#life.bury();
    rmSync(this.#dataDir, { recursive: true, force: true });
  }

  async #inject({ method, path, headers, body }: WireRequest): Promise<WireAnswer> {
    const answer = await this.#app?.inject({
      method: method as 'GET' | 'POST',
      url: path,
      headers: Object.fromEntries(headers),
      ...(body === undefined ? {} : { payload: Buffer.from(body) }),
    });
    if (answer === undefined) throw new Error('There is no gateway.');
    const told = new Headers();
    for (const [name, value] of Object.entries(answer.headers)) {
      for (const one of [value ?? ''].flat()) told.append(name, String(one));
    }
    return { status: answer.statusCode, headers: told, body: new Uint8Array(answer.rawPayload) };
  }

  async #start(): Promise<void> {
    this.#life.bury();
    const life = new Life();
    this.#life = life;
    this.#kill = undefined;
    const { now, randomBytes, after } = this.#world;
    const settings = readSettings({ LOG_LEVEL: 'silent', DATA_DIR: this.#dataDir, API_URL: 'http://127.0.0.1:9' });
    this.#app = await buildGateway(settings, {
      now,
      randomBytes,
      after: (milliseconds, work) =>
        after(milliseconds, async () => {
          if (life.isOver) return;
          await Promise.race([work(), life.killed]).catch(() => undefined);
          if (life.isOver && this.#life === life) await this.#start();
        }),
      transport: (request) => this.#toBackEnd(life, request),
      longestRequest: LONGEST_REQUEST,
      disk: diskOf(life),
      openSqlite: (path) => this.#openWatched(life, path),
    });
  }

  readonly #toBackEnd = async (life: Life, request: BackRequest): ReturnType<Transport> => {
    if (life.isOver) return NEVER;
    const body = await bytesOf(request);
    const wire = { method: request.method, path: request.path, headers: new Headers({ ...request.headers }), body };
    if (this.#world.now() < this.#downUntil) throw new NotSentError('There is no way to the back end.');
    if (request.method === 'GET') return backAnswer(await this.#backEnd.handle({ ...wire, body: undefined }));
    if (this.#kill === 'before the request') life.end();
    const fault = this.#happens(FAULT_RATE) ? this.#random.pick(FAULTS) : undefined;
    const answer = await this.#withFault(wire, fault);
    if (this.#kill === 'after the request') life.end();
    return backAnswer(answer);
  };

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

  /** A database whose commits are steps at which the gateway can be killed. */
  #openWatched(life: Life, path: string): Database {
    const database = openSqlite(path);
    life.databases.push(database);
    const prepare = database.prepare.bind(database);
    database.prepare = (sql) => {
      const statement = prepare(sql);
      const isCommit = /^(commit|insert into "entries")/i.test(sql);
      for (const verb of ['run', 'all'] as const) {
        const carryOut = statement[verb].bind(statement) as (...given: never[]) => never;
        const watched = (...given: never[]) => {
          if (life.isOver) throw new Error('The gateway was killed.');
          if (isCommit && this.#kill === 'before a commit') life.end();
          const result = carryOut(...given);
          if (isCommit && this.#kill === 'after a commit') life.end();
          return result;
        };
        Object.assign(statement, { [verb]: watched });
      }
      return statement;
    };
    return database;
  }

  #happens(rate: number): boolean {
    return !this.#world.isCalm() && this.#random.chance(rate);
  }
}

/** True for what the gateway answers itself. */
function isGateways(request: WireRequest): boolean {
  const { method, path } = request;
  if (targetOf(request) !== undefined) return true;
  return method === 'GET' && /^\/api\/(capabilities|changes\/|get-single-|site-meta)/.test(path);
}

function diskOf(life: Life): Disk {
  const alive = <T>(work: () => Promise<T>): Promise<T> => (life.isOver ? NEVER : work());
  return {
    create: (path) => alive(() => realDisk.create(path)),
    // memory needs no flush
    flush: () => alive(async () => undefined),
    rename: (from, to) => alive(() => realDisk.rename(from, to)),
    flushFolder: () => alive(async () => undefined),
    remove: (path) => alive(() => realDisk.remove(path)),
  };
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
