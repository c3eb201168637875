import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { watchAnswers } from '../oracle/unanswered.ts';
import { Random } from '../world/random.ts';
import { inject } from './inject.ts';
import * as own from './own.ts';
import { ServerLife } from './server-life.ts';
import type { ServerWorld, WireAnswer, WireRequest } from './server.ts';
import { harmStaged, type StagedHarm } from './staged-files.ts';

/**
 * The probability that the server is killed at one of the next steps, during a request that sends data or during a start.
 */
const KILL_RATE = 0.2;
const KILL_WITHIN = 14;

/**
 * This repository's server with its real SQLite file, driven in process, and sometimes killed in the middle of a request.
 * One app serves successive worlds; its rows and files are removed in between.
 */
export async function ownServers(killRate = KILL_RATE): Promise<own.OwnSupply> {
  const alone = await Alone.start(killRate);
  return {
    async fresh(world) {
      await alone.empty(world);
      return new own.OwnServer(alone);
    },
    close: () => alone.close(),
  };
}

class Alone implements own.Keeping {
  readonly #killRate: number;
  readonly #dataDir = own.folderOfWorld();
  #world = own.BETWEEN;
  #random = new Random('');
  #life = new ServerLife();
  #started: FastifyInstance | undefined;

  private constructor(killRate: number) {
    this.#killRate = killRate;
  }

  static async start(killRate: number): Promise<Alone> {
    const alone = new Alone(killRate);
    await alone.#start();
    await own.addUsers(alone.#app());
    return alone;
  }

  services(): FastifyInstance['services'] {
    return this.#app().services;
  }

  async handle(request: WireRequest, from: string | undefined, server: own.OwnServer): Promise<WireAnswer> {
    // Clients elsewhere send without a key and receive every answer.
    if (from === 'elsewhere' || request.method === 'GET' || !this.#happens()) return inject(this.#app(), request);
    const unanswered = await watchAnswers(request, (key) => own.storedAnswer(this.services().db, key));
    const life = this.#life;
    life.killAt(this.#random.between(1, KILL_WITHIN));
    const answered = await Promise.race([inject(this.#app(), request), life.killed]).catch(() => 'killed' as const);
    if (life.isOver) await this.#start();
    else life.killAt(Number.POSITIVE_INFINITY);
    const answer = answered === 'killed' || life.isOver ? own.NOBODY : answered;
    const unheard = await unanswered(answer);
    if (unheard !== undefined) await server.onArrival?.(request, unheard);
    return answer;
  }

  /** Kills it between two requests. */
  async restart(): Promise<void> {
    this.#life.stop();
    await this.#start();
  }

  harmStaged = async (harm: StagedHarm): Promise<void> => harmStaged(this.#dataDir, harm);

  bytesOf = async (name: string): Promise<Uint8Array> => readFileSync(join(this.#dataDir, 'uploads', name));

  /** Starts a new world. */
  async empty(world: ServerWorld): Promise<void> {
    this.#world = world;
    this.#random = new Random(`${world.seed}/server`);
    await this.services()
      .db.transaction()
      .execute(async (writing) => {
        await own.emptyTables(writing);
        // Last, because the removals were recorded there.
        await writing.deleteFrom('feed').execute();
        await sql`DELETE FROM sqlite_sequence WHERE name <> 'users'`.execute(writing);
      });
    own.emptyFolder(this.#dataDir);
  }

  async close(): Promise<void> {
    await this.#app().close();
    rmSync(this.#dataDir, { recursive: true, force: true });
  }

  #app(): FastifyInstance {
    if (this.#started === undefined) throw new Error('There is no server.');
    return this.#started;
  }

  /** Starts it on the data of the previous run. It can be killed while starting, too. */
  async #start(): Promise<void> {
    this.#life.bury();
    void this.#started?.close().catch(() => undefined);
    this.#started = undefined;
    const life = new ServerLife();
    this.#life = life;
    if (this.#happens()) life.killAt(this.#random.between(1, KILL_WITHIN));
    const { disk, openSqlite } = life;
    const starting = own.startOwn(this.#dataDir, () => this.#world, { disk, openSqlite });
    const started = await Promise.race([starting, life.killed]).catch(() => 'killed' as const);
    if (started === 'killed' || life.isOver) return this.#start();
    life.killAt(Number.POSITIVE_INFINITY);
    this.#started = started;
  }

  #happens(): boolean {
    return !this.#world.isCalm() && this.#random.chance(this.#killRate);
  }
}
