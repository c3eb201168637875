import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { buildApp } from '../../../server/app.ts';
import { tableOf } from '../../../server/stores/sql/tables.ts';
import { listRecords } from '../../../server/stores/sql/read.ts';
import { issueToken } from '../../../server/stores/sql/tokens.ts';
import { addUser } from '../../../server/stores/sql/users.ts';
import { readSettings } from '../../../server/settings.ts';
import { type ResourceName, type ServerRecord, textOf } from '../../../src/domain/resource.ts';
import { RESOURCES, resourceOf } from '../../../src/domain/resources/index.ts';
import type { ServerSupply, ServerWorld, SimulatedServer, StoredRecord, WireAnswer, WireRequest } from './server.ts';
import { inject } from './inject.ts';
import { quickDisk } from './quick-disk.ts';
import { harmStaged, type StagedHarm } from './staged-files.ts';

/** Gives this repository's server to one world after the other. */
interface OwnSupply extends ServerSupply {
  fresh(world: ServerWorld): Promise<OwnServer>;
}

/** Hashes of simulated passwords cost next to nothing. */
const CHEAP = { memory: 8, passes: 1, parallelism: 1 };
/** Nothing is due, and nothing goes wrong, between two worlds. */
const STILL = { after: () => () => undefined, isCalm: () => true } as const;
/** Memory, where the machine has such a folder: a flush to a disk takes longer than a whole world. */
const FOLDER = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/**
 * This repository's server with its real SQLite file, driven in process. One app serves one world after the other; its rows
 * and files are removed in between.
 */
export async function ownServers(): Promise<OwnSupply> {
  const dataDir = mkdtempSync(join(FOLDER, 'voltdesk-simulation-'));
  let world: ServerWorld = { seed: '', now: () => 0, randomBytes: (count) => Buffer.alloc(count, 7), ...STILL };
  const settings = readSettings({ LOG_LEVEL: 'silent', DATA_DIR: dataDir });
  const start = () =>
    buildApp(settings, {
      passwordCost: CHEAP,
      disk: quickDisk,
      now: () => world.now(),
      randomBytes: (count) => world.randomBytes(count),
    });
  let app = await start();
  const restart = async () => {
    await app.close();
    app = await start();
    return app;
  };
  for (const name of ['First', 'Second']) {
    const email = `${name.toLowerCase()}@example.com`;
    await addUser(app.services, { name, email, password: 'three brown horses', at: '2026-01-01T00:00:00.000Z' });
  }
  return {
    async fresh(next) {
      world = next;
      await empty(app, dataDir);
      return new OwnServer(app, dataDir, restart);
    },
    async close() {
      await app.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function empty({ services: { db } }: FastifyInstance, dataDir: string): Promise<void> {
  const uploads = join(dataDir, 'uploads');
  const kinds = RESOURCES.map((resource) => tableOf(resource));
  await db.transaction().execute(async (writing) => {
    for (const table of ['images', 'changes', 'idempotency_keys', 'tokens', 'removed_files', ...kinds] as const) {
      await writing.deleteFrom(table).execute();
    }
    await writing.deleteFrom('files').execute();
    await writing
      .updateTable('site_meta')
      .set({ ...SITE_META_ROW, version: 'first', created_at: BEGINNING, updated_at: BEGINNING })
      .execute();
    // last: what was removed was noted there
    await writing.deleteFrom('feed').execute();
    await sql`DELETE FROM sqlite_sequence WHERE name <> 'users'`.execute(writing);
  });
  // what the world before left to be done may still be writing
  for (const folder of [uploads, join(dataDir, 'staging')]) {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
  }
  mkdirSync(join(uploads, '.incoming'), { recursive: true });
}

/** A migration has made the row at the machine's time, which no answer of a world may tell. */
const BEGINNING = '2026-01-01T00:00:00.000Z';

/** The same as the stock back end's, so that both kinds of world begin alike. */
const SITE_META_ROW = {
  title: 'Power Equipment',
  phone: '000-0000',
  email: 'info@example.com',
  address: 'Main Road 1',
  fb: null,
  tw: null,
  li: null,
  metaTag: null,
};

class OwnServer implements SimulatedServer {
  readonly name = 'own';
  readonly #restart: () => Promise<FastifyInstance>;
  readonly #dataDir: string;
  #app: FastifyInstance;

  constructor(app: FastifyInstance, dataDir: string, restart: () => Promise<FastifyInstance>) {
    this.#app = app;
    this.#dataDir = dataDir;
    this.#restart = restart;
  }

  async restart(): Promise<void> {
    this.#app = await this.#restart();
  }

  async handle(request: WireRequest): Promise<WireAnswer> {
    return inject(this.#app, request);
  }

  harmStaged(harm: StagedHarm): void {
    harmStaged(this.#dataDir, harm);
  }

  /** What it says that it was given: documents are kept byte for byte. */
  async broken(): Promise<readonly string[]> {
    const { db } = this.#app.services;
    const files = await db.selectFrom('files').select(['name', 'received_sha256']).execute();
    const documents = files.filter(({ name }) => name.endsWith('.pdf'));
    const damaged = documents.filter(({ name, received_sha256 }) => {
      const bytes = readFileSync(join(this.#dataDir, 'uploads', name));
      return createHash('sha256').update(bytes).digest('hex') !== received_sha256;
    });
    return damaged.map(({ name }) => `damaged: ${name}`);
  }

  signIn(user: string): Promise<string> {
    return issueToken(this.#app.services, Number(user), { device: 'Simulated', address: '127.0.0.1' });
  }

  async stored(resource: ResourceName): Promise<readonly StoredRecord[]> {
    const { db } = this.#app.services;
    const records = (await listEverything(db, resource)) as ServerRecord[];
    const files = await db.selectFrom('files').select(['name', 'received_sha256']).execute();
    const hashes = new Map(files.map((file) => [file.name, file.received_sha256]));
    const single = resourceOf(resource).fields.filter(({ kind }) => kind === 'file' || kind === 'image');
    return records.map((record) => ({
      record,
      files: Object.fromEntries(single.map(({ name }) => [name, hashes.get(textOf(record[name])) ?? ''])),
      images: (record.images ?? []).map(({ id, image }) => ({ id, sha256: hashes.get(image) ?? '' })),
    }));
  }

  /** So many partners that were always there, without pictures: their ids by their places. */
  async furnish(count: number, version: string): Promise<number[]> {
    const at = new Date(0).toISOString();
    const times = { created_at: at, updated_at: at };
    const rows = Array.from({ length: count }, (_, i) => ({ ...times, version, name: `partner ${i}` }));
    const { db } = this.#app.services;
    const made = await db
      .insertInto(tableOf(resourceOf('partners')))
      .values(rows)
      .returning('id')
      .execute();
    return made.map(({ id }) => id);
  }

  async siteMeta(): Promise<Readonly<Record<string, unknown>>> {
    const rows = await this.#app.services.db.selectFrom('site_meta').selectAll().execute();
    return { ...rows[0] };
  }
}

async function listEverything(db: FastifyInstance['services']['db'], resource: ResourceName): Promise<object[]> {
  const all: object[] = [];
  for (let page = 1; ; page += 1) {
    const rows = await listRecords(db, resourceOf(resource), page);
    all.push(...rows);
    if (!resourceOf(resource).paged || rows.length === 0) return all;
  }
}
