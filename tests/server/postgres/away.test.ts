import { expect, test } from 'vitest';
import { partners } from '../../../src/domain/resources/partners.ts';
import { type Client, formOf, signedIn, withKey } from '../harness.ts';
import { alterDatabase } from '../on-postgres.ts';
import { filesFor, valuesFor } from '../samples.ts';

const partnerForm = async () => formOf(valuesFor(partners.fields), await filesFor(partners));
const read = (client: Client) => client.get(partners.endpoints.list);
const readiness = async (client: Client) => (await client.get('/readyz')).statusCode;

test('without its database a server says so, with the time to wait, and works again by itself', async () => {
  const { admin, dataDir } = await signedIn();
  const [form, key] = [await partnerForm(), withKey()];
  await alterDatabase(dataDir, 'ALLOW_CONNECTIONS false');
  for (const answer of [await read(admin), await admin.post(partners.endpoints.create, form, key)]) {
    expect([answer.statusCode, answer.json().code, answer.headers['retry-after']]).toEqual([503, 'database', '10']);
    expect(answer.json().message).toBe('The database cannot be reached.');
  }
  expect(await readiness(admin)).toBe(503);
  await alterDatabase(dataDir, 'ALLOW_CONNECTIONS true');
  expect(await readiness(admin)).toBe(200);
  expect((await admin.post(partners.endpoints.create, form, key)).statusCode).toBe(200);
  expect((await read(admin)).json()).toHaveLength(1);
});

test('a database that takes no changes is read from, and each change is told to wait', async () => {
  const { admin, dataDir } = await signedIn();
  const [form, key] = [await partnerForm(), withKey()];
  await alterDatabase(dataDir, 'SET default_transaction_read_only = on');
  expect((await read(admin)).json()).toEqual([]);
  const answer = await admin.post(partners.endpoints.create, form, key);
  expect([answer.statusCode, answer.json()]).toEqual([
    503,
    { message: 'The database takes no changes now.', code: 'database' },
  ]);
  expect(await readiness(admin)).toBe(503);
  await alterDatabase(dataDir, 'SET default_transaction_read_only = off');
  expect((await admin.post(partners.endpoints.create, form, key)).statusCode).toBe(200);
});
