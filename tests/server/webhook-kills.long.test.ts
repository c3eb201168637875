import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { partners } from '../../src/domain/resources/partners.ts';
import { webhooksIn } from '../../server/stores/sql/webhooks.ts';
import type { Database } from '../../server/stores/sql/tables.ts';
import { freePort } from '../harness/ports.ts';
import { formOf, openBeside, signedIn } from './harness.ts';
import { filesFor, valuesFor } from './samples.ts';

const HOUR = 3_600_000;
/** The hour during which nobody receives passes in this many milliseconds. */
const SPEED = HOUR / 20_000;
const CREATED = 9000;
const UPDATED = 1000;
const BATCH = 100;
/** Kills while the receiver is down, and afterwards in the middle of an exchange. */
const KILLS = { down: 8, midway: 12 };

/** A message as it arrived. */
interface Arrived {
  readonly id: string;
  readonly cursor: number;
  readonly partners: readonly number[];
  readonly body: string;
}

/** A partner to copy, and its database with a webhook at this address. The server itself is closed. */
async function prepared(url: string) {
  const { app, admin, dataDir } = await signedIn();
  const form = formOf(valuesFor(partners.fields), await filesFor(partners));
  expect((await admin.post(partners.endpoints.create, form)).statusCode).toBe(200);
  await webhooksIn(app.services).add(url);
  await app.close();
  const db = await openBeside(dataDir);
  onTestFinished(() => db.destroy());
  const { id: _id, ...row } = await db
    .selectFrom('partners' as 'records')
    .selectAll()
    .executeTakeFirstOrThrow();
  return { db, dataDir, row };
}

/** Creates partners in batches, and changes some of the earlier ones in between. Returns the ids of both. */
async function change(db: Database, row: object) {
  const table = 'partners' as 'records';
  const [created, updated] = [new Set<number>(), new Set<number>()];
  for (let batch = 0; batch < CREATED / BATCH; batch += 1) {
    const rows = Array.from({ length: BATCH }, () => row);
    const made = await db
      .insertInto(table)
      .values(rows as never)
      .returning('id')
      .execute();
    for (const { id } of made) created.add(Number(id));
    // by way of a number that meets earlier ones of every age
    for (const id of [...created].filter((one) => one % 90 === batch % 90 && !updated.has(one)).slice(0, 15)) {
      if (updated.size >= UPDATED) break;
      updated.add(id);
      await db
        .updateTable(table)
        .set({ name: `changed in ${batch}` } as never)
        .where('id', '=', id)
        .execute();
    }
    await pause(20_000 / (CREATED / BATCH) / 2);
  }
  return { created, updated };
}

test('every change is told once and in order, though the receiver is down for an hour and the server is killed 20 times', async () => {
  const port = await freePort();
  const { db, dataDir, row } = await prepared(`http://127.0.0.1:${port}/rebuild`);
  const begunAt = Date.now();
  const arrived: Arrived[] = [];
  let midway = 0;
  let server: ChildProcess | undefined;
  const start = async () => {
    const script = join(import.meta.dirname, 'webhook-process.ts');
    const child = spawn(process.execPath, [script, dataDir, `${begunAt}`, `${SPEED}`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    server = child;
    await Promise.race([once(createInterface({ input: child.stdout }), 'line'), once(child, 'exit')]);
  };
  const kill = async () => {
    const child = server;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  onTestFinished(kill);

  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const { cursor, changed } = JSON.parse(body).data;
    arrived.push({ id: String(request.headers['webhook-id']), cursor, partners: changed.partners ?? [], body });
    if (midway < KILLS.midway && arrived.length % 3 === 1) {
      midway += 1;
      // once before the answer, once as it arrives
      if (midway % 2 === 0) response.writeHead(204).end();
      await kill();
      response.destroy();
      await start();
    } else response.writeHead(204).end();
  };
  const receiver = createServer((request, response) => void receive(request, response));
  onTestFinished(() => void receiver.close().closeAllConnections());

  const changing = change(db, row);
  for (let round = 0; round < KILLS.down; round += 1) {
    await start();
    await pause(20_000 / KILLS.down / 2);
    await kill();
  }
  const { created, updated } = await changing;
  expect([created.size, updated.size]).toEqual([CREATED, UPDATED]);
  const isOver = begunAt + HOUR / SPEED - Date.now();
  await pause(Math.max(0, isOver));
  expect(arrived).toEqual([]);
  receiver.listen(port, '127.0.0.1');
  await start();
  const waiting = () => db.selectFrom('webhook_deliveries').select('id').where('next_at', 'is not', null).execute();
  const behind = async () => {
    const { told_seq } = await db.selectFrom('webhooks').select('told_seq').executeTakeFirstOrThrow();
    return db.selectFrom('feed').select('seq').where('seq', '>', told_seq).execute();
  };
  while ((await waiting()).length > 0 || (await behind()).length > 0) await pause(200);
  expect(midway).toBe(KILLS.midway);

  const byId = new Map<string, Arrived>();
  for (const message of arrived) {
    expect(byId.get(message.id)?.body ?? message.body).toBe(message.body);
    if (!byId.has(message.id)) byId.set(message.id, message);
  }
  const messages = [...byId.values()];
  const cursors = messages.map(({ cursor }) => cursor);
  expect(cursors).toEqual(cursors.toSorted((one, other) => one - other));
  expect(new Set(cursors).size).toBe(cursors.length);
  const told = Map.groupBy(
    messages.flatMap((message) => message.partners),
    (id) => id,
  );
  const often = (ids: Iterable<number>) => [...ids].map((id) => told.get(id)?.length ?? 0);
  expect(often([...created].filter((id) => !updated.has(id)))).toEqual(Array(CREATED - UPDATED).fill(1));
  // a change that waited to be told together with the next one of its record is told with it
  expect(often(updated).every((count) => count === 1 || count === 2)).toBe(true);
  // a message that was being answered when its server was killed is the only one that may come twice
  expect(arrived.length - messages.length).toBeLessThanOrEqual(KILLS.midway);
}, 300_000);
