import { expect, test } from 'vitest';
import { endOtherSessions, issueToken, noteUse, sessionsOf, userOfToken } from '../../server/stores/sql/tokens.ts';
import { addUser, setPassword } from '../../server/stores/sql/users.ts';
import { startServer } from './harness.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const PLACE = { device: 'Firefox on Linux', address: '192.0.2.1' };

/** The stored sessions of two administrators, with a clock that the test moves. */
async function world() {
  const { services } = (await startServer()).app;
  const clock = { at: Date.parse('2026-11-20T12:00:00Z') };
  const own = { ...services, now: () => clock.at };
  await addUser(own, { name: 'Anna', email: 'anna@example.com', password: 'four grey donkeys', at: '' });
  const users = await services.db.selectFrom('users').select('id').orderBy('id').execute();
  const [mine = 0, hers = 0] = users.map(({ id }) => id);
  const signIn = (userId: number, place = PLACE) => issueToken(own, userId, place);
  /** Records a use of a session, as is done after an answer. */
  const use = async (token: string, waiting?: number, address = PLACE.address) => {
    const session = await userOfToken(own, token);
    if (session !== undefined) await noteUse(own, session, { address, ...(waiting === undefined ? {} : { waiting }) });
  };
  return { own, clock, mine, hers, signIn, use };
}

test('lists only the user’s own sessions, by last use', async () => {
  const { own, clock, mine, hers, signIn, use } = await world();
  const first = await signIn(mine);
  clock.at += MINUTE;
  await signIn(mine, { device: '', address: '192.0.2.2' });
  await signIn(hers);
  clock.at += 2 * MINUTE;
  await use(first, undefined, '192.0.2.9');
  expect((await sessionsOf(own, mine)).map(({ id: _id, ...one }) => one)).toEqual([
    {
      device: 'Firefox on Linux',
      address: '192.0.2.9',
      signedInAt: '2026-11-20T12:00:00.000Z',
      lastSeenAt: '2026-11-20T12:03:00.000Z',
    },
    {
      device: 'Unknown device',
      address: '192.0.2.2',
      signedInAt: '2026-11-20T12:01:00.000Z',
      lastSeenAt: '2026-11-20T12:01:00.000Z',
    },
  ]);
});

test('updates the waiting count of a device in either direction, down to zero', async () => {
  const { own, mine, signIn, use } = await world();
  const token = await signIn(mine);
  const waiting = async () => (await sessionsOf(own, mine))[0]?.waiting;
  expect(await waiting()).toBeUndefined();
  for (const count of [3, 1, 0]) {
    await use(token, count);
    expect(await waiting()).toBe(count);
  }
});

test('keeps the last waiting count when later requests state none', async () => {
  const { own, clock, mine, signIn, use } = await world();
  const token = await signIn(mine);
  await use(token, 3);
  clock.at += 2 * MINUTE;
  await use(token);
  expect(await sessionsOf(own, mine)).toMatchObject([{ lastSeenAt: '2026-11-20T12:02:00.000Z', waiting: 3 }]);
});

test('omits expired sessions, even one that was in use to its last day', async () => {
  const { own, clock, mine, signIn, use } = await world();
  const used = await signIn(mine);
  await signIn(mine);
  for (let day = 0; day < 29; day += 1) {
    clock.at += DAY;
    await use(used);
  }
  expect(await sessionsOf(own, mine)).toHaveLength(1);
  clock.at += DAY + 1;
  expect(await sessionsOf(own, mine)).toEqual([]);
  expect(await own.db.selectFrom('tokens').select('hash').execute()).toEqual([]);
});

test('ends only the user’s own other sessions', async () => {
  const { own, mine, hers, signIn } = await world();
  const [kept, other, theirs] = [await signIn(mine), await signIn(mine), await signIn(hers)];
  const session = await userOfToken(own, kept);
  await endOtherSessions(own.db, mine, session?.tokenHash ?? '');
  const open = await Promise.all([kept, other, theirs].map(async (token) => (await userOfToken(own, token))?.user.id));
  expect(open).toEqual([mine, undefined, hers]);
});

test('records a change of password as an update of the user', async () => {
  const { own, mine } = await world();
  await setPassword(own, mine, 'five red herrings', { at: '2026-11-21T00:00:00.000Z' });
  const user = await own.db.selectFrom('users').select('updated_at').where('id', '=', mine).executeTakeFirst();
  expect(user?.updated_at).toBe('2026-11-21T00:00:00.000Z');
});

test('leaves the passwords and sessions of others unchanged after a new password', async () => {
  const { own, mine, hers, signIn } = await world();
  const token = await signIn(hers);
  const passwordOf = (id: number) =>
    own.db.selectFrom('users').select('password_hash').where('id', '=', id).executeTakeFirstOrThrow();
  const before = await passwordOf(hers);
  await setPassword(own, mine, 'seven green parrots', { at: '2026-11-20T12:00:00.000Z' });
  expect(await passwordOf(hers)).toEqual(before);
  expect(await userOfToken(own, token)).toMatchObject({ user: { id: hers } });
});
