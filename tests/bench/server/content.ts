import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { alternate } from '../kit/alternate.ts';
import { Client } from '../kit/client.ts';
import { atLeastTimes, atMostTimes } from '../kit/figure.ts';
import { startFilledServer } from '../kit/filled-server.ts';
import { signIn } from '../kit/sign-in.ts';

const ROWS = 10_000;
const RUNS = 25;
/** Records asked for in one measurement: one alone is over too soon. */
const RECORDS = 50;
const CONNECTIONS = 16;
/** Milliseconds of one measurement of the 304s, and how many there are. */
const COUNTED_FOR = 500;
const COUNTS = 9;

const LIST = '/content/v1/grid-tie-inverters';

async function timed(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Starts the floor over a database. */
async function startBare(database: string) {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../kit/bare-content.ts'), database], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { port: Number(port), stop: () => child.kill() };
}

/** Counts the 304s a second of one server, with requests one after the other on each of some connections. */
async function rateOf(port: number, headers: string): Promise<number> {
  const request = `GET ${LIST} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}\r\n`;
  const until = performance.now() + COUNTED_FOR;
  let answers = 0;
  const ask = async () => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    while (performance.now() < until) {
      socket.write(request);
      const [bytes] = (await once(socket, 'data')) as [Buffer];
      if (!bytes.toString('latin1', 9, 12).startsWith('304')) throw new Error(bytes.toString('latin1', 0, 200));
      answers += 1;
    }
    socket.destroy();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, ask));
  return answers / (COUNTED_FOR / 1000);
}

/** The content API with 10,000 records, against the bare query with serialisation and against Fastify alone. */
export const content = {
  name: 'content',
  async measure() {
    const settings = { CONTENT: 'public', CONTENT_PER_MINUTE: '1000000' };
    const server = await startFilledServer(ROWS, 0, undefined, settings);
    const path = join(server.dataDir, 'voltdesk.sqlite');
    const bare = await startBare(path);
    const client = new Client(server.origin, await signIn(server.origin));
    const database = new DatabaseSync(path, { readOnly: true });
    const all = database.prepare('SELECT * FROM grid_tie_inverters ORDER BY id');
    const overHttp = new Client(`http://127.0.0.1:${bare.port}`, await signIn(server.origin));
    const etag = String((await client.get(LIST)).headers.etag);
    const times = await alternate(RUNS, {
      list: () => timed(() => client.get(LIST, { 'accept-encoding': 'br' })),
      bareList: () => timed(() => JSON.stringify(all.all())),
      records: () =>
        timed(async () => {
          for (let id = 1; id <= RECORDS; id += 1) await client.get(`${LIST}/${id}`);
        }),
      bareRecords: () =>
        timed(async () => {
          for (let id = 1; id <= RECORDS; id += 1) await overHttp.get(`/records/${id}`);
        }),
    });
    const port = Number(new URL(server.origin).port);
    const rates = await alternate(COUNTS, {
      ours: () => rateOf(port, `If-None-Match: ${etag}\r\n`),
      bare: () => rateOf(bare.port, ''),
    });
    database.close();
    client.close();
    overHttp.close();
    bare.stop();
    await server.remove();
    return [
      {
        what: 'content: list of 10,000 records, compressed',
        unit: 'ms',
        ours: times.list,
        against: { name: 'query and JSON alone', sample: times.bareList },
        goal: atMostTimes(0.3),
      },
      {
        what: `content: ${RECORDS} single records`,
        unit: 'ms',
        ours: times.records,
        against: { name: 'Fastify with query and JSON alone', sample: times.bareRecords },
        goal: atMostTimes(1.2),
      },
      {
        what: 'content: 304 answers',
        unit: '/s',
        ours: rates.ours,
        against: { name: 'empty 304 of Fastify', sample: rates.bare },
        goal: atLeastTimes(0.8),
      },
    ] as const;
  },
};
