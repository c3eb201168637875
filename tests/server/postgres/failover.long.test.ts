import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openPostgresEngine } from '../../../server/stores/postgres/store.ts';
import { partners } from '../../../src/domain/resources/partners.ts';
import { type Cluster, startCluster } from '../../harness/postgres.ts';
import { SwitchedAddress } from '../../harness/switched-address.ts';
import { type Client, formOf, freshFolder, signedIn, withKey } from '../harness.ts';
import { filesFor, valuesFor } from '../samples.ts';

let first: Cluster;
let second: Cluster;

beforeAll(async () => {
  first = await startCluster();
  await first.run('CREATE DATABASE desk');
  second = await startCluster(undefined, { follows: first });
  // what is answered is on both
  await first.run(`ALTER SYSTEM SET synchronous_standby_names = '*'`, 'SELECT pg_reload_conf()');
});

afterAll(async () => {
  await first.stop();
  await second.stop();
});

const partnerForm = async () => formOf(valuesFor(partners.fields), await filesFor(partners));
const create = async (admin: Client, key: ReturnType<typeof withKey>) =>
  (await admin.post(partners.endpoints.create, await partnerForm(), key)).statusCode;
const readiness = async (admin: Client) => {
  const { statusCode, json } = await admin.get('/readyz');
  return [statusCode, json().message];
};

/** A server that knows one address, which leads to the first database. */
async function atAddress() {
  const switched = await SwitchedAddress.start(join(await freshFolder(), 'name'), first.address('desk'));
  onTestFinished(() => switched.stop());
  const openEngine = () => openPostgresEngine(switched.address, { statement: 1000, lifetime: 1, silence: 1500 });
  return { switched, ...(await signedIn({}, { openEngine })) };
}

test('drops a connection to a read-only database, and connects to the address again', async () => {
  const { switched, admin } = await atAddress();
  switched.leadTo(second.address('desk'));
  await expect.poll(() => readiness(admin)).toEqual([503, 'The database takes no changes now.']);
  expect((await admin.get(partners.endpoints.list)).statusCode).toBe(200);
  switched.leadTo(first.address('desk'));
  // someone checks again and again meanwhile, as a load balancer does
  await expect.poll(() => readiness(admin)).toEqual([200, undefined]);
});

test('gives up on a silent database, and answers each request with a message', async () => {
  const { switched, admin } = await atAddress();
  switched.die();
  const answers = Array.from({ length: 12 }, () => admin.get(partners.endpoints.list));
  for (const answer of await Promise.all(answers))
    expect([answer.statusCode, answer.json().code]).toEqual([503, 'database']);
  switched.leadTo(first.address('desk'));
  await expect.poll(() => readiness(admin)).toEqual([200, undefined]);
});

test('keeps answered changes after a failover, applies unanswered ones once, and needs no restart', async () => {
  const { switched, admin } = await atAddress();
  const [answered, lost] = [withKey(), withKey()];
  expect(await create(admin, answered)).toBe(200);
  await first.crash();
  expect(await create(admin, lost)).toBe(503);
  switched.leadTo(second.address('desk'));
  await second.run('SELECT pg_promote()');
  await expect.poll(() => create(admin, lost)).toBe(200);
  expect([await create(admin, answered), await create(admin, lost)]).toEqual([200, 200]);
  expect((await admin.get(partners.endpoints.list)).json()).toHaveLength(2);
});
