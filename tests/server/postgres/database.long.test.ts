import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CompiledQuery, sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { backupNotesAmong } from '../../../server/stores/postgres/backup-notes.ts';
import { postgresDialect } from '../../../server/stores/postgres/dialect.ts';
import { isInUse } from './in-use.ts';
import { openPostgres } from '../../../server/stores/postgres/open.ts';
import { PIECE, piecesOf } from '../../../server/stores/postgres/pieces.ts';
import { openPool } from '../../../server/stores/postgres/pool.ts';
import { runningAmong } from '../../../server/stores/postgres/running.ts';
import { clockOf } from '../../../server/stores/postgres/shared/clock.ts';
import { openPostgresEngine } from '../../../server/stores/postgres/store.ts';
import { wholePostgres } from '../../../server/stores/postgres/whole.ts';
import { insertUser, userByEmail } from '../../../server/stores/sql/users.ts';
import { freshFolder, signedIn } from '../harness.ts';
import { asAdministrator, untouchedDatabase } from '../on-postgres.ts';
import { soon } from '../../harness/soon.ts';

/** What the database itself enforces, whoever works on it. */

const HOUR = 60 * 60 * 1000;
let address: string;
let db: Awaited<ReturnType<typeof openPostgres>>;

beforeAll(async () => {
  address = await untouchedDatabase('itself');
  db = await openPostgres(address);
});
afterAll(() => db.destroy());

/** A connected program other than the servers. */
async function another(to = address): Promise<Client> {
  const client = new Client({ connectionString: to });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

const insertPartner = (name: string) =>
  `INSERT INTO partners (version, created_at, updated_at, name) VALUES ('v', '', '', '${name}')`;

test('sorts texts by their bytes, whatever the collation of the database', async () => {
  await asAdministrator(
    `CREATE DATABASE dictionary TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US' ENCODING 'UTF8'`,
  );
  const other = await openPostgres(address.replace('/itself?', '/dictionary?'));
  onTestFinished(() => other.destroy());
  const { rows } = await sql<{ inWords: boolean }>`SELECT 'a' < 'B' AS "inWords"`.execute(other);
  expect(rows).toEqual([{ inWords: true }]);
  for (const name of ['a', 'B', 'é', 'Z']) await sql.raw(insertPartner(name)).execute(other);
  const names = await other
    .selectFrom('partners' as 'records')
    .select('name' as 'id')
    .orderBy('name' as 'id')
    .execute();
  expect(names).toEqual(['B', 'Z', 'a', 'é'].map((name) => ({ name })));
});

test('finds an email address in any case, whatever the language of the database', async () => {
  await asAdministrator(
    `CREATE DATABASE turkish TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'tr-TR' ENCODING 'UTF8'`,
  );
  const other = await openPostgres(address.replace('/itself?', '/turkish?'));
  onTestFinished(() => other.destroy());
  const email = 'info@example.com';
  await insertUser(other, { name: '', email, passwordHash: '', at: '' });
  for (const typed of [email, 'Info@Example.com', 'INFO@EXAMPLE.COM'])
    expect(await userByEmail(other, typed)).toMatchObject({ email });
});

test('refuses a NUL in an address or a text with 400, without a log entry besides that of a sign-in', async () => {
  const log: string[] = [];
  const { admin } = await signedIn({ LOG_LEVEL: 'warn' }, { logStream: { write: (line) => void log.push(line) } });
  expect((await admin.get('/uploads/%00')).statusCode).toBe(400);
  const signIn = await admin.signIn('admin@example.com\0', 'password');
  expect([signIn.statusCode, signIn.json()]).toEqual([
    400,
    { message: 'The request contains a character that cannot be read.' },
  ]);
  expect(log.filter((line) => (JSON.parse(line) as { audit?: string }).audit === undefined)).toEqual([]);
});

test('stores whole numbers larger than four bytes', async () => {
  const large = 5_000_000_000;
  await sql`INSERT INTO files (name, type, size, sha256, received_size, received_sha256, original_name, created_at)
    VALUES ('large', 'application/pdf', ${large}, '', ${large}, '', '', '')`.execute(db);
  const { rows } = await sql`SELECT size, received_size FROM files WHERE name = 'large'`.execute(db);
  expect(rows).toEqual([{ size: large, received_size: large }]);
});

test('refuses two users whose addresses differ only in case', async () => {
  const add = (email: string) =>
    sql`INSERT INTO users (name, email, password_hash, created_at, updated_at) VALUES ('', ${email}, '', '', '')`.execute(
      db,
    );
  await add('anna@example.com');
  await expect(add('Anna@Example.com')).rejects.toThrow('users_by_email');
});

test('lets a writer beside the servers wait for another, so that no number is seen before a lower one', async () => {
  const [first, second] = [await another(), await another()];
  await first.query('BEGIN');
  await first.query(insertPartner('first'));
  const order: string[] = [];
  const later = second.query(insertPartner('second')).then(() => order.push('second'));
  await pause(50);
  order.push('first');
  await first.query('COMMIT');
  await later;
  expect(order).toEqual(['first', 'second']);
});

test('restores the numbering of a kind of record, and keeps existing numbers', async () => {
  await sql.raw(insertPartner('numbered')).execute(db);
  const numbers = async () =>
    (await sql`SELECT * FROM feed WHERE subject = 'partners' ORDER BY seq`.execute(db)).rows as { record_id: number }[];
  const before = await numbers();
  await sql`DROP TRIGGER feed_of_partners ON partners`.execute(db);
  await sql.raw(insertPartner('not numbered')).execute(db);
  await (await openPostgres(address)).destroy();
  const after = await numbers();
  expect(after.slice(0, before.length)).toEqual(before);
  expect(after).toHaveLength(before.length + 1);
  await sql.raw(insertPartner('numbered again')).execute(db);
  expect(await numbers()).toHaveLength(before.length + 2);
});

test('does not count a program that is not a server as use of a database', async () => {
  const free = await untouchedDatabase('looked_at');
  await another(free);
  expect(await isInUse(free)).toBe(false);
});

test('reads a file in consecutive pieces, however many', async () => {
  const path = join(await freshFolder(), 'file');
  const bytes = Buffer.alloc(9 * PIECE + 100, 'pieces of a file ');
  await writeFile(path, bytes);
  const pieces = (await Array.fromAsync(piecesOf(path))).flat();
  expect(pieces.map(({ at }) => at)).toEqual(Array.from({ length: 10 }, (_, index) => index * PIECE));
  expect(Buffer.concat(pieces.map((piece) => piece.bytes)).equals(bytes)).toBe(true);
});

test('names its connections, and limits how long they may hang', async () => {
  const pool = openPool(address);
  onTestFinished(() => pool.end());
  const settings = ['application_name', 'statement_timeout', 'idle_in_transaction_session_timeout'];
  const shown = settings.map(async (name) => Object.values((await pool.query(`SHOW ${name}`)).rows[0])[0]);
  expect(await Promise.all(shown)).toEqual(['voltdesk', '30s', '5s']);
});

test('replaces a connection that ends while idle', async () => {
  const pool = openPool(address);
  onTestFinished(() => pool.end());
  const { rows } = await pool.query('SELECT pg_backend_pid() AS pid');
  await (await another()).query('SELECT pg_terminate_backend($1)', [rows[0].pid]);
  await soon(() => expect(pool.totalCount).toBe(0));
  expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});

test('wraps a reused connection only once', async () => {
  const pool = openPool(address);
  const driver = postgresDialect(pool).createDriver();
  await driver.init();
  onTestFinished(() => driver.destroy());
  const first = await driver.acquireConnection();
  const { executeQuery } = first;
  await driver.releaseConnection(first);
  const again = await driver.acquireConnection();
  expect(again.executeQuery).toBe(executeQuery);
  await expect(again.executeQuery(CompiledQuery.raw('SELECT none'))).rejects.toMatchObject({ code: '42703' });
  await driver.releaseConnection(again);
});

test('makes the next backup due a day after the last, whoever made that, and not before', async () => {
  const notes = backupNotesAmong(db);
  const pass = (hours: number) =>
    sql`UPDATE last_backup SET made_at = made_at - make_interval(hours => ${hours}::int),
      claimed_at = claimed_at - make_interval(hours => ${hours}::int)`.execute(db);
  const backup = { at: new Date().toISOString(), file: '/backups/one.voltdesk', damaged: 0 };
  expect(await notes.claim(24 * HOUR)).toBe(true);
  await notes.note(backup);
  await pass(23);
  expect(await notes.claim(24 * HOUR)).toBe(false);
  await pass(2);
  expect(await notes.claim(24 * HOUR)).toBe(true);
  await notes.note({ ...backup, file: '/backups/two.voltdesk' });
  await pass(2);
  expect(await notes.claim(24 * HOUR)).toBe(false);
  expect((await notes.last())?.file).toBe('/backups/two.voltdesk');
});

test('reads a whole database as of one moment', async () => {
  const client = await another();
  const namesIn = async (reading: typeof db) => {
    const names: unknown[] = [];
    for await (const rows of wholePostgres(db).rows(reading, 'partners')) names.push(...rows.map(({ name }) => name));
    return names;
  };
  await wholePostgres(db).atOneMoment(async (reading) => {
    const before = await namesIn(reading);
    await client.query(insertPartner('meanwhile'));
    expect(await namesIn(reading)).toEqual(before);
  });
  expect((await sql`SELECT 1 FROM partners WHERE name = 'meanwhile'`.execute(db)).rows).toHaveLength(1);
});

test('releases a finished change on another connection when the first was lost', async () => {
  let isLost = true;
  const losing = db.withPlugin({
    transformQuery: ({ node }) => {
      if (isLost && JSON.stringify(node).includes('DELETE FROM changes_at_work')) {
        isLost = false;
        throw new Error('The connection was lost.');
      }
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const key = { userId: 1, key: 'lost' };
  await runningAmong(losing, clockOf(undefined)).alone(key, async () => undefined);
  expect(isLost).toBe(false);
  await runningAmong(db, clockOf(undefined)).requireFree(key);
});

test('continues a change whose claim cannot be renewed for a moment, and releases it before it is answered', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const said: string[] = [];
  const slow = db.withPlugin({
    transformQuery: ({ node }) => {
      const text = JSON.stringify(node);
      if (text.includes('UPDATE changes_at_work')) {
        said.push('goes on');
        throw new Error('The database is away.');
      }
      return node;
    },
    async transformResult({ result }) {
      await pause(20);
      said.push('answered');
      return result;
    },
  });
  await runningAmong(slow, clockOf(undefined)).alone({ userId: 1, key: 'slow' }, async () => {
    // an unhandled rejection ends a server, and fails this run
    vi.advanceTimersByTime(10_000);
    await pause(5);
  });
  expect(said).toEqual(['answered', 'goes on', 'answered']);
});

test('does not commit a change that was reported as not in flight', async () => {
  const running = runningAmong(db, clockOf(undefined));
  const change = running.alone({ userId: 1, key: 'gone' }, async (confirm) => {
    await sql`DELETE FROM changes_at_work`.execute(db);
    await db.transaction().execute(async (writing) => {
      await sql.raw(insertPartner('gone')).execute(writing);
      await confirm(writing);
    });
  });
  await expect(change).rejects.toMatchObject({ status: 409 });
  expect((await sql`SELECT 1 FROM partners WHERE name = 'gone'`.execute(db)).rows).toEqual([]);
});

test('leaves no connection and no timer after closing', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const own = await untouchedDatabase('left_behind');
  const timers = vi.getTimerCount();
  const engine = await openPostgresEngine(own);
  engine.sharedBy({ randomBytes: (count) => Buffer.alloc(count) });
  expect(vi.getTimerCount()).toBe(timers + 2);
  const client = await another(own);
  const connected = async () => {
    const { rows } = await client.query(`SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'voltdesk'`);
    return rows.length;
  };
  await engine.check();
  await soon(async () => expect(await connected()).toBe(2));
  const { rows } = await client.query('SELECT pg_database_size(current_database())::int AS size');
  expect(Math.abs((await engine.size()) - rows[0].size)).toBeLessThan(1_000_000);
  await engine.close();
  expect(vi.getTimerCount()).toBe(timers);
  await soon(async () => expect(await connected()).toBe(0));
});

test('reports within three seconds whether the database can be used', { timeout: 10_000 }, async () => {
  const engine = await openPostgresEngine(address, { connections: 1 });
  onTestFinished(() => engine.close());
  await engine.db.connection().execute(async (own) => {
    await sql`SELECT 1`.execute(own);
    await expect(engine.check()).rejects.toMatchObject({ cause: { message: 'It does not answer.' } });
  });
});
