import { execFileSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { buildApp } from '../../../server/app.ts';
import { freePort } from '../../harness/ports.ts';
import { type Cluster, startCluster } from '../../harness/postgres.ts';
import { freshFolder, testSettings } from '../harness.ts';

const PASSWORD = 'c0rrect-h0rse';
let cluster: Cluster;
let port: number;
/** The path of the certificate that the database shows: its own, for the name `localhost`. */
let certificate: string;

beforeAll(async () => {
  port = await freePort();
  cluster = await startCluster({
    port,
    certify(path, key) {
      const named = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-days', '30'];
      const kind = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
      execFileSync('openssl', [...kind, ...named, '-keyout', key, '-out', path], { stdio: 'ignore' });
      certificate = path;
    },
  });
  await cluster.run(`CREATE ROLE voltdesk LOGIN PASSWORD '${PASSWORD}'`, 'CREATE DATABASE desk OWNER voltdesk');
});

afterAll(() => cluster.stop());

/** A server on the database, by an address with this ending, and its log. */
async function started(parameters: string, { host = 'localhost', password = PASSWORD } = {}) {
  let log = '';
  const DATABASE_URL = `postgres://voltdesk:${password}@${host}:${port}/desk${parameters}`;
  const settings = testSettings({ DATABASE_URL, DATA_DIR: await freshFolder(), LOG_LEVEL: 'trace' });
  const building = buildApp(settings, { logStream: { write: (line) => (log += line) } });
  building.then(
    (app) => onTestFinished(() => app.close()),
    () => undefined,
  );
  return { building, log: () => log };
}

/** A copy that outlasts the cluster's folder. */
async function trusted(): Promise<string> {
  const path = join(await freshFolder(), 'trusted.pem');
  copyFileSync(certificate, path);
  return path;
}

test('encrypts on request, whoever issued the certificate', async () => {
  const { building, log } = await started('?sslmode=require');
  const app = await building;
  const { rows } = await sql<{ ssl: boolean }>`SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`.execute(
    app.services.db,
  );
  expect(rows).toEqual([{ ssl: true }]);
  expect(log()).toContain('sslmode=require encrypts, but does not verify whose database answers');
  expect(log()).not.toContain(PASSWORD);
});

test('checks a certificate on request, and trusts a named one', async () => {
  const unknown = await started('?sslmode=verify-full');
  await expect(unknown.building).rejects.toThrow(
    `localhost:${port}/desk shows a certificate that nobody vouches for. In DATABASE_URL, sslrootcert=FILE`,
  );
  const named = await started(`?sslmode=verify-full&sslrootcert=${await trusted()}`);
  expect((await (await named.building).inject('/readyz')).statusCode).toBe(200);
  const elsewhere = await started(`?sslmode=verify-full&sslrootcert=${await trusted()}`, { host: '127.0.0.1' });
  await expect(elsewhere.building).rejects.toThrow('shows a certificate of another name');
});

test('accepts a certificate for another name when only its issuer is checked', async () => {
  const { building } = await started(`?sslmode=verify-ca&sslrootcert=${await trusted()}`, { host: '127.0.0.1' });
  expect((await (await building).inject('/readyz')).statusCode).toBe(200);
});

test('reports a database that requires TLS to a connection without it', async () => {
  const { building } = await started('');
  await expect(building).rejects.toThrow(/does not let this user of DATABASE_URL in: .*no encryption/);
});

test('reports a wrong password without repeating it', async () => {
  const { building, log } = await started('?sslmode=require', { password: 'wr0ng-h0rse' });
  const fault = await building.then(String, (error: Error) => error);
  expect(fault).toMatchObject({ message: expect.stringContaining('does not take this password of DATABASE_URL') });
  expect(`${(fault as Error).stack}${String((fault as Error).cause)}${log()}`).not.toContain('wr0ng-h0rse');
});
