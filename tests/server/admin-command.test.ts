import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { manageAdministrators } from '../../server/commands/admin.ts';
import { factorsIn } from '../../server/stores/sql/factors.ts';
import { ADMIN, startServer } from './harness.ts';

async function world() {
  const server = await startServer();
  const admin = (...words: string[]) => manageAdministrators({ ...server.app.services, randomBytes }, words);
  const signIn = async (email: string, password: string) =>
    (await (await server.client()).signIn(email, password)).json();
  return { ...server, admin, signIn };
}

const passwordIn = (said: string) => /: ([a-z2-9]{5}(?:-[a-z2-9]{5})+)$/m.exec(said)?.[1] ?? '';

test('requires a new password of anyone whose password was set by a command', async () => {
  const { admin, signIn } = await world();
  const once = 'It is shown only once, and must be changed at the';
  const said = await admin('add', 'new@example.com');
  const added = passwordIn(said);
  expect(said).toBe(`Added new@example.com. Password: ${added}\n${once} first sign-in.`);
  expect((await signIn('new@example.com', added)).user).toMatchObject({ name: 'new', role: 'owner', owes: 'password' });
  const again = await admin('reset-password', ADMIN.email);
  const anew = passwordIn(again);
  const ended = 'All sessions of this administrator have ended.';
  expect(again).toBe(`New password of ${ADMIN.email}: ${anew}\n${once} next sign-in. ${ended}`);
  expect((await signIn(ADMIN.email, anew)).user).toMatchObject({ owes: 'password' });
});

test('lists administrators by address, with name, role and day', async () => {
  const { admin } = await world();
  for (const email of ['zoe@example.com', 'abe@example.com']) await admin('add', email, 'Their', 'Name');
  const today = new Date().toISOString().slice(0, 10);
  const lines = (await admin('list')).split('\n');
  expect(lines.map((line) => line.split('  ')[0])).toEqual(['abe@example.com', ADMIN.email, 'zoe@example.com']);
  expect(lines[0]).toBe(`abe@example.com  Their Name  owner  since ${today}`);
});

test.each(['a@b@c', 'with blank@example.com', '@example.com', 'nobody@', 'nobody'])(
  'refuses %j as an email address, and adds nobody',
  async (email) => {
    const { admin } = await world();
    await expect(admin('add', email)).rejects.toThrow(`"${email}" is not an email address.\nnpm run admin -- list`);
    expect(await admin('list')).not.toContain('\n');
  },
);

test.each(['dance', 'toString', 'constructor'])(
  'refuses the unknown command %j, and lists the known ones',
  async (word) => {
    const { admin } = await world();
    const told = await admin(word, ADMIN.email).catch((error: Error) => error.message);
    const commands = ['list', 'add EMAIL [NAME]', 'reset-password EMAIL', 'reset-second-factor EMAIL', 'remove EMAIL'];
    for (const words of [...commands, 'role EMAIL owner|editor|viewer'])
      expect(told.split('\n')).toContain(`npm run admin -- ${words}`);
  },
);

test('assigns a known role, and refuses an unknown one with a message', async () => {
  const { admin, signIn } = await world();
  const password = passwordIn(await admin('add', 'new@example.com'));
  await expect(admin('role', 'new@example.com', 'king')).rejects.toThrow('"king" is no role.\nnpm run admin -- list');
  await expect(admin('role', 'new@example.com')).rejects.toThrow('"" is no role.');
  expect(await admin('role', 'NEW@example.com', 'viewer')).toBe('new@example.com has the role viewer.');
  expect((await signIn('new@example.com', password)).user.role).toBe('viewer');
  await expect(admin('role', 'other@example.com', 'viewer')).rejects.toThrow('other@example.com is no administrator.');
});

test('removes only one administrator’s second factor, and ends their sessions', async () => {
  const { admin, app, client } = await world();
  const signedIn = await client();
  await signedIn.signIn(ADMIN.email, ADMIN.password);
  await admin('add', 'other@example.com');
  const users = await app.services.db.selectFrom('users').select(['id', 'email']).execute();
  const factors = factorsIn(app.services);
  for (const { id } of users) await factors.setAuthenticator(id, { secret: 'kept', step: 1 });
  expect((await signedIn.get('/api/user')).statusCode).toBe(200);
  await admin('reset-second-factor', ADMIN.email);
  const kept = await app.services.db.selectFrom('authenticators').select('user_id').execute();
  const other = users.find(({ email }) => email === 'other@example.com');
  expect(kept).toEqual([{ user_id: other?.id }]);
  expect((await signedIn.get('/api/user')).statusCode).toBe(401);
});
