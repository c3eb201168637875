import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { formOf, signedIn, withKey } from './harness.ts';
import { siteMeta } from '../../src/domain/resources/site-meta.ts';
import { valuesFor } from './samples.ts';

test('removes the answers to the keys of a removed person, and nobody else’s', async () => {
  const { app, admin } = await signedIn();
  const { db } = app.services;
  const other = await db
    .insertInto('users')
    .values({ name: 'B', email: 'b@example.com', password_hash: '', role: 'viewer', created_at: '', updated_at: '' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const change = await admin.post(siteMeta.endpoints.single, formOf(valuesFor(siteMeta.fields)), withKey(randomUUID()));
  expect(change.statusCode).toBe(200);
  const key = { key: 'k', fingerprint: '', status: 200, body: '{}', created_at: '' };
  await db
    .insertInto('idempotency_keys')
    .values({ ...key, user_id: other.id })
    .execute();
  expect((await admin.post(`/api/people/${other.id}/remove`, undefined)).statusCode).toBe(200);
  const left = await db.selectFrom('idempotency_keys').select('user_id').execute();
  expect(left).toHaveLength(1);
  expect(left).not.toContainEqual({ user_id: other.id });
});
