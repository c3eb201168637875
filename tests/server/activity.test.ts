import { expect, test } from 'vitest';
import { addUser } from '../../server/stores/sql/users.ts';
import { ACTIVITY_PATH, type ActivityEntry } from '../../src/domain/activity.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { siteMeta } from '../../src/domain/resources/site-meta.ts';
import { ADMIN, type Client, formOf, signedIn } from './harness.ts';
import { filesFor } from './samples.ts';

const META = { title: 'Volt', phone: '1', email: 'a@example.com', address: 'Road 1' };

const create = async (client: Client, name: string) =>
  (await client.post(partners.endpoints.create, formOf({ name }, await filesFor(partners)))).json().id as number;
const update = (client: Client, id: number, name: string) =>
  client.post(`${partners.endpoints.single}/${id}`, formOf({ name }));
const activity = async (client: Client): Promise<ActivityEntry[]> => (await client.get(ACTIVITY_PATH)).json();
const lines = async (client: Client) =>
  (await activity(client)).map(({ administrator, action, title }) => `${administrator} ${action} ${title}`);

async function withAnna() {
  const server = await signedIn({ ADMIN_NAME: 'Nadia' });
  await addUser(server.app.services, { name: 'Anna', email: 'anna@example.com', password: ADMIN.password, at: '' });
  const anna = await server.client();
  await anna.signIn('anna@example.com');
  return { ...server, anna };
}

test('lists recent changes of all kinds with their authors, newest first', async () => {
  const { admin, anna } = await withAnna();
  expect(await activity(admin)).toEqual([]);
  const id = await create(admin, 'Acme');
  await anna.post(siteMeta.endpoints.single, formOf(META));
  await update(anna, id, 'Acme Ltd');
  expect(await lines(admin)).toEqual(['Anna update Acme Ltd', 'Anna update Site meta', 'Nadia create Acme']);
  expect((await activity(admin))[0]).toMatchObject({ resource: 'partners', recordId: id, isGone: false });
});

test('lists each person once per record, with their last change', async () => {
  const { admin, anna } = await withAnna();
  const id = await create(admin, 'Acme');
  await update(anna, id, 'One');
  await update(admin, id, 'Two');
  await update(admin, id, 'Three');
  expect(await lines(admin)).toEqual(['Nadia update Three', 'Anna update One']);
});

test('marks deleted records, also on earlier lines by someone else', async () => {
  const { admin, anna } = await withAnna();
  const id = await create(admin, 'Acme');
  await anna.post(`${partners.endpoints.delete}/${id}`, undefined);
  expect(await lines(admin)).toEqual(['Anna delete Acme', 'Nadia create Acme']);
  expect((await activity(admin)).map(({ isGone }) => isGone)).toEqual([true, true]);
});

test('returns at most twenty lines', async () => {
  const { admin } = await withAnna();
  for (let count = 0; count < 21; count += 1) await create(admin, `Partner ${count}`);
  const told = await lines(admin);
  expect(told).toHaveLength(20);
  expect(told[0]).toContain('Partner 20');
});

test('identifies the author by user id, and the record by its current name', async () => {
  const { app, admin, anna } = await withAnna();
  const id = await create(admin, 'Acme');
  await update(admin, id, 'Acme & Co');
  await update(anna, id, 'Acme Ltd');
  const { id: annas } = await app.services.db
    .selectFrom('users')
    .select('id')
    .where('name', '=', 'Anna')
    .executeTakeFirstOrThrow();
  expect((await activity(admin))[0]).toMatchObject({ administratorId: annas, recordId: id, title: 'Acme Ltd' });
});

test('finds what others changed behind many changes to one record', async () => {
  const { admin, anna } = await withAnna();
  const [mine, hers] = [await create(admin, 'Mine'), await create(anna, 'Hers')];
  for (let count = 0; count < 30; count += 1) await update(anna, hers, `Hers ${count}`);
  expect(await lines(admin)).toEqual(['Anna update Hers 29', 'Nadia create Mine']);
  expect((await activity(admin)).map(({ recordId }) => recordId)).toEqual([hers, mine]);
});

test('looks through the last two hundred changes', async () => {
  const { app, admin } = await withAnna();
  const mine = await create(admin, 'Mine');
  const theirs = {
    resource: 'partners',
    record_id: mine + 1,
    action: 'update',
    before: null,
    after: '{"name":"Theirs"}',
  };
  const row = { ...theirs, at: '2026-11-20T12:00:00.000Z', user_id: 99, user_name: 'Zoe' };
  const note = (count: number) =>
    app.services.db
      .insertInto('changes')
      .values(Array.from({ length: count }, () => row))
      .execute();
  await note(199);
  expect(await lines(admin)).toEqual(['Zoe update Theirs', 'Nadia create Mine']);
  await note(1);
  expect(await lines(admin)).toEqual(['Zoe update Theirs']);
});

test('names a record without a title by its kind and id', async () => {
  const { app, admin } = await withAnna();
  const row = { resource: 'sliders', record_id: 7, action: 'delete', before: '{"text":null}', after: null };
  const by = { at: '2026-11-20T12:00:00.000Z', user_id: 99, user_name: 'Zoe' };
  await app.services.db
    .insertInto('changes')
    .values({ ...row, ...by })
    .execute();
  expect(await lines(admin)).toEqual(['Zoe delete Slider 7']);
});
