import { expect, test } from 'vitest';
import { PASSWORD_COST, passwordHashing } from '../../server/security/passwords.ts';
import { visitorOf } from '../../server/security/visitor.ts';
import { ADMIN, formOf, startServer } from './harness.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** A server whose clock the test moves. */
async function clocked() {
  let at = Date.parse('2026-11-20T12:00:00Z');
  const server = await startServer({}, { now: () => at });
  return { ...server, pass: (milliseconds: number) => (at += milliseconds) };
}

type Clocked = Awaited<ReturnType<typeof clocked>>;

/** Uses a live session and waits until that is recorded, which happens after the answer. */
async function use({ services }: Clocked['app'], admin: Awaited<ReturnType<Clocked['client']>>) {
  const noted = () => services.db.selectFrom('tokens').select('used_at').executeTakeFirstOrThrow();
  const before = await noted();
  expect((await admin.get('/api/user')).statusCode).toBe(200);
  await expect.poll(noted).not.toEqual(before);
}

test('signs in with the user and a token, whatever the case of the address', async () => {
  const { client } = await startServer();
  const admin = await client();
  const answer = await admin.signIn('ADMIN@example.com');
  expect(answer.json()).toEqual({
    user: {
      id: 1,
      name: 'Administrator',
      email: ADMIN.email,
      role: 'owner',
      created_at: expect.any(String),
      updated_at: expect.any(String),
    },
    token: expect.stringMatching(/^[\w-]{43}$/),
  });
  expect((await admin.get('/api/user')).json()).toEqual(answer.json().user);
});

test('trims blanks around an address, but takes a password as it is', async () => {
  const { client } = await startServer();
  const admin = await client();
  expect((await admin.signIn(` ${ADMIN.email} `)).statusCode).toBe(200);
  expect((await admin.signIn(ADMIN.email, ` ${ADMIN.password} `)).statusCode).toBe(422);
});

test('refuses a wrong password and an unknown address with the same message', async () => {
  const { client } = await startServer();
  const admin = await client();
  const wrong = await admin.signIn(ADMIN.email, 'not the password');
  const unknown = await admin.signIn('nobody@example.com', 'not the password');
  expect(wrong.statusCode).toBe(422);
  expect(wrong.json()).toEqual({
    message: 'The given data was invalid.',
    errors: { email: ['These credentials do not match our records.'] },
  });
  expect(unknown.json()).toEqual(wrong.json());
});

test('recognises an address whatever its case', async () => {
  const { client } = await startServer();
  const admin = await client();
  const answer = await admin.signIn(ADMIN.email.toUpperCase());
  expect([answer.statusCode, answer.json().user.email]).toEqual([200, ADMIN.email]);
});

test('requires both fields', async () => {
  const { client } = await startServer();
  const admin = await client();
  await admin.get('/api/user');
  const answer = await admin.post('/api/auth/login', {});
  expect(Object.keys(answer.json().errors)).toEqual(['email', 'password']);
});

test('keeps only the hash of a token', async () => {
  const { app, client } = await startServer();
  const admin = await client();
  await admin.signIn();
  const dump = JSON.stringify(await app.services.db.selectFrom('tokens').selectAll().execute());
  expect(dump).not.toContain(admin.bearer());
});

test('ends one session at logout and leaves the others', async () => {
  const { client } = await startServer();
  const [one, other] = [await client(), await client()];
  await one.signIn();
  await other.signIn();
  expect((await one.post('/api/logout', undefined)).json()).toEqual({ message: 'Successfully Logged Out' });
  expect((await one.get('/api/user')).statusCode).toBe(401);
  expect((await one.post('/api/logout', undefined)).statusCode).toBe(401);
  expect((await other.get('/api/user')).statusCode).toBe(200);
});

test('keeps a session alive while it is used, and ends it after a week without use', async () => {
  const { app, client, pass } = await clocked();
  const admin = await client();
  await admin.signIn();
  for (let day = 0; day < 18; day += 6) {
    pass(6 * DAY);
    await use(app, admin);
  }
  pass(7 * DAY + MINUTE);
  expect((await admin.get('/api/user')).statusCode).toBe(401);
});

test('ends every session thirty days after its sign-in', async () => {
  const { app, client, pass } = await clocked();
  const admin = await client();
  await admin.signIn();
  for (let day = 5; day < 30; day += 5) {
    pass(5 * DAY);
    await use(app, admin);
  }
  pass(5 * DAY + MINUTE);
  expect((await admin.get('/api/user')).statusCode).toBe(401);
});

test('changes the password, ends the other sessions and keeps this one', async () => {
  const { client } = await startServer();
  const [one, other] = [await client(), await client()];
  await one.signIn();
  await other.signIn();
  const next = 'seven green parrots';
  const form = { previous_password: ADMIN.password, new_password: next, new_password_confirmation: next };
  expect((await one.post('/api/change-password', formOf(form))).json()).toEqual({
    message: 'Password Changed Successfully',
  });
  expect((await one.get('/api/user')).statusCode).toBe(200);
  expect((await other.get('/api/user')).statusCode).toBe(401);
  expect((await other.signIn()).statusCode).toBe(422);
  expect((await other.signIn(ADMIN.email, next)).statusCode).toBe(200);
});

test('reports a wrong previous password and a differing confirmation under their fields', async () => {
  const { client } = await startServer();
  const admin = await client();
  await admin.signIn();
  const form = { previous_password: 'wrong', new_password: 'seven green parrots', new_password_confirmation: 'other' };
  expect((await admin.post('/api/change-password', formOf(form))).json().errors).toEqual({
    previous_password: ['The password is incorrect.'],
    new_password: ['The new password confirmation does not match.'],
  });
});

test('requires the previous and the new password', async () => {
  const { client } = await startServer();
  const admin = await client();
  await admin.signIn();
  expect((await admin.post('/api/change-password', {})).json().errors).toEqual({
    previous_password: ['The previous password field is required.'],
    new_password: ['The new password field is required.'],
  });
});

test('does not count successful password changes as attempts', async () => {
  const { client } = await clocked();
  const admin = await client();
  await admin.signIn();
  const passwords = [ADMIN.password, ...Array.from({ length: 6 }, (_, n) => `seven green parrots ${n}`)];
  for (const [index, next] of passwords.slice(1).entries()) {
    const form = { previous_password: passwords[index], new_password: next, new_password_confirmation: next };
    expect((await admin.post('/api/change-password', form)).statusCode).toBe(200);
  }
});

test('limits a signed-in user to five password guesses a minute', async () => {
  const { client, pass } = await clocked();
  const admin = await client();
  await admin.signIn();
  const change = async (previous: string) => {
    const next = { new_password: 'seven green parrots', new_password_confirmation: 'seven green parrots' };
    return (await admin.post('/api/change-password', { previous_password: previous, ...next })).statusCode;
  };
  const statuses = [];
  for (let tries = 0; tries < 5; tries += 1) statuses.push(await change('wrong'));
  expect([...statuses, await change(ADMIN.password)]).toEqual([...Array<number>(5).fill(422), 429]);
  pass(60_000);
  expect(await change(ADMIN.password)).toBe(200);
});

test('blocks an account after five failures, and lets the owner in a minute later', async () => {
  const { client, pass } = await clocked();
  const admin = await client();
  for (let tries = 0; tries < 5; tries += 1) expect((await admin.signIn(ADMIN.email, 'wrong')).statusCode).toBe(422);
  const refused = await admin.signIn();
  expect(refused.statusCode).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  pass(Number(refused.headers['retry-after']) * 1000);
  expect((await admin.signIn()).statusCode).toBe(200);
});

test('counts attempts on an account whatever the case of its address', async () => {
  const { client } = await clocked();
  const admin = await client();
  const spelled = [ADMIN.email, ADMIN.email.toUpperCase(), ` ${ADMIN.email} `, 'Admin@Example.com', ADMIN.email];
  for (const email of spelled) expect((await admin.signIn(email, 'wrong')).statusCode).toBe(422);
  expect((await admin.signIn(ADMIN.email.toUpperCase(), 'wrong')).statusCode).toBe(429);
});

test('refuses a password made of the installation’s own names', async () => {
  const { client } = await startServer({ BRAND_LABEL: 'Sunrise Power', COMPANY_LABEL: 'Acme Energy Company' });
  const admin = await client();
  await admin.signIn();
  for (const next of ['voltdesk1234', 'sunrise power 1', 'acme energy company']) {
    const form = { previous_password: ADMIN.password, new_password: next, new_password_confirmation: next };
    const answer = await admin.post('/api/change-password', form);
    expect([next, answer.statusCode, Object.keys(answer.json().errors ?? {})]).toEqual([next, 422, ['new_password']]);
  }
});

test('does not count successful sign-ins, so that a user may sign in as often as needed', async () => {
  const { client } = await clocked();
  const admin = await client();
  for (let tries = 0; tries < 25; tries += 1) expect((await admin.signIn()).statusCode).toBe(200);
});

test('removes expired sessions when someone signs in', async () => {
  const { app, client, pass } = await clocked();
  const admin = await client();
  await admin.signIn();
  pass(8 * DAY);
  await admin.signIn();
  expect(await app.services.db.selectFrom('tokens').selectAll().execute()).toHaveLength(1);
});

test('accepts the authorization scheme in any case (RFC 9110, 11.1)', async () => {
  const { app, client } = await startServer();
  const admin = await client();
  await admin.signIn();
  for (const scheme of ['bearer', 'BEARER', 'Bearer']) {
    const headers = { authorization: `${scheme} ${admin.bearer()}` };
    expect((await app.inject({ url: '/api/user', headers })).statusCode).toBe(200);
  }
});

test('blocks a network address after twenty failures on any accounts', async () => {
  const { client } = await clocked();
  const admin = await client();
  const tries = [];
  for (let n = 0; n < 21; n += 1) tries.push((await admin.signIn(`a${n}@example.com`, 'wrong')).statusCode);
  expect(tries.slice(0, 20)).toEqual(Array(20).fill(422));
  expect(tries[20]).toBe(429);
});

test('checks only the allowed number of a hundred simultaneous attempts', async () => {
  const { app, client } = await startServer();
  const admin = await client();
  await admin.get('/api/user');
  let looks = 0;
  const { verify } = app.services.passwords;
  Object.assign(app.services.passwords, {
    verify: (...given: Parameters<typeof verify>) => ((looks += 1), verify(...given)),
  });
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => admin.post('/api/auth/login', { email: ADMIN.email, password: 'wrong' })),
  );
  expect(looks).toBe(5);
  expect(answers.filter((answer) => answer.statusCode === 429)).toHaveLength(95);
});

test('requires sign-in on every call but the open ones', async () => {
  const { app, client } = await startServer();
  const stranger = await client();
  await stranger.get('/api/capabilities');
  const routes = [
    '/api/user',
    '/api/get-generators',
    '/api/get-single-generator/1',
    '/api/site-meta',
    '/api/history/generators/1',
  ];
  for (const url of routes) expect((await stranger.get(url)).json()).toEqual({ message: 'Unauthenticated.' });
  for (const url of ['/api/create-generator', '/api/get-gti-brands', '/api/delete-image/1', '/api/site-meta']) {
    expect((await stranger.post(url, {})).statusCode).toBe(401);
  }
  expect((await app.inject('/api/capabilities')).statusCode).toBe(200);
});

test.each(['', 'Bearer', 'Bearer x', 'Basic YTpi', "Bearer ' OR 1=1 --"])(
  'refuses "%s" as a session',
  async (authorization) => {
    const { app } = await startServer();
    expect((await app.inject({ url: '/api/user', headers: { authorization } })).statusCode).toBe(401);
  },
);

test('refuses a token that is nearly right, the hash from a stolen database, and a token that was ended', async () => {
  const { app, client } = await startServer();
  const admin = await client();
  await admin.signIn();
  const token = admin.bearer();
  const [row] = await app.services.db.selectFrom('tokens').select('hash').execute();
  const nearly = (token.startsWith('a') ? 'b' : 'a') + token.slice(1);
  for (const forged of [nearly, token.slice(0, -1), `${token}=`, `${token} x`, token.toLowerCase(), row?.hash ?? '']) {
    const headers = { authorization: `Bearer ${forged}` };
    expect((await app.inject({ url: '/api/user', headers })).statusCode).toBe(401);
  }
  expect((await admin.get('/api/user')).statusCode).toBe(200);
  await admin.post('/api/logout', undefined);
  const replayed = await app.inject({ url: '/api/user', headers: { authorization: `Bearer ${token}` } });
  expect(replayed.statusCode).toBe(401);
});

test('hashes for an unknown address too, so that the timing reveals nothing', async () => {
  const { app, client } = await startServer();
  const seen: boolean[] = [];
  const { verify } = app.services.passwords;
  Object.assign(app.services.passwords, {
    verify: (password: string, stored: string | undefined) => (
      seen.push(stored !== undefined), verify(password, stored)
    ),
  });
  const admin = await client();
  await admin.signIn(ADMIN.email, 'wrong');
  await admin.signIn('nobody@example.com', 'wrong');
  expect(seen).toEqual([true, false]);
});

test('stores passwords as argon2id with its full cost', async () => {
  const { hash, verify } = passwordHashing(PASSWORD_COST);
  const stored = await hash('three brown horses');
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$[^$]{22}\$[^$]{43}$/);
  expect(await verify('three brown horses', stored)).toBe(true);
  expect(await verify('three brown horse', stored)).toBe(false);
  expect(await verify('three brown horses', undefined)).toBe(false);
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:aaaa::1', '2001:db8:1:2'],
  ['2001:db8:1:2:bbbb:cccc:dddd:eeee', '2001:db8:1:2'],
  ['2001::2:3:4:5:6:7', '2001:0:2:3'],
  ['::1', '0:0:0:0'],
])('counts attempts from %s as from %s', (address, visitor) => {
  expect(visitorOf(address)).toBe(visitor);
});
