import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { listRows, readRecord } from '../../../server/stores/sql/read.ts';
import { renewLists } from '../../../server/stores/sql/renewed-lists.ts';
import { tableOf } from '../../../server/stores/sql/tables.ts';
import { hashOf, noteUse } from '../../../server/stores/sql/tokens.ts';
import { generators } from '../../../src/domain/resources/generators.ts';
import { RESOURCES } from '../../../src/domain/resources/index.ts';
import { OWED_FIRST } from '../../../src/domain/protocol/sessions.ts';
import { ADMIN, type Client, formOf } from '../harness.ts';
import { filesFor, valuesFor } from '../samples.ts';
import { twoServers } from './two-servers.ts';

const { list, single, create, delete: remove } = generators.endpoints;

async function make(admin: Client, mark = 'one'): Promise<number> {
  const form = formOf(valuesFor(generators.fields, mark), await filesFor(generators, mark));
  return Number((await admin.post(create, form)).json().id);
}

const listOf = async (admin: Client) => (await admin.get(list)).json() as { id: number }[];

test('lists every change of either server as soon as it is made, and nothing else', async () => {
  const { one, here, there } = await twoServers();
  const { db } = one.app.services;
  const expectTruth = async () => {
    const truth = JSON.parse(JSON.stringify(await listRows(db, generators, 1)));
    expect(await listOf(here)).toEqual(truth);
    expect(await listOf(there)).toEqual(truth);
    return truth as { id: number; photo: string | null }[];
  };
  expect(await expectTruth()).toEqual([]);
  const first = await make(here);
  const second = await make(there, 'two');
  expect(await expectTruth()).toHaveLength(2);
  const record = (await here.get(`${single}/${first}`)).json();
  await there.post(`/api/delete-image/${record.images[0].id}`, undefined);
  expect((await expectTruth())[0]?.photo).toBe(record.images[1].image);
  await here.post(`${single}/${second}`, formOf(valuesFor(generators.fields, 'other')));
  await expectTruth();
  await there.post(`${remove}/${first}`, undefined);
  expect(await expectTruth()).toHaveLength(1);
});

test('keeps a list in the order of ids when a lower one arrives later', async () => {
  const { one, here } = await twoServers();
  const row = { version: 'v', created_at: '', updated_at: '' };
  const insert = (id: number) =>
    one.app.services.db
      .insertInto(tableOf(generators))
      .values({ id, ...row })
      .execute();
  await insert(9);
  expect(await listOf(here)).toMatchObject([{ id: 9 }]);
  await insert(4);
  expect(await listOf(here)).toMatchObject([{ id: 4 }, { id: 9 }]);
});

test('shows a reader who asks during a read of the list what was changed before they asked', async () => {
  const { one, here } = await twoServers();
  const { db } = one.app.services;
  await make(here);
  let isSlow = false;
  const reached = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const lists = renewLists(
    db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (!isSlow) return result;
        reached.resolve();
        await held.promise;
        return result;
      },
    }),
  );
  const textOf = async (given: ReturnType<typeof lists>) => (await (await given).encodedFor('')).bytes.toString();
  await lists(generators);
  isSlow = true;
  const before = textOf(lists(generators));
  await reached.promise;
  await sql`UPDATE generators SET brand = 'newer'`.execute(db);
  const after = [textOf(lists(generators)), textOf(lists(generators))];
  held.resolve();
  await before;
  for (const text of await Promise.all(after)) expect(JSON.parse(text)).toMatchObject([{ brand: 'newer' }]);
});

test('lists no change that was rolled back', async () => {
  const { one, here } = await twoServers();
  await make(here);
  const before = await listOf(here);
  expect(before).toHaveLength(1);
  const given = one.app.services.db.transaction().execute(async (writing) => {
    await sql`UPDATE generators SET brand = 'never'`.execute(writing);
    expect(await listOf(here)).toEqual(before);
    throw new Error('taken back');
  });
  await expect(given).rejects.toThrow('taken back');
  expect(await listOf(here)).toEqual(before);
});

test.each(RESOURCES)(
  'reads a record of $name together with the session exactly as it is read alone',
  async (resource) => {
    const { one, here, there } = await twoServers();
    const form = formOf(valuesFor(resource.fields), await filesFor(resource));
    const { id } = (await here.post(resource.endpoints.create, form)).json();
    const answer = await there.get(`${resource.endpoints.single}/${id}`);
    const alone = await readRecord(one.app.services.db, resource, id);
    expect(answer.body).toBe(JSON.stringify(alone));
    expect(alone['files'] ?? []).toHaveLength((await filesFor(resource)).length);
  },
);

test('returns the recorded count of waiting changes of a session read with a record', async () => {
  const { one, here } = await twoServers();
  const { services } = one.app;
  const id = await make(here);
  const session = { tokenHash: hashOf(here.bearer()), noted: { used_at: '', waiting: null } };
  await noteUse(services, session, { address: '192.0.2.1', waiting: 3 });
  const found = await services.remote?.sessionAndRecord(session.tokenHash, generators, id);
  expect(found?.session).toMatchObject({ waiting: 3 });
});

test('keeps the files of records with the same id separate by kind, in their order', async () => {
  const { one, here, there } = await twoServers();
  const { db } = one.app.services;
  for (const resource of RESOURCES) {
    const form = formOf(valuesFor(resource.fields, resource.name), await filesFor(resource, resource.name));
    expect((await here.post(resource.endpoints.create, form)).json()).toMatchObject({ id: 1 });
  }
  // rows written again lie behind the others, on the disk and in every index
  const first = await sql<{ id: number }>`SELECT min(id) AS id FROM images GROUP BY resource`.execute(db);
  const ids = first.rows.map(({ id }) => id);
  const rows = await db.selectFrom('images').selectAll().where('id', 'in', ids).execute();
  await db.deleteFrom('images').where('id', 'in', ids).execute();
  await db.insertInto('images').values(rows).execute();
  for (const resource of [...RESOURCES, ...RESOURCES]) {
    const answer = await there.get(`${resource.endpoints.single}/1`);
    expect(answer.body, resource.name).toBe(JSON.stringify(await readRecord(db, resource, 1)));
  }
});

test('refuses to show a record to a user who still owes a second factor', async () => {
  const { one, here, there } = await twoServers();
  const address = `${single}/${await make(here)}`;
  expect((await there.get(address)).statusCode).toBe(200);
  await sql`INSERT INTO requirements (name, since) VALUES ('second-factor', '2026')`.execute(one.app.services.db);
  const refused = await there.get(address);
  expect([refused.statusCode, refused.json().code]).toEqual([403, OWED_FIRST]);
});

test('refuses further reads on one server once the session was ended on the other', async () => {
  const { one, here, there } = await twoServers();
  const address = `${single}/${await make(here)}`;
  for (let i = 0; i < 10; i += 1) {
    expect((await there.get(address)).statusCode).toBe(200);
    await here.post('/api/logout', undefined);
    const after = await there.get(address);
    expect([after.statusCode, after.body]).toEqual([401, '{"message":"Unauthenticated."}']);
    await here.signIn();
    there.useBearer(here.bearer());
  }
  const other = await one.client();
  await other.signIn();
  const next = { new_password: 'seven green parrots', new_password_confirmation: 'seven green parrots' };
  const form = formOf({ previous_password: ADMIN.password, ...next });
  expect((await other.post('/api/change-password', form)).statusCode).toBe(200);
  expect((await there.get(address)).statusCode).toBe(401);
});

test('hides without a session whether a record exists, and answers 404 with one', async () => {
  const { here, there } = await twoServers();
  const id = await make(here);
  const missing = `${single}/${id + 1}`;
  expect((await there.get(missing)).statusCode).toBe(404);
  expect((await there.get(`${single}/none`)).statusCode).toBe(404);
  there.forget();
  const [known, unknown] = [await there.get(`${single}/${id}`), await there.get(missing)];
  expect([known.statusCode, known.body]).toEqual([401, unknown.body]);
});
