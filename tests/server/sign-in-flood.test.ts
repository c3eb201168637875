import { expect, test } from 'vitest';
import { ADMIN, formOf, signedIn, startServer } from './harness.ts';
import { PROXY, from, stranger } from './stranger.ts';

test('checks the attempts of a known device before those of strangers', async () => {
  const { app, admin } = await signedIn(PROXY);
  const guess = await stranger(app, admin);
  const { passwords } = app.services;
  const { verify } = passwords;
  const goFirst: (boolean | undefined)[] = [];
  Object.assign(passwords, {
    verify: (...given: Parameters<typeof verify>) => (goFirst.push(given[2]), verify(...given)),
  });
  await guess(1, ADMIN.email, 'wrong');
  await admin.signIn();
  expect(goFirst).toEqual([false, true]);
});

test('slows guesses at one account from a hundred addresses, without locking its owner out', async () => {
  let at = Date.parse('2026-11-20T12:00:00Z');
  const { app, admin } = await signedIn(PROXY, { now: () => at });
  const guess = await stranger(app, admin);
  const tried: number[] = [];
  for (let n = 0; n < 100; n += 1) tried.push((await guess(n, ADMIN.email, 'wrong')).statusCode);
  expect(tried.filter((status) => status === 422)).toHaveLength(10);
  expect(tried.filter((status) => status === 429)).toHaveLength(90);
  expect((await guess(1, ADMIN.email.toUpperCase(), ADMIN.password)).statusCode).toBe(429);
  expect((await admin.signIn()).statusCode).toBe(200);
  at += 60_000;
  expect((await guess(1, ADMIN.email, ADMIN.password)).statusCode).toBe(200);
});

test('limits the attempts of a known device too, which is known for its own account only', async () => {
  const { admin } = await signedIn(PROXY);
  const tries = [];
  for (let n = 0; n < 6; n += 1) {
    const answer = await admin.post('/api/auth/login', { email: ADMIN.email, password: 'wrong' }, from(n));
    tries.push(answer.statusCode);
  }
  expect(tries).toEqual([422, 422, 422, 422, 422, 429]);
  const other = [];
  for (let n = 0; n < 11; n += 1) {
    const answer = await admin.post('/api/auth/login', { email: 'other@example.com', password: 'wrong' }, from(n));
    other.push(answer.statusCode);
  }
  expect(other.filter((status) => status === 422)).toHaveLength(10);
});

test('recognises a device whatever the case of its account, and counts each device separately', async () => {
  const { app, admin, client } = await signedIn(PROXY);
  const guess = await stranger(app, admin);
  for (let n = 0; n < 10; n += 1) await guess(n, ADMIN.email, 'wrong');
  const other = await client();
  other.cookies.set('voltdesk_device', admin.cookies.get('voltdesk_device') ?? '');
  expect((await admin.signIn(ADMIN.email.toUpperCase())).statusCode).toBe(200);
  for (let n = 0; n < 5; n += 1) expect((await admin.signIn(ADMIN.email, 'wrong')).statusCode).toBe(422);
  expect((await admin.signIn()).statusCode).toBe(429);
  expect((await other.signIn()).statusCode).toBe(200);
});

test.each(['', 'x.y', '.', 'a'.repeat(22)])('treats a device with the forged mark "%s" as a stranger', async (mark) => {
  const { app, admin } = await signedIn(PROXY);
  const guess = await stranger(app, admin);
  for (let n = 0; n < 10; n += 1) await guess(n, ADMIN.email, 'wrong');
  admin.cookies.set('voltdesk_device', mark);
  expect((await admin.signIn()).statusCode).toBe(429);
});

test('hides the mark of a device from scripts, and signs no one in by it', async () => {
  const { app, client } = await startServer();
  const admin = await client();
  const cookie = (await admin.signIn()).cookies.find(({ name }) => name === 'voltdesk_device');
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/', maxAge: 365 * 24 * 60 * 60 });
  const headers = { cookie: `voltdesk_device=${cookie?.value}` };
  expect((await app.inject({ url: '/api/user', headers })).statusCode).toBe(401);
});

test('slows guesses at the current password of an open session', async () => {
  const { admin } = await signedIn();
  const guess = { previous_password: 'a wrong guess', new_password: 'violet harbour lantern 42' };
  const form = () => formOf({ ...guess, new_password_confirmation: guess.new_password });
  const statuses: number[] = [];
  for (let time = 0; time < 6; time += 1) {
    statuses.push((await admin.post('/api/change-password', form())).statusCode);
  }
  expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
});

test('counts the addresses of one network as one, whatever accounts they try', async () => {
  const { app, admin } = await signedIn({ TRUSTED_PROXIES: '127.0.0.1' });
  const headers = {
    cookie: `voltdesk_session=${admin.cookies.get('voltdesk_session') ?? ''}`,
    'x-xsrf-token': admin.cookies.get('XSRF-TOKEN') ?? '',
  };
  const guess = async (address: string, n: number) => {
    const payload = { email: `a${n}@example.com`, password: 'wrong' };
    const all = { ...headers, 'x-forwarded-for': address };
    return (await app.inject({ method: 'POST', url: '/api/auth/login', payload, headers: all })).statusCode;
  };
  const statuses = [];
  for (let n = 0; n < 21; n += 1) statuses.push(await guess(`2001:db8:1:2:${n}::1`, n));
  expect(statuses).toEqual([...Array<number>(20).fill(422), 429]);
  expect(await guess('2001:db8:1:3::1', 21)).toBe(422);
});
