import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { buildApp, type Overrides } from '../../../server/app.ts';
import { type Database, tableOf, type Writing } from '../../../server/stores/sql/tables.ts';
import { listRecords } from '../../../server/stores/sql/read.ts';
import { issueToken } from '../../../server/stores/sql/tokens.ts';
import { addUser } from '../../../server/stores/sql/users.ts';
import { readSettings } from '../../../server/settings/settings.ts';
import { type ResourceName, type ServerRecord, textOf } from '../../../src/domain/resource.ts';
import { RESOURCES, resourceOf } from '../../../src/domain/resources/index.ts';
import type { ServerSupply, ServerWorld, SimulatedServer, StoredRecord, WireAnswer, WireRequest } from './server.ts';
import { quickFolder } from '../../harness/quick-folder.ts';
import { Random } from '../world/random.ts';
import { quickDisk } from './quick-disk.ts';
import type { StagedHarm } from './staged-files.ts';

/** Provides this repository's server to successive worlds. */
export interface OwnSupply extends ServerSupply {
  fresh(world: ServerWorld): Promise<OwnServer>;
}

/** Makes hashes of simulated passwords cheap. */
const CHEAP = { memory: 8, passes: 1, parallelism: 1 };
/** Between two worlds no timer fires and nothing goes wrong. */
const STILL = { after: () => () => undefined, isCalm: () => true } as const;
const random = new Random('between');
/** The server's world before the first one. */
export const BETWEEN: ServerWorld = {
  seed: '',
  now: () => 0,
  randomBytes: (count) => random.bytes(count),
  ...STILL,
};

/** A new folder in memory if the machine supports it: one flush to a disk takes longer than a whole world. */
export function folderOfWorld(): string {
  return mkdtempSync(join(quickFolder(), 'voltdesk-simulation-'));
}

/** Starts a server on a folder. Its clock and randomness are those of the current world. */
export function startOwn(
  dataDir: string,
  world: () => ServerWorld,
  overrides: Overrides = {},
): Promise<FastifyInstance> {
  const now = () => world().now();
  const randomBytes = (count: number) => world().randomBytes(count);
  const settings = readSettings({ LOG_LEVEL: 'silent', DATA_DIR: dataDir });
  return buildApp(settings, { passwordCost: CHEAP, disk: quickDisk, now, randomBytes, ...overrides });
}

/** Adds the two users of every world. */
export async function addUsers({ services }: FastifyInstance): Promise<void> {
  for (const name of ['First', 'Second']) {
    const email = `${name.toLowerCase()}@example.com`;
    await addUser(services, { name, email, password: 'three brown horses', at: '2026-01-01T00:00:00.000Z' });
  }
}

/** Removes everything that a world has created, in any database. The feed records the removals. */
export async function emptyTables(writing: Writing): Promise<void> {
  const kinds = RESOURCES.map((resource) => tableOf(resource));
  for (const table of [
    'images',
    'changes',
    'idempotency_keys',
    'tokens',
    'removed_files',
    'trash',
    'trashed_files',
    ...kinds,
  ] as const) {
    await writing.deleteFrom(table).execute();
  }
  for (const table of ['files', 'unnamed_files', 'epochs'] as const) await writing.deleteFrom(table).execute();
  // each start of a server begins one: the same worlds would give the same names to other ones
  await writing.insertInto('epochs').values({ name: 'first', begins_after: 0, begun_at: BEGINNING }).execute();
  await writing
    .updateTable('site_meta')
    .set({ ...SITE_META_ROW, version: 'first', created_at: BEGINNING, updated_at: BEGINNING })
    .execute();
}

/** Removes the files of a data folder. */
export function emptyFolder(dataDir: string): void {
  const uploads = join(dataDir, 'uploads');
  // Background work of the previous world may still be writing.
  for (const folder of [uploads, join(dataDir, 'staging')]) {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
  }
  mkdirSync(join(uploads, '.incoming'), { recursive: true });
}

/** A migration has created the row at the machine's time, which must not appear in a world's answers. */
const BEGINNING = '2026-01-01T00:00:00.000Z';

/** Equal to the stock back end's, so that both kinds of world start alike. */
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

/** The answer of a proxy when the server is gone. */
export const NOBODY: WireAnswer = {
  status: 502,
  headers: new Headers({ 'content-type': 'text/html' }),
  body: new Uint8Array(),
};

/** What differs between the databases. */
export interface Keeping {
  /** The services of a server that can currently answer. */
  services(): FastifyInstance['services'];
  handle(request: WireRequest, from: string | undefined, server: OwnServer): Promise<WireAnswer>;
  restart(): Promise<void>;
  harmStaged(harm: StagedHarm): Promise<void>;
  /** Rejects if the file does not exist. */
  bytesOf(name: string): Promise<Uint8Array>;
}

export class OwnServer implements SimulatedServer {
  readonly name = 'own';
  onArrival: SimulatedServer['onArrival'];
  readonly #keeping: Keeping;

  constructor(keeping: Keeping) {
    this.#keeping = keeping;
  }

  restart(): Promise<void> {
    return this.#keeping.restart();
  }

  handle(request: WireRequest, from?: string): Promise<WireAnswer> {
    return this.#keeping.handle(request, from, this);
  }

  harmStaged(harm: StagedHarm): Promise<void> {
    return this.#keeping.harmStaged(harm);
  }

  /** Returns stored files that are missing, and documents whose bytes differ from those that were received. */
  async broken(): Promise<readonly string[]> {
    const { db } = this.#keeping.services();
    const files = await db.selectFrom('files').select(['name', 'received_sha256']).execute();
    const broken: string[] = [];
    for (const { name, received_sha256 } of files) {
      const bytes = await this.#keeping.bytesOf(name).catch(() => undefined);
      if (bytes === undefined) broken.push(`dangling: ${name}`);
      else if (name.endsWith('.pdf') && createHash('sha256').update(bytes).digest('hex') !== received_sha256)
        broken.push(`damaged: ${name}`);
    }
    return broken;
  }

  signIn(user: string): Promise<string> {
    return issueToken(this.#keeping.services(), Number(user), { device: 'Simulated', address: '127.0.0.1' });
  }

  async stored(resource: ResourceName): Promise<readonly StoredRecord[]> {
    const { db } = this.#keeping.services();
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

  /** Adds this many existing partners without pictures. Returns their ids by position. */
  async furnish(count: number, version: string): Promise<number[]> {
    const at = new Date(0).toISOString();
    const times = { created_at: at, updated_at: at };
    const rows = Array.from({ length: count }, (_, i) => ({ ...times, version, name: `partner ${i}` }));
    const { db } = this.#keeping.services();
    const made = await db
      .insertInto(tableOf(resourceOf('partners')))
      .values(rows)
      .returning('id')
      .execute();
    return made.map(({ id }) => id);
  }

  async siteMeta(): Promise<Readonly<Record<string, unknown>>> {
    const rows = await this.#keeping.services().db.selectFrom('site_meta').selectAll().execute();
    return { ...rows[0] };
  }
}

/** The answer stored under a key, as text. */
export async function storedAnswer(db: Database, key: string): Promise<string | undefined> {
  const found = db.selectFrom('idempotency_keys').select('body').where('key', '=', key);
  return (await found.executeTakeFirst())?.body;
}

async function listEverything(db: Database, resource: ResourceName): Promise<object[]> {
  const all: object[] = [];
  for (let page = 1; ; page += 1) {
    const rows = await listRecords(db, resourceOf(resource), page);
    all.push(...rows);
    if (!resourceOf(resource).paged || rows.length === 0) return all;
  }
}
