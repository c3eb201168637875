import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { issueToken } from '../../server/stores/sql/tokens.ts';
import { PEOPLE_PATH, INVITATIONS_PATH } from '../../src/domain/protocol/people.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { formOf, signedIn } from './harness.ts';
import { filesFor, valuesFor } from './samples.ts';

test('ends the session unused for longest with the fifty-first sign-in, and nobody else’s', async () => {
  let at = Date.UTC(2026, 10, 20);
  const { app, admin } = await signedIn({}, { now: () => at });
  const { services } = app;
  const { db } = services;
  const other = await db
    .insertInto('users')
    .values({ name: 'B', email: 'b@example.com', password_hash: '', role: 'viewer', created_at: '', updated_at: '' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const place = { device: 'a browser', address: '192.0.2.1' };
  at -= 1000;
  const theirs = await issueToken(services, other.id, place);
  const first = await issueToken(services, 1, place);
  for (let n = 0; n < 49; n += 1) {
    at += 1000;
    await issueToken(services, 1, place);
  }
  const hashes = (await db.selectFrom('tokens').select(['hash', 'user_id']).execute()).map(({ user_id }) => user_id);
  expect([hashes.filter((id) => id === 1).length, hashes.filter((id) => id === other.id).length]).toEqual([50, 1]);
  expect([first, theirs].every(Boolean)).toBe(true);
  expect((await admin.get('/api/user')).statusCode).toBe(200);
});

test('takes no more than five hundred images for a record', async () => {
  const { app, admin } = await signedIn();
  const create = formOf(valuesFor(generators.fields), await filesFor(generators));
  const { id } = (await admin.post(generators.endpoints.create, create)).json() as { id: number };
  await sql`PRAGMA foreign_keys = OFF`.execute(app.services.db);
  const rows = Array.from({ length: 499 }, (_, n) => ({ resource: 'generators', record_id: id, image: `${n}.png` }));
  await app.services.db.insertInto('images').values(rows).execute();
  const images = (await filesFor(generators)).filter(({ field }) => field.startsWith('images'));
  const answer = await admin.post(`${generators.endpoints.single}/${id}`, formOf(valuesFor(generators.fields), images));
  expect([answer.statusCode, answer.json().errors]).toEqual([
    422,
    { images: ['A record holds at most 500 images. Delete some first.'] },
  ]);
});

test('keeps no more than two hundred invitations open', async () => {
  const { app, admin } = await signedIn();
  const link = {
    purpose: 'invitation',
    name: 'A',
    role: 'viewer',
    created_at: '',
    expires_at: '2999-01-01T00:00:00Z',
  } as const;
  const rows = Array.from({ length: 200 }, (_, n) => ({
    ...link,
    hash: `h${n}`,
    user_id: null,
    email: `a${n}@example.com`,
  }));
  await app.services.db.insertInto('links').values(rows).execute();
  await app.services.db
    .insertInto('link_makers')
    .values(rows.map(({ hash }) => ({ link: hash, user_id: 1 })))
    .execute();
  const invite = (email: string) => admin.post(INVITATIONS_PATH, { email, role: 'viewer' });
  expect((await invite('new@example.com')).json().errors.email[0]).toContain('At most 200 invitations are open');
  // one for the same address takes its place
  expect((await invite('a7@example.com')).statusCode).toBe(200);
  expect((await admin.get(PEOPLE_PATH)).json().invitations).toHaveLength(200);
});
