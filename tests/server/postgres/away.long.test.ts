import { expect, onTestFinished, test } from 'vitest';
import { openPostgres } from '../../../server/stores/postgres/open.ts';
import { openPostgresEngine } from '../../../server/stores/postgres/store.ts';
import { partners } from '../../../src/domain/resources/partners.ts';
import { type Client, formOf, signedIn, withKey } from '../harness.ts';
import { startCluster } from '../../harness/postgres.ts';
import { alterDatabase, untouchedDatabase } from '../on-postgres.ts';
import { filesFor, valuesFor } from '../samples.ts';

const partnerForm = async () => formOf(valuesFor(partners.fields), await filesFor(partners));
const read = (client: Client) => client.get(partners.endpoints.list);
const whyNotReady = async (client: Client) => (await client.get('/readyz')).json().message;
const readiness = async (client: Client) => (await client.get('/readyz')).statusCode;

test('reports a missing database with a retry time, and recovers by itself', async () => {
  const { admin, dataDir } = await signedIn();
  const [form, key] = [await partnerForm(), withKey()];
  await alterDatabase(dataDir, 'ALLOW_CONNECTIONS false');
  for (const answer of [await read(admin), await admin.post(partners.endpoints.create, form, key)]) {
    expect([answer.statusCode, answer.json().code, answer.headers['retry-after']]).toEqual([503, 'database', '10']);
    expect(answer.json().message).toBe('The database cannot be reached.');
  }
  expect(await readiness(admin)).toBe(503);
  await alterDatabase(dataDir, 'ALLOW_CONNECTIONS true');
  // here and below: an ended connection may not be recognised as such yet
  await expect.poll(() => readiness(admin)).toBe(200);
  await expect.poll(async () => (await admin.post(partners.endpoints.create, form, key)).statusCode).toBe(200);
  await expect.poll(async () => (await read(admin)).json()).toHaveLength(1);
});

test('reads from a read-only database, and answers each change with a retry time', async () => {
  const { admin, dataDir } = await signedIn();
  const [form, key] = [await partnerForm(), withKey()];
  await alterDatabase(dataDir, 'SET default_transaction_read_only = on');
  await expect.poll(async () => (await read(admin)).json()).toEqual([]);
  const told = { message: 'The database takes no changes now.', code: 'database' };
  const answer = async () => {
    const { statusCode, json } = await admin.post(partners.endpoints.create, form, key);
    return [statusCode, json()];
  };
  await expect.poll(answer).toEqual([503, told]);
  await expect.poll(() => whyNotReady(admin)).toBe(told.message);
  expect(await readiness(admin)).toBe(503);
  await alterDatabase(dataDir, 'SET default_transaction_read_only = off');
  await expect.poll(async () => (await admin.post(partners.endpoints.create, form, key)).statusCode).toBe(200);
});

test('recovers by itself after a crash of the database, and reports it meanwhile', async () => {
  const cluster = await startCluster();
  onTestFinished(() => cluster.stop());
  await cluster.run('CREATE DATABASE desk');
  const openEngine = () => openPostgresEngine(cluster.address('desk'));
  const { admin, app } = await signedIn({}, { openEngine });
  const [form, key] = [await partnerForm(), withKey()];
  let rang = 0;
  app.services.bell.watch(() => (rang += 1));
  await cluster.crash();
  for (const answer of [await read(admin), await admin.post(partners.endpoints.create, form, key)])
    expect([answer.statusCode, answer.json().code]).toEqual([503, 'database']);
  expect(await whyNotReady(admin)).toBe('The database cannot be reached.');
  await cluster.begin();
  await expect.poll(() => whyNotReady(admin)).toBeUndefined();
  await expect.poll(async () => (await admin.post(partners.endpoints.create, form, key)).statusCode).toBe(200);
  expect((await read(admin)).json()).toHaveLength(1);
  // once when it listens again, because something may have been missed
  await expect.poll(() => rang).toBeGreaterThan(0);
});

test('aborts a statement that takes too long, without changing anything', async () => {
  const address = await untouchedDatabase('slow');
  const openEngine = () => openPostgresEngine(address, { statement: 300 });
  const { admin, app } = await signedIn({}, { openEngine });
  const [form, key] = [await partnerForm(), withKey()];
  const other = await openPostgres(address);
  onTestFinished(() => other.destroy());
  // no one else can write while this lasts
  await other.transaction().execute(async () => {
    const answer = await admin.post(partners.endpoints.create, form, key);
    expect([answer.statusCode, answer.json().message]).toEqual([503, 'The database is busy. Nothing was changed.']);
    expect((await app.inject('/readyz')).statusCode).toBe(200);
  });
  expect((await admin.post(partners.endpoints.create, form, key)).statusCode).toBe(200);
});
