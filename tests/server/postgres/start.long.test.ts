import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { buildApp } from '../../../server/app.ts';
import { isInUse } from './in-use.ts';
import { openPostgres } from '../../../server/stores/postgres/open.ts';
import { openPostgresEngine } from '../../../server/stores/postgres/store.ts';
import { ADMIN, freshFolder, testSettings } from '../harness.ts';
import { asAdministrator, untouchedDatabase } from '../on-postgres.ts';
import { signIn, startProcess } from '../process.ts';

/** A server as its settings make it, and its log. */
async function started(DATABASE_URL: string) {
  let log = '';
  const settings = testSettings({ DATABASE_URL, DATA_DIR: await freshFolder(), LOG_LEVEL: 'warn' });
  const building = buildApp(settings, { logStream: { write: (line) => (log += line) } });
  building.then(
    (app) => onTestFinished(() => app.close()),
    () => undefined,
  );
  return { building, log: () => log };
}

test('gives servers that share a folder separate parts of it, and accepts a session on both', async () => {
  const environment = {
    DATABASE_URL: await untouchedDatabase('shared'),
    DATA_DIR: await freshFolder(),
    ADMIN_PASSWORD: ADMIN.password,
  };
  const [one, other] = [startProcess(environment), startProcess(environment)];
  const [here, there] = [await one.listening(), await other.listening()];
  expect((await readdir(join(environment.DATA_DIR, 'servers'))).toSorted()).toEqual(['1', '2']);
  expect(await readdir(environment.DATA_DIR)).toEqual(['servers']);
  const headers = await signIn(here, ADMIN.password);
  expect((await fetch(`${there}/api/user`, { headers })).status).toBe(200);
  other.child.kill('SIGTERM');
  expect(await other.ended).toBe(0);
});

test('exits when a start fails after its database was opened, whatever failed', async () => {
  const environment = async (name: string) => ({
    DATABASE_URL: await untouchedDatabase(name),
    DATA_DIR: await freshFolder(),
    AWS_ACCESS_KEY_ID: 'key',
    AWS_SECRET_ACCESS_KEY: 'secret',
  });
  // an address for documentation, which no machine has (RFC 5737)
  const noHost = startProcess({ ...(await environment('no_host')), HOST: '192.0.2.1' });
  const UPLOADS_URL = 's3://bucket/site?endpoint=http://127.0.0.1:1';
  const noBucket = startProcess({ ...(await environment('no_bucket')), UPLOADS_URL });
  expect([await noHost.ended, await noBucket.ended]).toEqual([1, 1]);
  expect(noHost.output()).toContain('192.0.2.1 is not an address of this machine');
  expect(noBucket.output()).toContain('The bucket bucket of UPLOADS_URL cannot be used');
});

test('holds no connection to its database after it has ended', async () => {
  const address = await untouchedDatabase('ended');
  const engine = await openPostgresEngine(address);
  await expect.poll(() => isInUse(address, 100)).toBe(true);
  await engine.close();
  // a busy machine lists an ended connection for seconds
  expect(await isInUse(address, 20_000)).toBe(false);
});

test('reports a busy database before the statements waiting for it time out', async () => {
  const engine = await openPostgresEngine(await untouchedDatabase('busy'), { connections: 1 });
  onTestFinished(() => engine.close());
  const busy = sql`SELECT pg_sleep(7)`.execute(engine.db);
  const asked = sql`SELECT 1`.execute(engine.db).catch(() => 'given up');
  expect(await Promise.race([asked, engine.check().catch(String)])).toContain('cannot be reached');
  expect(await asked).toBe('given up');
  await busy;
});

test('waits for a database that is not there yet, and logs that', async () => {
  const address = await untouchedDatabase('late');
  await asAdministrator('ALTER DATABASE late ALLOW_CONNECTIONS false');
  const { building, log } = await started(address);
  await expect.poll(log).toMatch(/The database .*\/late cannot be reached \(.+\)\. Trying again\./);
  await asAdministrator('ALTER DATABASE late ALLOW_CONNECTIONS true');
  expect((await (await building).inject('/readyz')).statusCode).toBe(200);
});

test('reports a missing database at once, without the password', async () => {
  const address = (await untouchedDatabase('present')).replace('postgres@/present', 'postgres:c0rrect@/absent');
  const { building } = await started(address);
  const fault = await building.then(String, (error: Error) => error);
  expect(fault).toMatchObject({ message: expect.stringMatching(/^The database .*\/absent is not there/) });
  expect(`${(fault as Error).message}${String((fault as Error).cause)}`).not.toContain('c0rrect');
});

test('reports that the user may not create tables', async () => {
  const address = await untouchedDatabase('others');
  await asAdministrator('CREATE ROLE guest LOGIN');
  const { building } = await started(address.replace('postgres@', 'guest@'));
  await expect(building).rejects.toThrow('does not let this user make tables');
});

test('waits longer than a request may for another server’s migration', async () => {
  const address = await untouchedDatabase('slow');
  const other = new Client({ connectionString: address });
  await other.connect();
  onTestFinished(() => other.end());
  await other.query(`SELECT pg_advisory_lock(${MIGRATIONS})`);
  const opening = openPostgres(address, { statement: 100 });
  await expect.poll(() => waiting(other)).toBe(1);
  await other.query('SELECT pg_sleep(0.3)');
  await other.query(`SELECT pg_advisory_unlock(${MIGRATIONS})`);
  const db = await opening;
  onTestFinished(() => db.destroy());
  expect(await db.selectFrom('site_meta').select('id').execute()).toEqual([{ id: 1 }]);
});

/** Kysely's own. */
const MIGRATIONS = '3853314791062309107';

async function waiting(client: Client): Promise<number> {
  const { rows } =
    await client.query(`SELECT count(*)::int AS count FROM pg_locks JOIN pg_database d ON d.oid = database
    WHERE locktype = 'advisory' AND NOT granted AND datname = 'slow'`);
  return rows[0].count;
}
