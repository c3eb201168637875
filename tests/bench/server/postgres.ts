import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Client as Connection } from 'pg';
import { gridTieInverters } from '../../../src/domain/resources/grid-tie-inverters.ts';
import { type Cluster, startCluster } from '../../harness/postgres.ts';
import { pdf } from '../../harness/sample-files.ts';
import { TestServer } from '../../harness/server.ts';
import { alternate } from '../kit/alternate.ts';
import { Client } from '../kit/client.ts';
import { atLeastTimes, atMostTimes, type Figure } from '../kit/figure.ts';
import { type Attachment, inverterForm } from '../kit/forms.ts';
import { photo } from '../kit/photos.ts';
import { pin } from '../kit/pin.ts';
import { Reader } from '../kit/reader.ts';
import { inverters } from '../kit/rows.ts';
import { type SignedIn, signIn } from '../kit/sign-in.ts';

const ROWS = 10_000;
const RUNS = 25;
const SINGLES = 200;
const CREATES = 7;
/** Clients that read continuously, and the milliseconds they do so per round. */
const READERS = 24;
const READING = 3_000;
const ROUNDS = 5;
/** The cores not used by the two servers. */
const REST = '2-3';

const { list, single, create } = gridTieInverters.endpoints;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function fill(address: string): Promise<void> {
  const connection = new Connection({ connectionString: address });
  await connection.connect();
  for (const { id, type, brand, capacity, model } of inverters(ROWS)) {
    await connection.query(
      `INSERT INTO grid_tie_inverters (version, created_at, updated_at, type, brand, capacity, model)
        VALUES ($1, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', $2, $3, $4, $5)`,
      [`v${id}`, type, brand, capacity, model],
    );
  }
  await connection.query('ANALYZE');
  await connection.end();
}

/** The baseline, in a process of its own. */
async function bareServer(address: string) {
  const path = new URL('./bare-postgres.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [path, address], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  const close = async () => {
    const ended = once(child, 'exit');
    child.stdin.end();
    await ended;
  };
  return { origin: `http://127.0.0.1:${port.toString().trim()}`, close };
}

async function reading(shared: TestServer, session: SignedIn, address: string): Promise<readonly Figure[]> {
  const bare = await bareServer(address);
  const [ours, other] = [new Client(shared.origin, session), new Client(bare.origin, session)];
  const changed = new Connection({ connectionString: address });
  await changed.connect();
  const touch = () => changed.query(`UPDATE grid_tie_inverters SET capacity = capacity WHERE id = 1`);
  const anew = async () => {
    await touch();
    return timed(() => ours.get(list));
  };
  const lists = await alternate(RUNS, {
    kept: () => timed(() => ours.get(list)),
    anew,
    bare: () => timed(() => other.get(list)),
  });
  const singles = await alternate(SINGLES, {
    ours: () => timed(() => ours.get(`${single}/5000`)),
    bare: () => timed(() => other.get(`${single}/5000`)),
  });
  ours.close();
  other.close();
  await changed.end();
  await bare.close();
  const [ofList, ofSingle] = [lists.bare, singles.bare].map((sample) => ({ name: 'query and JSON over HTTP', sample }));
  const goal = atMostTimes(1.5);
  const what = `PostgreSQL: list of ${ROWS} rows`;
  return [
    { what, unit: 'ms', ours: lists.kept, ...(ofList && { against: ofList }), goal },
    { what: `${what}, after a change`, unit: 'ms', ours: lists.anew, ...(ofList && { against: ofList }), goal },
    { what: 'PostgreSQL: one record', unit: 'ms', ours: singles.ours, ...(ofSingle && { against: ofSingle }), goal },
  ];
}

/** The same photo with different bytes, because a file that the server already has costs less. */
function another(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, randomBytes(16)]);
}

async function creating(shared: TestServer, session: SignedIn): Promise<Figure> {
  const embedded = await TestServer.start({ settings: { LOG_LEVEL: 'error' } });
  const photos = await Promise.all([photo(), photo(), photo()]);
  const catalog: Attachment = { field: 'catalog', bytes: pdf('c', 1).buffer, type: 'application/pdf', name: 'c.pdf' };
  const images = () =>
    photos.map(
      (bytes): Attachment => ({ field: 'images[]', bytes: another(bytes), type: 'image/jpeg', name: 'p.jpg' }),
    );
  const [there, here] = [
    new Client(shared.origin, session),
    new Client(embedded.origin, await signIn(embedded.origin)),
  ];
  const made = (client: Client) => async () => {
    const form = inverterForm([catalog, ...images()]);
    const time = await timed(async () => {
      const { status, body } = await client.post(create, form);
      if (status !== 200) throw new Error(`Creating answered ${status}: ${body.toString()}`);
    });
    return 1000 / time;
  };
  const rates = await alternate(CREATES, { ours: made(there), embedded: made(here) });
  there.close();
  here.close();
  await embedded.remove();
  const against = { name: 'the embedded SQLite', sample: rates.embedded };
  return {
    what: 'PostgreSQL: creates with three photos of 2 MB',
    unit: '/s',
    ours: rates.ours,
    against,
    goal: atLeastTimes(0.8),
  };
}

/** Answers per second for clients that continuously read records of all ages from these servers. */
async function readsPerSecond(origins: readonly string[], session: SignedIn): Promise<number> {
  const until = performance.now() + READING;
  let answers = 0;
  const readers = Array.from({ length: READERS }, async (_, number) => {
    const client = await Reader.to(origins[number % origins.length] ?? '', session);
    while (performance.now() < until) {
      await client.get(`${single}/${1 + ((number * 397 + answers) % ROWS)}`);
      answers += 1;
    }
    client.close();
  });
  await Promise.all(readers);
  return (answers * 1000) / READING;
}

/** Pins each server to a core of its own. The database and the clients share the others. */
function onCoresOfTheirOwn(cluster: Cluster, servers: readonly TestServer[]): void {
  for (const [core, server] of servers.entries()) pin(server.pid, String(core));
  for (const pid of cluster.processes()) pin(pid, REST);
  pin(process.pid, REST);
}

async function twoProcesses(shared: TestServer, other: TestServer, session: SignedIn): Promise<Figure> {
  const rates = await alternate(ROUNDS, {
    two: () => readsPerSecond([shared.origin, other.origin], session),
    one: () => readsPerSecond([shared.origin], session),
  });
  const against = { name: 'one process', sample: rates.one };
  return {
    what: `PostgreSQL: records read by ${READERS} clients from two processes`,
    unit: '/s',
    ours: rates.two,
    against,
    goal: atLeastTimes(1.7),
  };
}

async function withServers<T>(
  cluster: Cluster,
  task: (address: string, one: TestServer, two: TestServer) => Promise<T>,
): Promise<T> {
  await cluster.run('CREATE DATABASE bench');
  const address = cluster.address('bench');
  const settings = { LOG_LEVEL: 'error', DATABASE_URL: address };
  const one = await TestServer.start({ settings });
  const two = await TestServer.start({ settings });
  try {
    await fill(address);
    return await task(address, one, two);
  } finally {
    await one.remove();
    await two.remove();
  }
}

/** Servers on their own PostgreSQL with durable commits, against the bare query, the embedded database and each other. */
export const postgres = {
  name: 'postgres',
  async measure() {
    const cluster = await startCluster(undefined, { lasts: true });
    try {
      return await withServers(cluster, async (address, one, two) => {
        const session = await signIn(one.origin);
        const figures = [...(await reading(one, session, address)), await creating(one, session)];
        onCoresOfTheirOwn(cluster, [one, two]);
        return [...figures, await twoProcesses(one, two, session)];
      });
    } finally {
      await cluster.stop();
    }
  },
};
