import { expect, test } from 'vitest';
import { addUser } from '../../server/stores/sql/users.ts';
import { PRESENCE_PATH } from '../../src/domain/protocol/presence.ts';
import { ADMIN, type Client, signedIn } from './harness.ts';

const RECORD = { resource: 'generators', id: 7 };

/** A server with two people who are signed in, and a clock that the test sets. */
async function twoPeople() {
  let time = Date.now();
  const server = await signedIn({}, { now: () => time });
  await addUser(server.app.services, {
    name: 'Anna Kaya',
    email: 'anna@example.com',
    password: ADMIN.password,
    at: '',
  });
  const anna = await server.client();
  await anna.signIn('anna@example.com');
  const wait = (milliseconds: number) => {
    time += milliseconds;
  };
  return { ...server, anna, wait };
}

const tell = async (client: Client, beat: object = {}) =>
  client.post(PRESENCE_PATH, { ...RECORD, page: 'page-0001', doing: 'looking', ...beat });
const presentFor = async (client: Client, beat: object = {}) => (await tell(client, beat)).json().present;

test('tells who else has a record open, and who types there', async () => {
  const { admin, anna } = await twoPeople();
  expect(await presentFor(admin)).toEqual([]);
  expect(await presentFor(anna)).toMatchObject([{ isTyping: false }]);
  expect(await presentFor(admin)).toEqual([{ name: 'Anna Kaya', isTyping: false }]);
  await tell(anna, { doing: 'typing' });
  expect(await presentFor(admin)).toEqual([{ name: 'Anna Kaya', isTyping: true }]);
});

test('tells nobody of oneself, of another record, or of the same person twice', async () => {
  const { admin, anna } = await twoPeople();
  await tell(anna);
  await tell(anna, { page: 'page-0002', doing: 'typing' });
  await tell(anna, { page: 'page-0003', id: 8 });
  expect(await presentFor(admin)).toEqual([{ name: 'Anna Kaya', isTyping: true }]);
  expect(await presentFor(admin, { page: 'page-0009', resource: 'partners' })).toEqual([]);
});

test('forgets who has left at once, and who is not heard of any more after 20 s', async () => {
  const { admin, anna, wait } = await twoPeople();
  await tell(anna);
  await tell(anna, { doing: 'left' });
  expect(await presentFor(admin)).toEqual([]);
  await tell(anna);
  wait(20_001);
  expect(await presentFor(admin)).toEqual([]);
});

test('remembers twenty pages of one person and no more', async () => {
  const { admin, anna } = await twoPeople();
  for (let page = 0; page <= 20; page += 1) await tell(anna, { page: `page-${page + 1000}`, id: page + 1 });
  expect(await presentFor(admin, { id: 1 })).toEqual([]);
  expect(await presentFor(admin, { id: 2 })).toHaveLength(1);
});

test.each([
  ['a kind that is none', { resource: 'users' }],
  ['an id that is none', { id: '7' }],
  ['a page without a name', { page: '' }],
  ['something else that is done', { doing: 'sleeping' }],
])('refuses %s', async (_, beat) => {
  const { admin } = await twoPeople();
  expect((await tell(admin, beat)).statusCode).toBe(400);
});
