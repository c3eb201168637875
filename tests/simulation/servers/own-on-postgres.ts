import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { openPostgres } from '../../../server/stores/postgres/open.ts';
import { openPostgresEngine } from '../../../server/stores/postgres/store.ts';
import { type Database, tableOf } from '../../../server/stores/sql/tables.ts';
import { RESOURCES } from '../../../src/domain/resources/index.ts';
import { type Cluster, startCluster } from '../../harness/postgres.ts';
import { watchAnswers } from '../oracle/unanswered.ts';
import { Random } from '../world/random.ts';
import { inject } from './inject.ts';
import * as own from './own.ts';
import type { ServerWorld, WireAnswer, WireRequest } from './server.ts';
import type { StagedHarm } from './staged-files.ts';

/** Servers that share a database. */
const SERVERS = ['one', 'two'] as const;
/** The share of requests during which connections are ended, and the share during which a server is killed. */
const ENDED_RATE = 0.25;
const KILLED_RATE = 0.05;
/**
 * The fault strikes within this many milliseconds of machine time after the request has arrived, which covers most
 * requests.
 */
const STRIKES_WITHIN = 8;
const DATABASE = 'simulation';

/** Shared state of the servers that expires. */
const PASSING = ['tries', 'tickets', 'open_pages', 'waiting_keys', 'live_seats', 'changes_at_work', 'staged_uploads'];

/**
 * Two of this repository's servers on one PostgreSQL, driven in process. A random one answers. Sometimes the database ends
 * their connections in the middle of a request, or one of them is killed and restarts, with or without its folder.
 */
export async function ownServersOnPostgres(): Promise<own.OwnSupply> {
  const cluster = await startCluster();
  await cluster.run(`CREATE DATABASE ${DATABASE}`);
  const pair = await Pair.start(cluster);
  return {
    async fresh(world) {
      await pair.empty(world);
      return new own.OwnServer(pair);
    },
    async close() {
      await pair.close();
      await cluster.stop();
    },
  };
}

class Pair implements own.Keeping {
  readonly #address: (name: string) => string;
  /** A separate connection to the database, which is never ended. */
  readonly #db: Database;
  readonly #folders = new Map(SERVERS.map((name) => [name, own.folderOfWorld()]));
  readonly #apps = new Map<string, FastifyInstance>();
  #world = own.BETWEEN;
  #random = new Random('');

  private constructor(address: (name: string) => string, db: Database) {
    this.#address = address;
    this.#db = db;
  }

  static async start(cluster: Cluster): Promise<Pair> {
    const address = (name: string) => `${cluster.address(DATABASE)}&application_name=${name}`;
    const pair = new Pair(address, await openPostgres(address('onlooker')));
    await pair.restart();
    await own.addUsers(pair.#app('one'));
    return pair;
  }

  services(): FastifyInstance['services'] {
    return { ...this.#app('one').services, db: this.#db };
  }

  async handle(request: WireRequest, from: string | undefined, server: own.OwnServer): Promise<WireAnswer> {
    const name = this.#random.pick(SERVERS);
    // Clients elsewhere send without a key and receive every answer.
    const strike = from === 'elsewhere' || this.#world.isCalm() ? 1 : this.#random.next();
    if (strike >= ENDED_RATE + KILLED_RATE) return inject(this.#app(name), request);
    const isKilled = strike < KILLED_RATE;
    const unanswered = await watchAnswers(request, (key) => own.storedAnswer(this.#db, key));
    const ending = this.#endConnections(isKilled ? [name] : SERVERS, this.#random.between(0, STRIKES_WITHIN));
    const answered = await inject(this.#app(name), request);
    await ending;
    const answer = isKilled ? own.NOBODY : answered;
    if (isKilled) await this.#startAnew(name, this.#random.chance(0.5));
    const unheard = await unanswered(answer);
    if (unheard !== undefined) await server.onArrival?.(request, unheard);
    return answer;
  }

  async restart(): Promise<void> {
    await Promise.all(SERVERS.map((name) => this.#startAnew(name, false)));
  }

  async harmStaged(harm: StagedHarm): Promise<void> {
    if (harm === 'swept') await sql`DELETE FROM staged_uploads`.execute(this.#db);
    else
      await sql`UPDATE staged_pieces SET bytes = set_byte(bytes, octet_length(bytes) - 1,
        255 - get_byte(bytes, octet_length(bytes) - 1)) FROM staged_uploads AS uploads
        WHERE uploads.user_id = staged_pieces.user_id AND uploads.sha256 = staged_pieces.sha256 AND state = 'part'`.execute(
        this.#db,
      );
  }

  async bytesOf(name: string): Promise<Uint8Array> {
    const { rows } = await sql<{
      bytes: Buffer;
    }>`SELECT bytes FROM stored_pieces WHERE name = ${name} ORDER BY place`.execute(this.#db);
    if (rows.length === 0) throw new Error(`${name} is not there.`);
    return Buffer.concat(rows.map(({ bytes }) => bytes));
  }

  /** Starts a new world. Feed numbers continue, because the servers cache lists by them. */
  async empty(world: ServerWorld): Promise<void> {
    this.#world = world;
    this.#random = new Random(`${world.seed}/balancer`);
    await this.#db.transaction().execute(async (writing) => {
      await own.emptyTables(writing);
      for (const table of [...PASSING, 'stored_files']) await sql`DELETE FROM ${sql.table(table)}`.execute(writing);
      for (const table of [...RESOURCES.map((resource) => tableOf(resource)), 'images', 'changes'])
        await sql`ALTER TABLE ${sql.table(table)} ALTER COLUMN id RESTART`.execute(writing);
    });
    for (const folder of this.#folders.values()) own.emptyFolder(folder);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#apps.values()].map((app) => app.close()));
    await this.#db.destroy();
    for (const folder of this.#folders.values()) rmSync(folder, { recursive: true, force: true });
  }

  #app(name: string): FastifyInstance {
    const app = this.#apps.get(name);
    if (app === undefined) throw new Error(`There is no server ${name}.`);
    return app;
  }

  async #startAnew(name: (typeof SERVERS)[number], isBare: boolean): Promise<void> {
    const folder = this.#folders.get(name) ?? '';
    await this.#apps.get(name)?.close();
    if (isBare) own.emptyFolder(folder);
    const now = () => this.#world.now();
    const openEngine = () => openPostgresEngine(this.#address(name), { connections: 4, now });
    this.#apps.set(name, await own.startOwn(folder, () => this.#world, { openEngine }));
  }

  /** Ends these servers' connections, and waits until their owners have noticed. */
  async #endConnections(names: readonly string[], after: number): Promise<void> {
    await pause(after);
    const { rows } = await sql<{ pid: number }>`SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = ANY(${names}) AND query NOT LIKE 'LISTEN%'`.execute(this.#db);
    const pids = rows.map(({ pid }) => pid);
    while (await this.#isAnyThere(pids)) await pause(1);
    await pause(1);
  }

  async #isAnyThere(pids: readonly number[]): Promise<boolean> {
    const { rows } = await sql`SELECT 1 FROM pg_stat_activity WHERE pid = ANY(${pids})`.execute(this.#db);
    return rows.length > 0;
  }
}
