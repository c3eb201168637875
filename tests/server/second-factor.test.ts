import { expect, test } from 'vitest';
import { manageAdministrators } from '../../server/commands/admin.ts';
import { requireFresh } from '../../server/security/fresh.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { ADMIN, signedIn } from './harness.ts';
import { withRole } from './people-client.ts';
import { NOON, MINUTE, codeAt, world, withApp, addPasskey, begin, second } from './second-factor-client.ts';

test('sets up an app with a code in two groups, labelled with site and account, once', async () => {
  const { admin, clock } = await world();
  const { secret, ticket, address } = (await admin.post('/api/security/authenticator', {})).json();
  expect(address).toMatch(/^otpauth:\/\/totp\/Voltdesk:admin%40example\.com\?/);
  const code = codeAt(secret, clock.at).replace(/^.../, '$& ');
  expect((await admin.post('/api/security/authenticator/take', { ticket, code })).statusCode).toBe(200);
  clock.at += MINUTE;
  const again = { ticket, code: codeAt(secret, clock.at) };
  expect((await admin.post('/api/security/authenticator/take', again)).json().code).toBe('ticket-gone');
});

test('removes colons from the names in an app’s address, where they would separate the names', async () => {
  const { admin } = await world({ BRAND_LABEL: 'North: Power' });
  const { address } = (await admin.post('/api/security/authenticator', {})).json();
  expect(address).toMatch(/^otpauth:\/\/totp\/North%20{1,2}(%20)?Power:admin%40example\.com\?/);
});

test('lets a user who owes something log out, and refuses sign-in changes without a sign-in time', async () => {
  const { app, client } = await world();
  const said = await manageAdministrators(app.services, ['add', 'new@example.com']);
  const newcomer = await client();
  await newcomer.signIn('new@example.com', /Password: (\S+)/.exec(said)?.[1] ?? '');
  expect((await newcomer.post('/api/logout', undefined)).json()).toEqual({ message: 'Successfully Logged Out' });
  expect(() =>
    requireFresh({ user: { id: 1, name: 'A', email: 'a@example.com' }, tokenHash: 'a', role: 'owner' }, NOON),
  ).toThrow('Sign in again');
});

test('limits code attempts while an app is set up', async () => {
  const { admin, clock } = await world();
  const { secret, ticket } = (await admin.post('/api/security/authenticator', {})).json();
  const code = codeAt(secret, clock.at) === '000000' ? '111111' : '000000';
  const statuses = [];
  for (let tries = 0; tries < 11; tries += 1)
    statuses.push((await admin.post('/api/security/authenticator/take', { ticket, code })).statusCode);
  expect(statuses).toEqual([...Array<number>(10).fill(422), 429]);
});

test('creates recovery codes with the first factor only, which stay valid when another is added', async () => {
  const { admin, client, recoveryCodes } = await withApp();
  await addPasskey(admin);
  const guest = await client();
  expect((await second(guest, await begin(guest), recoveryCodes[9] ?? '')).statusCode).toBe(200);
});

test('keeps recovery codes while one of two factors is left, and removes them with the last', async () => {
  const { admin, client, recoveryCodes } = await withApp();
  await addPasskey(admin);
  const codesLeft = async () => (await admin.get('/api/security')).json().codesLeft;
  expect((await admin.post('/api/security/authenticator/remove', {})).statusCode).toBe(200);
  expect(await codesLeft()).toBe(10);
  const guest = await client();
  expect((await second(guest, await begin(guest), recoveryCodes[0] ?? '')).statusCode).toBe(200);
  const [{ id }] = (await admin.get('/api/security')).json().passkeys;
  expect((await admin.post(`/api/security/passkeys/${id}/remove`, {})).statusCode).toBe(200);
  expect(await codesLeft()).toBe(0);
});

test('creates no recovery codes for a user without a factor', async () => {
  const { admin } = await world();
  const refused = await admin.post('/api/security/recovery-codes', {});
  expect([refused.statusCode, refused.json().code]).toEqual([422, 'no-factor']);
});

test('tells a browser that signs in again which of its sessions is replaced', async () => {
  const { admin } = await world();
  const before = admin.bearer();
  const again = await admin.post('/api/auth/login', ADMIN);
  expect(again.json().replaces).toMatch(/^[0-9a-f]{64}$/);
  admin.useBearer(again.json().token);
  await admin.post(`/api/sessions/${again.json().replaces}/end`, undefined);
  expect((await admin.get('/api/sessions')).json()).toHaveLength(1);
  admin.useBearer(before);
  expect((await admin.get('/api/user')).statusCode).toBe(401);
});

test('does not name another user’s session when someone signs in over it', async () => {
  const { admin, app } = await world();
  const said = await manageAdministrators(app.services, ['add', 'new@example.com']);
  const password = /Password: (\S+)/.exec(said)?.[1] ?? '';
  const answer = await admin.post('/api/auth/login', { email: 'new@example.com', password });
  expect(answer.json().user.email).toBe('new@example.com');
  expect(answer.json()).not.toHaveProperty('replaces');
});

test('lets a user without a required factor only set one up', async () => {
  const { admin, client, app } = await world();
  const refused = await admin.post('/api/people/second-factor', { required: 'yes' });
  expect(refused.json().errors).toEqual({ required: ['Set up your own second factor first, under Security.'] });
  const other = await client();
  await other.signIn();
  await addPasskey(admin);
  const required = await admin.post('/api/people/second-factor', { required: 'yes' });
  expect([required.statusCode, required.json()]).toEqual([200, { message: 'Everyone now needs a second factor' }]);
  expect((await admin.get('/api/people')).json()).toMatchObject({
    secondFactorRequired: true,
    people: [{ hasSecondFactor: true }],
  });
  const said = await manageAdministrators(app.services, ['add', 'new@example.com']);
  const password = /Password: (\S+)/.exec(said)?.[1] ?? '';
  const newcomer = await client();
  expect((await newcomer.signIn('new@example.com', password)).json().user).toMatchObject({ owes: 'password' });
  expect((await newcomer.post('/api/security/authenticator', {})).statusCode).toBe(403);
  const next = { new_password: 'seven green parrots', new_password_confirmation: 'seven green parrots' };
  await newcomer.post('/api/change-password', { previous_password: password, ...next });
  expect((await newcomer.get('/api/user')).json()).toMatchObject({ owes: 'second-factor' });
  const owed = await newcomer.post(partners.endpoints.create, { name: 'x' });
  expect([owed.statusCode, owed.json()]).toEqual([
    403,
    { message: 'Set up a second factor first: it is required here.', code: 'owed-first' },
  ]);
  expect((await newcomer.post('/api/security/recovery-codes', {})).statusCode).toBe(403);
  await addPasskey(newcomer);
  expect((await newcomer.get('/api/user')).json()).not.toHaveProperty('owes');
  const [{ id }] = (await newcomer.get('/api/security')).json().passkeys;
  const kept = await newcomer.post(`/api/security/passkeys/${id}/remove`, {});
  expect([kept.statusCode, kept.json().code]).toEqual([422, 'last-factor']);
  await admin.post('/api/people/second-factor', { required: 'no' });
  expect((await newcomer.post(`/api/security/passkeys/${id}/remove`, {})).statusCode).toBe(200);
  expect((await newcomer.get('/api/security')).json()).toEqual({ passkeys: [], codesLeft: 0, required: false });
});

test('lets an owner or the server’s operator reset a lost factor', async () => {
  const { admin, client, app, recoveryCodes } = await withApp();
  const said = await manageAdministrators(app.services, ['add', 'other@example.com']);
  const password = /Password: (\S+)/.exec(said)?.[1] ?? '';
  const owner = await client();
  await owner.signIn('other@example.com', password);
  const next = { new_password: 'seven green parrots', new_password_confirmation: 'seven green parrots' };
  await owner.post('/api/change-password', { previous_password: password, ...next });
  expect((await admin.post('/api/people/1/reset-second-factor', {})).statusCode).toBe(422);
  expect((await owner.post('/api/people/1/reset-second-factor', {})).json()).toEqual({
    message: 'Administrator can now sign in with the password alone',
  });
  expect((await admin.get('/api/user')).statusCode).toBe(401);
  expect((await admin.signIn()).statusCode).toBe(200);
  await addPasskey(admin);
  expect(await manageAdministrators(app.services, ['reset-second-factor', ADMIN.email])).toContain('password alone');
  expect((await admin.signIn()).statusCode).toBe(200);
  expect((await admin.get('/api/security')).json()).toEqual({ passkeys: [], codesLeft: 0, required: false });
  expect(recoveryCodes).toHaveLength(10);
});

test('requires the factor also after a password was set by a link', async () => {
  const server = await withApp();
  const { client } = server;
  const owner = await withRole(server, 'owner');
  const { token } = (await owner.post('/api/people/1/reset', undefined)).json();
  const guest = await client();
  await guest.get('/api/user');
  const next = { new_password: 'seven green parrots', new_password_confirmation: 'seven green parrots' };
  expect((await guest.post('/api/link/take', { token, ...next })).json()).not.toHaveProperty('token');
  expect((await guest.signIn(ADMIN.email, next.new_password)).statusCode).toBe(202);
});

test('logs the use of second factors, without codes or secrets', async () => {
  const lines: string[] = [];
  const logStream = { write: (line: string) => void lines.push(line) };
  const clock = { at: NOON };
  const { admin, client } = await signedIn({ LOG_LEVEL: 'info' }, { logStream, now: () => clock.at });
  const { secret, ticket } = (await admin.post('/api/security/authenticator', {})).json();
  const added = await admin.post('/api/security/authenticator/take', { ticket, code: codeAt(secret, NOON) });
  const codes = added.json().recoveryCodes as string[];
  clock.at += MINUTE;
  const guest = await client();
  await second(guest, await begin(guest), codes[0] ?? '');
  await second(guest, await begin(guest), codes[0] ?? '');
  await admin.post('/api/people/second-factor', { required: 'yes' });
  const events = lines
    .map((line) => JSON.parse(line).audit as string | undefined)
    .filter((event) => event !== undefined);
  expect(events).toEqual([
    'signed in',
    'authenticator app added',
    'recovery codes made',
    'second factor asked for',
    'signed in with a recovery code',
    'second factor asked for',
    'second factor refused',
    'second factor required',
  ]);
  expect(lines.join('')).not.toMatch(new RegExp([secret, ticket, ...codes].join('|')));
});

test('logs the use of passkeys, and removed factors', async () => {
  const lines: string[] = [];
  const logStream = { write: (line: string) => void lines.push(line) };
  const clock = { at: NOON };
  const { admin, client } = await signedIn({ LOG_LEVEL: 'info' }, { logStream, now: () => clock.at });
  await addPasskey(admin);
  const { secret, ticket } = (await admin.post('/api/security/authenticator', {})).json();
  await admin.post('/api/security/authenticator/take', { ticket, code: codeAt(secret, NOON) });
  clock.at += MINUTE;
  const guest = await client();
  expect((await second(guest, await begin(guest), codeAt(secret, clock.at))).statusCode).toBe(200);
  const asked = (await guest.post('/api/auth/passkey/options', {})).json();
  await guest.post('/api/auth/passkey', { ticket: asked.ticket, response: {} });
  await admin.post('/api/people/second-factor', { required: 'yes' });
  const optional = await admin.post('/api/people/second-factor', { required: 'no' });
  expect(optional.json()).toEqual({ message: 'A second factor is now optional' });
  const [{ id }] = (await admin.get('/api/security')).json().passkeys;
  await admin.post(`/api/security/passkeys/${id}/remove`, {});
  await admin.post('/api/security/authenticator/remove', {});
  // also by someone who no longer has a factor
  expect((await admin.post('/api/people/second-factor', { required: 'no' })).statusCode).toBe(200);
  const events = lines.map((line) => JSON.parse(line)).filter(({ audit }) => audit !== undefined);
  expect(events.map(({ audit, who }) => `${audit}: ${who}`).slice(1)).toEqual([
    `passkey added: ${ADMIN.email}`,
    `recovery codes made: ${ADMIN.email}`,
    `authenticator app added: ${ADMIN.email}`,
    `second factor asked for: ${ADMIN.email}`,
    `signed in with a code: ${ADMIN.email}`,
    'passkey refused: unknown',
    `second factor required: ${ADMIN.email}`,
    `second factor not required any more: ${ADMIN.email}`,
    `passkey removed: ${ADMIN.email}`,
    `authenticator app removed: ${ADMIN.email}`,
    `second factor not required any more: ${ADMIN.email}`,
  ]);
});
