import { expect, test } from 'vitest';
import { factorsIn } from '../../server/stores/sql/factors.ts';
import { peopleIn } from '../../server/stores/sql/people.ts';
import { issueToken } from '../../server/stores/sql/tokens.ts';
import { addUser } from '../../server/stores/sql/users.ts';
import { startServer } from './harness.ts';

const HOUR = 60 * 60_000;
const PERSON = { name: 'Typed by somebody', password: 'four grey donkeys' };

/** The stored users: the first owner, Bea and Anna, with a clock that the test moves. */
async function world() {
  const { services } = (await startServer()).app;
  const clock = { at: Date.parse('2026-11-20T12:00:00Z') };
  const own = { ...services, now: () => clock.at };
  for (const name of ['Bea', 'Anna'])
    await addUser(own, { name, email: `${name.toLowerCase()}@example.com`, password: PERSON.password, at: '' });
  const people = peopleIn(own);
  const idOf = async (name: string) => (await people.list()).people.find((one) => one.name === name)?.id ?? 0;
  return { services: own, db: services.db, clock, people, idOf };
}

const omar = { name: 'Omar', email: 'omar@example.com', role: 'viewer' } as const;

test('replaces an earlier invitation to the same address, however spelled, and leaves those to others', async () => {
  const { people } = await world();
  const other = await people.invite({ ...omar, email: 'other@example.com' });
  const first = await people.invite({ ...omar, email: 'Omar@Example.com' });
  const second = await people.invite({ ...omar, email: 'OMAR@example.com' });
  await expect(people.look(first.token)).rejects.toMatchObject({ status: 404 });
  expect(await people.look(second.token)).toMatchObject({ purpose: 'invitation' });
  expect(await people.look(other.token)).toMatchObject({ email: 'other@example.com' });
});

test('expires links: an invitation after a week, a reset after a day, a forgotten password after an hour', async () => {
  const { people, clock, idOf } = await world();
  const invited = await people.invite(omar);
  const reset = await people.resetLink(await idOf('Bea'));
  const forgotten = await people.forgottenLink('anna@example.com');
  const hours = [invited, reset, forgotten].map((link) => (Date.parse(link?.expiresAt ?? '') - clock.at) / HOUR);
  expect(hours).toEqual([7 * 24, 24, 1]);
  clock.at += 24 * HOUR - 1;
  expect(await people.look(reset.token)).toEqual({ purpose: 'reset', name: 'Bea', email: 'bea@example.com' });
  clock.at += 1;
  await expect(people.look(reset.token)).rejects.toMatchObject({ status: 404 });
});

test('removes expired links when the next one is made', async () => {
  const { people, db, clock } = await world();
  await people.invite(omar);
  clock.at += 8 * 24 * HOUR;
  expect((await people.list()).invitations).toEqual([]);
  await people.invite({ ...omar, email: 'other@example.com' });
  expect(await db.selectFrom('links').select('email').execute()).toEqual([{ email: 'other@example.com' }]);
});

test('neither lists nor withdraws a password link as an invitation', async () => {
  const { people, db, idOf } = await world();
  const { token } = await people.resetLink(await idOf('Bea'));
  expect((await people.list()).invitations).toEqual([]);
  const [link] = await db.selectFrom('links').select('hash').execute();
  await expect(people.withdraw(link?.hash ?? '')).rejects.toMatchObject({
    status: 404,
    body: { message: 'This invitation no longer exists.' },
  });
  expect(await people.look(token)).toMatchObject({ purpose: 'reset' });
});

test('keeps the user’s name when a password is set by a link, whatever was typed', async () => {
  const { people, idOf } = await world();
  const { token } = await people.resetLink(await idOf('Bea'));
  expect(await people.take(token, PERSON)).toMatchObject({ name: 'Bea' });
  expect(await idOf('Bea')).toBeGreaterThan(0);
});

test('keeps an owner’s reset link after a forgotten password, until one of the two links is used', async () => {
  const { people, idOf } = await world();
  const reset = await people.resetLink(await idOf('Anna'));
  const forgotten = await people.forgottenLink('anna@example.com');
  expect(await people.look(reset.token)).toMatchObject({ purpose: 'reset' });
  await people.take(forgotten?.token ?? '', PERSON);
  await expect(people.look(reset.token)).rejects.toMatchObject({ status: 404 });
});

test('limits forgotten-password links per user only', async () => {
  const { people } = await world();
  expect(await people.forgottenLink('anna@example.com')).toBeDefined();
  expect(await people.forgottenLink('bea@example.com')).toBeDefined();
  expect(await people.forgottenLink('anna@example.com')).toBeUndefined();
});

test('lists users by name, each with their own last use and sign-in methods', async () => {
  const { people, services, clock, idOf } = await world();
  const place = { device: 'Firefox', address: '192.0.2.1' };
  await issueToken(services, await idOf('Bea'), place);
  clock.at += HOUR;
  await issueToken(services, await idOf('Bea'), place);
  clock.at += HOUR;
  await issueToken(services, await idOf('Anna'), place);
  await factorsIn(services).setAuthenticator(await idOf('Bea'), { secret: 'ABC', step: 1 });
  const listed = (await people.list()).people;
  expect(listed.map(({ name, lastSeenAt, hasSecondFactor }) => [name, lastSeenAt, hasSecondFactor])).toEqual([
    ['Administrator', undefined, false],
    ['Anna', '2026-11-20T14:00:00.000Z', false],
    ['Bea', '2026-11-20T13:00:00.000Z', true],
  ]);
});

test('lists invitations in the order they were made', async () => {
  const { people, clock } = await world();
  const names = ['one', 'two', 'three', 'four', 'five'];
  for (const name of names) {
    await people.invite({ ...omar, name, email: `${name}@example.com` });
    clock.at += HOUR;
  }
  expect((await people.list()).invitations.map(({ name }) => name)).toEqual(names);
});

test('leaves the remaining links valid after one invitation is withdrawn and another used', async () => {
  const { people } = await world();
  const [kept, , used] = [
    await people.invite(omar),
    await people.invite({ ...omar, email: 'withdrawn@example.com' }),
    await people.invite({ ...omar, email: 'used@example.com' }),
  ];
  const { invitations } = await people.list();
  await people.withdraw(invitations.find(({ email }) => email === 'withdrawn@example.com')?.id ?? '');
  await people.take(used.token, PERSON);
  expect(await people.look(kept.token)).toMatchObject({ email: omar.email });
  expect((await people.list()).invitations.map(({ email }) => email)).toEqual([omar.email]);
});

test('sends another link for a forgotten password only ten minutes after the last', async () => {
  const { people, clock } = await world();
  const ask = () => people.forgottenLink('anna@example.com');
  expect(await ask()).toBeDefined();
  clock.at += 10 * 60_000 - 1;
  expect(await ask()).toBeUndefined();
  clock.at += 1;
  expect(await ask()).toBeDefined();
});

test('sends another link at once when the first could not be mailed, and keeps that valid until then', async () => {
  const { people } = await world();
  const ask = () => people.forgottenLink('anna@example.com');
  const { token = '' } = (await ask()) ?? {};
  await people.notSent(token);
  expect(await people.look(token)).toMatchObject({ purpose: 'forgotten' });
  expect(await ask()).toBeDefined();
  await expect(people.look(token)).rejects.toMatchObject({ status: 404 });
  expect(await ask()).toBeUndefined();
});

test('records a change of role as an update of the user', async () => {
  const { people, db, clock, idOf } = await world();
  clock.at += HOUR;
  await people.setRole(await idOf('Anna'), 'viewer');
  const changed = await db
    .selectFrom('users')
    .select(['name', 'role'])
    .where('updated_at', '=', '2026-11-20T13:00:00.000Z')
    .execute();
  expect(changed).toEqual([{ name: 'Anna', role: 'viewer' }]);
});

test.each(['removed', 'made a viewer', 'made a viewer in the database'])(
  'ends the links of an owner who was %s: invitations, and links that set the passwords of others',
  async (what) => {
    const { services, people, db, idOf } = await world();
    const [bea, anna] = [await idOf('Bea'), await idOf('Anna')];
    const others = await people.invite({ ...omar, email: 'other@example.com' }, anna);
    const invited = await people.invite(omar, bea);
    const reset = await people.resetLink(anna, bea);
    expect((await people.list()).resets).toMatchObject([{ email: 'anna@example.com' }]);
    if (what === 'removed') await people.remove(bea);
    else if (what === 'made a viewer') await people.setRole(bea, 'viewer');
    else await db.updateTable('users').set({ role: 'viewer' }).where('id', '=', bea).execute();
    for (const { token } of [invited, reset]) {
      await expect(people.look(token)).rejects.toMatchObject({ status: 404 });
      await expect(people.take(token, PERSON)).rejects.toMatchObject({ status: 404 });
    }
    // also when another one gets the same id
    if (what === 'removed')
      await addUser(services, { name: 'New', email: 'new@example.com', password: PERSON.password, at: '' });
    await expect(people.look(invited.token)).rejects.toMatchObject({ status: 404 });
    expect(await people.list()).toMatchObject({ invitations: [{ email: 'other@example.com' }], resets: [] });
    expect(await people.look(others.token)).toMatchObject({ purpose: 'invitation' });
  },
);

test('lists links that set a new password, and lets an owner withdraw one', async () => {
  const { people, idOf } = await world();
  const { token } = await people.resetLink(await idOf('Bea'), await idOf('Anna'));
  const [link] = (await people.list()).resets ?? [];
  expect(link).toMatchObject({ name: 'Bea', email: 'bea@example.com' });
  expect(await people.withdrawReset(link?.id ?? '')).toMatchObject({ email: 'bea@example.com' });
  await expect(people.look(token)).rejects.toMatchObject({ status: 404 });
});
