import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { ACTIVITY_PATH } from '../../src/domain/activity.ts';
import { FEED_PATH } from '../../src/domain/protocol/feed.ts';
import { gridTieInverters } from '../../src/domain/resources/grid-tie-inverters.ts';
import { siteMeta } from '../../src/domain/resources/site-meta.ts';
import { TestServer } from '../harness/server.ts';
import { inverters } from './kit/rows.ts';
import { signIn } from './kit/sign-in.ts';

/*
 * `npm run bench:year -- --days 365 --changes 5000`: what a year of work leaves in the embedded database, and what the server is like with
 * it. The rows that changes leave (record, history, key, number in the feed) are written directly: of a hundred changes of 10,000 records,
 * two make a record, one deletes one, and the rest edit one at random.
 */
const { values } = parseArgs({
  options: { days: { type: 'string', default: '365' }, changes: { type: 'string', default: '5000' } },
});
const count = Number(values.days) * Number(values.changes);
const RECORDS = 10_000;
const RUNS = 9;

/** Writes the traces of changes into the database of a stopped server. Returns the id of an edited record. */
function fill(path: string): number {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA synchronous = OFF');
  const insert = database.prepare(
    `INSERT INTO grid_tie_inverters (version, created_at, updated_at, type, brand, capacity, model)
      VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id`,
  );
  const remove = database.prepare('DELETE FROM grid_tie_inverters WHERE id = ?');
  const note = database.prepare(
    `INSERT INTO changes (at, user_id, user_name, resource, record_id, action, "before", "after") VALUES (?, 1, 'A', ?, ?, ?, ?, ?)`,
  );
  const keep = database.prepare(
    'INSERT INTO idempotency_keys (user_id, key, fingerprint, status, body, created_at) VALUES (1, ?, ?, 200, ?, ?)',
  );
  const rows = inverters(RECORDS);
  const ids: number[] = [];
  const make = (at: string) => {
    const { type, brand, capacity, model } = rows[ids.length % RECORDS] ??
      rows[0] ?? { type: '', brand: '', capacity: '', model: '' };
    const id = Number(insert.get(randomUUID(), at, at, type, brand, capacity, model)?.['id']);
    ids.push(id);
    return { id, text: JSON.stringify({ type, brand, capacity, model, image: null, catalog: null, images: [] }) };
  };
  const begin = Date.UTC(2026, 0, 1);
  const every = (Number(values.days) * 24 * 60 * 60_000) / count;
  database.exec('BEGIN');
  for (let n = 0; n < RECORDS; n += 1) make(new Date(begin).toISOString());
  const text = JSON.stringify({ ...rows[0], image: null, catalog: null, images: [] });
  for (let n = 0; n < count; n += 1) {
    const at = new Date(begin + n * every).toISOString();
    const kind = n % 100;
    const id = kind < 2 ? make(at).id : (ids[Math.floor(Math.random() * ids.length)] ?? 1);
    const action = kind < 2 ? 'create' : kind === 2 ? 'delete' : 'update';
    if (kind === 2) remove.run(id);
    note.run(at, gridTieInverters.name, id, action, kind < 2 ? null : text, kind === 2 ? null : text);
    const body = JSON.stringify({ message: 'Grid Tie Inverter Updated Successfully', id, version: randomUUID() });
    keep.run(randomUUID(), randomBytes(32).toString('hex'), body, at);
    if (n % 100_000 === 99_999) database.exec('COMMIT; BEGIN');
  }
  database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  return ids.at(-2) ?? 1;
}

/** How long a server takes until it answers. Seconds. */
async function startTime(server: TestServer): Promise<string> {
  const began = performance.now();
  await server.start();
  return ((performance.now() - began) / 1000).toFixed(1);
}

/** The median duration of a task in milliseconds. */
async function median(task: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const began = performance.now();
    await task();
    times.push(performance.now() - began);
  }
  return Math.round(times.toSorted((one, other) => one - other)[Math.floor(RUNS / 2)] ?? 0);
}

const server = await TestServer.start({ settings: { LOG_LEVEL: 'error' } });
try {
  await server.stop();
  const empty = await startTime(server);
  await server.stop();
  const path = join(server.dataDir, 'voltdesk.sqlite');
  const filledAt = performance.now();
  const edited = fill(path);
  console.log(`${count} changes written in ${Math.round((performance.now() - filledAt) / 1000)} s.`);
  const filled = await startTime(server);
  const { headers } = await signIn(server.origin);
  const ask =
    (url: string, more: RequestInit = {}) =>
    async () => {
      const answer = await fetch(server.origin + url, { headers, ...more });
      if (!answer.ok) throw new Error(`${url} answered ${answer.status}.`);
      return answer.text();
    };
  const texts = {
    title: 'T',
    phone: '000-0000',
    email: 'a@example.com',
    address: 'Road 1',
    fb: '',
    tw: '',
    li: '',
    metaTag: '',
  };
  const change = () =>
    ask(siteMeta.endpoints.single, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify({ ...texts, title: randomUUID() }),
    })();
  const { cursor } = JSON.parse(await ask(FEED_PATH)()) as { cursor: string };
  const figures: readonly (readonly [string, string])[] = [
    ['database', `${Math.round(statSync(path).size / 1e6)} MB`],
    ['start until it answers; of an empty one', `${filled} s; ${empty} s`],
    ['a change', `${await median(change)} ms`],
    [
      'a key that is known or not',
      `${await median(() => fetch(`${server.origin}/api/changes/${randomUUID()}`, { headers }))} ms`,
    ],
    ['a page of a history', `${await median(ask(`/api/history/${gridTieInverters.name}/${edited}`))} ms`],
    ['recent activity', `${await median(ask(ACTIVITY_PATH))} ms`],
    ['a feed request with news', `${await median(ask(`${FEED_PATH}?since=${encodeURIComponent(cursor)}`))} ms`],
    [
      'the list, built anew',
      `${await median(async () => (await change(), ask(gridTieInverters.endpoints.list)()))} ms`,
    ],
    ['peak memory', `${/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]} kB`],
  ];
  console.log(figures.map(([what, figure]) => `| ${what} | ${figure} |`).join('\n'));
} finally {
  await server.remove();
}
