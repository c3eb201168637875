import { EventEmitter, once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openPostgres } from '../../../server/stores/postgres/open.ts';
import type { Database } from '../../../server/stores/sql/tables.ts';
import { generators } from '../../../src/domain/resources/generators.ts';
import { PIECE_TYPE, STAGED_FILES, STAGING_PATH, TUS_VERSION } from '../../../src/domain/protocol/staging.ts';
import { Balancer } from '../../harness/balancer.ts';
import { Random } from '../../simulation/world/random.ts';
import { ADMIN, formOf, freshFolder, withKey } from '../harness.ts';
import { asAdministrator, untouchedDatabase } from '../on-postgres.ts';
import { signIn, startProcess } from '../process.ts';
import { filesFor, sha256, valuesFor } from '../samples.ts';
import { bigPdf, metadataOf, named } from '../staging-client.ts';

/** Long enough for several pieces and several rows of the database. */
const CATALOGUE = 600_000;
const PIECE = 250_000;
const CLIENTS = 3;
const KILLS = 3;

/** Two servers on one database, as `npm start` runs them, behind a load balancer. */
async function twoServers() {
  const DATABASE_URL = await untouchedDatabase();
  const DATA_DIR = await freshFolder();
  const start = () => startProcess({ DATABASE_URL, DATA_DIR, ADMIN_PASSWORD: ADMIN.password });
  const running = [start(), start()];
  const origins = await Promise.all(running.map((one) => one.listening()));
  const balancer = await Balancer.start(origins);
  onTestFinished(() => balancer.stop());
  /** Ends a server as a power cut does, and starts another in its place. */
  const kill = async (which: number) => {
    running[which]?.child.kill('SIGKILL');
    const next = start();
    running[which] = next;
    origins[which] = await next.listening();
  };
  return { DATABASE_URL, origins, balancer, kill };
}

type Headers = Record<string, string>;

/** A device that repeats whatever fails, on whichever server it reaches. */
class Device {
  readonly #origin: string;
  readonly #headers: Headers;
  /** Answers that are neither success nor a reason to retry. */
  readonly surprises: string[] = [];
  readonly #sending = new EventEmitter();
  repeats = 0;

  constructor(origin: string, headers: Headers) {
    this.#origin = origin;
    this.#headers = headers;
  }

  /** Undefined if no answer came. */
  async send(method: string, path: string, headers: Headers = {}, body?: BodyInit): Promise<Response | undefined> {
    const signal = AbortSignal.timeout(20_000);
    const request = {
      method,
      headers: { ...this.#headers, ...headers },
      signal,
      ...(body === undefined ? {} : { body }),
    };
    this.#sending.emit('sent');
    return fetch(this.#origin + path, request).catch(() => undefined);
  }

  /** Resolves when that many more requests have been sent. Their answers are still under way. */
  async sent(count: number): Promise<void> {
    for (let left = count; left > 0; left -= 1) await once(this.#sending, 'sent');
  }

  /** Creates a record with a staged catalogue and two photos. Returns its id, whatever happens meanwhile. */
  async create(mark: string, key: Headers): Promise<number> {
    const catalogue = bigPdf(CATALOGUE, mark);
    const photos = (await filesFor(generators)).filter(({ field }) => field !== 'catalog');
    const staged = JSON.stringify([named('catalog', catalogue, `${mark}.pdf`)]);
    for (;;) {
      await this.#stage(catalogue);
      const form = formOf({ ...valuesFor(generators.fields, mark), [STAGED_FILES]: staged }, photos);
      const answer = await this.send('POST', generators.endpoints.create, key, form);
      const said = (await answer?.json().catch(() => undefined)) as { id?: number } | undefined;
      if (answer?.status === 200 && said?.id !== undefined) return said.id;
      this.#note(answer, [409, 503], said);
      await pause(50);
    }
  }

  /** Continues from the upload's offset until it is complete. */
  async #stage(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const tus = { 'tus-resumable': TUS_VERSION };
    const upload = { ...tus, 'upload-length': `${bytes.length}`, 'upload-metadata': metadataOf(sha256(bytes)) };
    const path = `${STAGING_PATH}/${sha256(bytes)}`;
    for (;;) {
      const begun = await this.send('POST', STAGING_PATH, upload);
      const offset = Number(begun?.headers.get('upload-offset') ?? Number.NaN);
      if (offset === bytes.length) return;
      const isBegun = begun !== undefined && begun.status < 300 && Number.isInteger(offset);
      if (!isBegun) this.#note(begun, [409, 503]);
      else {
        const piece = { ...tus, 'content-type': PIECE_TYPE, 'upload-offset': `${offset}` };
        const answer = await this.send('PATCH', path, piece, bytes.slice(offset, offset + PIECE));
        if (answer?.status !== 204) this.#note(answer, [404, 409, 503]);
      }
      if (!isBegun) await pause(50);
    }
  }

  #note(answer: Response | undefined, expected: readonly number[], said?: object): void {
    this.repeats += 1;
    if (answer !== undefined && !expected.includes(answer.status))
      this.surprises.push(`${answer.status} ${answer.url} ${JSON.stringify(said)}`);
  }
}

/** Kills servers and ends connections, one after the other, after numbers of requests that are the same in every run. */
async function disturb(device: Device, kill: (which: number) => Promise<void>): Promise<void> {
  const draws = new Random('two servers');
  for (let round = 0; round < KILLS; round += 1) {
    for (let cut = 0; cut < 3; cut += 1) {
      await device.sent(draws.between(1, 12));
      const ended = `application_name = 'voltdesk' AND (pid + ${draws.below(5)}) % 5 < 2`;
      await asAdministrator(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${ended}`);
    }
    await device.sent(draws.between(1, 12));
    await kill(draws.below(2));
  }
}

interface Made {
  readonly id: number;
  readonly mark: string;
  readonly key: Headers;
}

test('loses and duplicates nothing when two servers and their connections are killed at any moment', async () => {
  const { DATABASE_URL, origins, balancer, kill } = await twoServers();
  const headers = await signIn(balancer.origin, ADMIN.password);
  const device = new Device(balancer.origin, headers);
  const work = { goesOn: true };
  const made: Made[] = [];
  const working = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let n = 0; work.goesOn || n < 3; n += 1) {
      const [mark, key] = [`c${client}n${n}`, withKey()];
      made.push({ id: await device.create(mark, key), mark, key });
    }
  });
  await disturb(device, kill).finally(() => (work.goesOn = false));
  await Promise.all(working);

  expect(device.surprises).toEqual([]);
  expect(device.repeats).toBeGreaterThan(0);
  const list = (await (await device.send('GET', generators.endpoints.list))?.json()) as { id: number; brand: string }[];
  const told = made.map(({ id, mark }) => ({ id, brand: `Brand ${mark}` }));
  expect(list.map(({ id, brand }) => ({ id, brand })).toSorted((a, b) => a.id - b.id)).toEqual(
    told.toSorted((a, b) => a.id - b.id),
  );
  for (const { id, mark, key } of made.slice(0, 3)) expect(await device.create(mark, key)).toBe(id);
  await everyFileIsThere(DATABASE_URL, origins, made.length);
}, 180_000);

/** Starts one more server, which tidies. */
async function startOn(address: string): Promise<void> {
  const server = startProcess({ DATABASE_URL: address, DATA_DIR: await freshFolder() });
  await server.listening();
}

async function storedFiles(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM stored_files WHERE name NOT LIKE '.sizes/%'`.execute(
    db,
  );
  return rows.map(({ name }) => name).toSorted();
}

/**
 * Expects both servers to serve every recorded file as it was stored, and what no record names to be set aside, and to be gone after
 * its time.
 */
async function everyFileIsThere(address: string, origins: readonly string[], records: number): Promise<void> {
  const db = await openPostgres(address);
  onTestFinished(() => db.destroy());
  const files = await db.selectFrom('files').select(['name', 'sha256']).execute();
  expect(files).toHaveLength(records * 3);
  for (const origin of origins) {
    for (const { name, sha256: hash } of files) {
      const bytes = Buffer.from(await (await fetch(`${origin}/uploads/${name}`)).arrayBuffer());
      expect(sha256(bytes)).toBe(hash);
    }
  }
  const recorded = files.map(({ name }) => name).toSorted();
  await sql`UPDATE stored_files SET kept_at = now() - interval '2 days'`.execute(db);
  await startOn(address);
  const unnamed = await db.selectFrom('unnamed_files').select('name').execute();
  expect(await storedFiles(db)).toEqual([...recorded, ...unnamed.map(({ name }) => name)].toSorted());
  await sql`UPDATE unnamed_files SET since = '2020-01-01T00:00:00.000Z'`.execute(db);
  await startOn(address);
  expect(await storedFiles(db)).toEqual(recorded);
  const empty = await sql`SELECT 1 FROM stored_pieces WHERE name NOT IN (SELECT name FROM stored_files)`.execute(db);
  expect(empty.rows).toEqual([]);
}
