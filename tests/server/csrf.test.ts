import { expect, test } from 'vitest';
import { signedIn, startServer } from './harness.ts';

test('sets the cookie with any read, even a refused one, and lets it outlive the browser', async () => {
  const { app } = await startServer();
  const answer = await app.inject('/api/user');
  expect(answer.statusCode).toBe(401);
  const cookies = Object.fromEntries(answer.cookies.map((cookie) => [cookie.name, cookie]));
  expect(cookies['XSRF-TOKEN']).toMatchObject({ maxAge: 2_592_000, path: '/', sameSite: 'Lax' });
  expect(cookies['XSRF-TOKEN']?.httpOnly).toBeUndefined();
  expect(cookies['voltdesk_session']).toMatchObject({ httpOnly: true, maxAge: 2_592_000 });
});

test.each([
  ['no header', { 'x-xsrf-token': '' }],
  ['a made-up header', { 'x-xsrf-token': 'a'.repeat(43) }],
  ['no cookies', { cookie: '' }],
])('refuses a change with %s', async (_what, headers) => {
  const { admin } = await signedIn();
  const answer = await admin.post('/api/get-gti-brands', { type: 'Single Phase' }, headers);
  expect(answer.statusCode).toBe(419);
  expect(answer.json()).toEqual({ message: 'CSRF token mismatch.' });
});

test('accepts a browser’s values after a restart of the server', async () => {
  const { admin, app, dataDir } = await signedIn();
  const headers = {
    cookie: [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    'x-xsrf-token': admin.cookies.get('XSRF-TOKEN') ?? '',
    authorization: `Bearer ${admin.bearer()}`,
  };
  await app.close();
  const again = await startServer({ DATA_DIR: dataDir });
  const answer = await again.app.inject({ method: 'POST', url: '/api/get-gti-brands', payload: {}, headers });
  expect(answer.statusCode).toBe(200);
});

test('keeps a browser’s session, so that its values stay valid during other reads', async () => {
  const { admin } = await signedIn();
  const before = admin.cookies.get('voltdesk_session');
  const held = admin.cookies.get('XSRF-TOKEN') ?? '';
  const { cookies } = await admin.get('/api/user');
  expect(admin.cookies.get('voltdesk_session')).toBe(before);
  // for another month, so that a device that reads now and then never has its first change refused
  expect(cookies.map(({ name, maxAge }) => [name, maxAge])).toEqual([
    ['voltdesk_session', 2_592_000],
    ['XSRF-TOKEN', 2_592_000],
  ]);
  expect((await admin.post('/api/get-gti-brands', {}, { 'x-xsrf-token': held })).statusCode).toBe(200);
});

test('ignores a truncated session cookie left by an answer that was cut in its head', async () => {
  const { admin } = await signedIn();
  const whole = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const cookie = `voltdesk_session=${admin.cookies.get('voltdesk_session')?.slice(0, 20)}; ${whole}`;
  expect((await admin.post('/api/get-gti-brands', {}, { cookie })).statusCode).toBe(200);
});

test('refuses a value from another browser’s session', async () => {
  const { admin, client } = await signedIn();
  const other = await client();
  await other.signIn();
  const value = other.cookies.get('XSRF-TOKEN') ?? '';
  expect((await admin.post('/api/get-gti-brands', {}, { 'x-xsrf-token': value })).statusCode).toBe(419);
  expect((await other.post('/api/get-gti-brands', {})).statusCode).toBe(200);
});

test('refuses a change started by another site', async () => {
  const { admin } = await signedIn();
  for (const site of ['cross-site', 'same-site']) {
    expect((await admin.post('/api/get-gti-brands', {}, { 'sec-fetch-site': site })).statusCode).toBe(403);
  }
  for (const site of ['same-origin', 'none']) {
    expect((await admin.post('/api/get-gti-brands', {}, { 'sec-fetch-site': site })).statusCode).toBe(200);
  }
});

test('answers 419 before 401, and 413 before both', async () => {
  const { app } = await startServer({ MAX_FILE_MB: '1', MAX_REQUEST_MB: '1' });
  const url = '/api/create-generator';
  expect((await app.inject({ method: 'POST', url, payload: {} })).statusCode).toBe(419);
  const payload = Buffer.alloc(1024 * 1024 + 1);
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  expect((await app.inject({ method: 'POST', url, payload, headers })).statusCode).toBe(413);
});

test('marks the cookies secure behind a trusted proxy with TLS', async () => {
  const { app } = await startServer({ TRUSTED_PROXIES: '127.0.0.1' });
  const answer = await app.inject({ url: '/api/capabilities', headers: { 'x-forwarded-proto': 'https' } });
  expect(answer.cookies.every((cookie) => cookie.secure === true)).toBe(true);
  expect(answer.headers['strict-transport-security']).toContain('max-age');
});

test('ignores forwarded headers from an untrusted address', async () => {
  const { app } = await startServer({ TRUSTED_PROXIES: '10.0.0.0/8' });
  const answer = await app.inject({ url: '/api/capabilities', headers: { 'x-forwarded-proto': 'https' } });
  expect(answer.cookies.some((cookie) => cookie.secure === true)).toBe(false);
});
