import { expect, test } from 'vitest';
import { addUser } from '../../server/stores/sql/users.ts';
import { PRESENCE_PATH } from '../../src/domain/protocol/presence.ts';
import { ADMIN, type Client, signedIn } from './harness.ts';

const RECORD = { resource: 'generators', id: 7 };

/** A server with two signed-in users, and a clock that the test sets. */
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

test('reports who else has a record open, and who types there', async () => {
  const { admin, anna } = await twoPeople();
  expect(await presentFor(admin)).toEqual([]);
  expect(await presentFor(anna)).toMatchObject([{ isTyping: false }]);
  expect(await presentFor(admin)).toEqual([{ name: 'Anna Kaya', isTyping: false }]);
  await tell(anna, { doing: 'typing' });
  expect(await presentFor(admin)).toEqual([{ name: 'Anna Kaya', isTyping: true }]);
});

test('omits the user themselves and other records, and lists a person only once', async () => {
  const { admin, anna } = await twoPeople();
  await tell(anna);
  await tell(anna, { page: 'page-0002', doing: 'typing' });
  await tell(anna, { page: 'page-0003', id: 8 });
  expect(await presentFor(admin)).toEqual([{ name: 'Anna Kaya', isTyping: true }]);
  expect(await presentFor(admin, { page: 'page-0009', resource: 'partners' })).toEqual([]);
});

test('forgets a page that was left at once, and a silent one after 20 s', async () => {
  const { admin, anna, wait } = await twoPeople();
  await tell(anna);
  await tell(anna, { doing: 'left' });
  expect(await presentFor(admin)).toEqual([]);
  await tell(anna);
  wait(20_001);
  expect(await presentFor(admin)).toEqual([]);
});

test('remembers at most twenty pages per user', async () => {
  const { admin, anna } = await twoPeople();
  for (let page = 0; page <= 20; page += 1) await tell(anna, { page: `page-${page + 1000}`, id: page + 1 });
  expect(await presentFor(admin, { id: 1 })).toEqual([]);
  expect(await presentFor(admin, { id: 2 })).toHaveLength(1);
});

test.each([
  ['an unknown kind', { resource: 'users' }],
  ['an id that is not a number', { id: '7' }],
  ['a page without a name', { page: '' }],
  ['an unknown activity', { doing: 'sleeping' }],
])('refuses %s', async (_, beat) => {
  const { admin } = await twoPeople();
  expect((await tell(admin, beat)).statusCode).toBe(400);
});
