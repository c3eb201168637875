import { expect, test } from 'vitest';
import { manageAdministrators } from '../../server/commands/admin.ts';
import { answeredBy, madePasskey } from '../../server/security/passkeys.ts';
import type { StoredPasskey } from '../../server/stores/factors.ts';
import { SoftPasskey } from '../harness/soft-passkey.ts';
import { ADMIN, type Client } from './harness.ts';
import { SECOND, MINUTE, SITE, codeAt, world, withApp, addPasskey, begin, second } from './second-factor-client.ts';

async function askForPasskey(guest: Client, ticket?: string) {
  const asked = await guest.post('/api/auth/passkey/options', ticket === undefined ? {} : { ticket });
  return asked.json() as { ticket: string; options: { challenge: string; allowCredentials: { id: string }[] } };
}

test('signs in with a passkey alone, or after the password', async () => {
  const { admin, client } = await world();
  const passkey = await addPasskey(admin);
  const guest = await client();
  await guest.get('/api/user');
  const alone = await askForPasskey(guest);
  expect(alone.options).toMatchObject({ rpId: 'localhost', userVerification: 'required', allowCredentials: [] });
  const answer = passkey.answers({ ...SITE, challenge: alone.options.challenge });
  const inside = await guest.post('/api/auth/passkey', { ticket: alone.ticket, response: answer });
  expect([inside.statusCode, inside.json().user?.email]).toEqual([200, ADMIN.email]);

  const after = await askForPasskey(guest, await begin(guest));
  expect(after.options.allowCredentials).toMatchObject([{ id: passkey.id }]);
  // a key without a PIN is enough after the password
  const touched = passkey.answers({ ...SITE, challenge: after.options.challenge, verified: false });
  expect((await guest.post('/api/auth/passkey', { ticket: after.ticket, response: touched })).statusCode).toBe(200);
  expect((await admin.get('/api/security')).json().passkeys).toMatchObject([{ usedAt: '2026-11-20T12:00:00.000Z' }]);
});

test('accepts a key without a PIN, and tells the device whose passkey it stores', async () => {
  const { admin } = await world();
  const { ticket, options } = (await admin.post('/api/security/passkeys/options', {})).json();
  expect(options).toMatchObject({
    rp: { id: 'localhost' },
    user: { name: ADMIN.email, displayName: 'Administrator' },
  });
  const response = new SoftPasskey().made({ ...SITE, challenge: options.challenge, verified: false });
  expect((await admin.post('/api/security/passkeys', { ticket, response })).json().message).toBe('Passkey added');
});

test.each([
  ['of another site', { origin: 'https://evil.example' }],
  ['for another host', { host: 'evil.example' }],
  ['to another challenge', { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
  ['of a device that did not verify its user', { verified: false }],
])('refuses the answer of a passkey %s', async (_what, instead) => {
  const { admin, client } = await world();
  const passkey = await addPasskey(admin);
  const guest = await client();
  await guest.get('/api/user');
  const { ticket, options } = await askForPasskey(guest);
  const response = passkey.answers({ ...SITE, challenge: options.challenge, ...instead });
  const refused = await guest.post('/api/auth/passkey', { ticket, response });
  expect([refused.statusCode, refused.json()]).toEqual([
    422,
    { message: 'This passkey was not accepted here.', code: 'passkey-refused' },
  ]);
});

test('accepts the answer of a passkey once, and within five minutes', async () => {
  const { admin, client, clock } = await world();
  const passkey = await addPasskey(admin);
  const guest = await client();
  await guest.get('/api/user');
  const { ticket, options } = await askForPasskey(guest);
  const response = passkey.answers({ ...SITE, challenge: options.challenge });
  expect((await guest.post('/api/auth/passkey', { ticket, response })).statusCode).toBe(200);
  expect((await guest.post('/api/auth/passkey', { ticket, response })).json().code).toBe('ticket-gone');
  const other = await askForPasskey(guest);
  expect((await guest.post('/api/auth/passkey', { ticket: other.ticket, response })).statusCode).toBe(422);
  const late = await askForPasskey(guest);
  clock.at += 5 * MINUTE;
  const answer = passkey.answers({ ...SITE, challenge: late.options.challenge });
  expect((await guest.post('/api/auth/passkey', { ticket: late.ticket, response: answer })).json().code).toBe(
    'ticket-gone',
  );
});

test.each([
  ['https://desk.example.com', true],
  ['http://desk.example.com', false],
  ['https://desk.example.com:8443', false],
  ['https://www.desk.example.com', false],
])('on a site with TLS, accepts a passkey at %s: %s', async (origin, isTaken) => {
  const site = { name: 'Northern', host: 'desk.example.com', origin: 'https://desk.example.com' };
  const challenge = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
  const passkey = new SoftPasskey();
  const made = await madePasskey(site, challenge, passkey.made({ ...site, challenge, counter: 5 }));
  expect(made).toMatchObject({ id: passkey.id, counter: 5 });
  const there = { host: site.host, origin, challenge };
  expect((await madePasskey(site, challenge, passkey.made(there))) !== undefined).toBe(isTaken);
  const asked = { challenge, response: passkey.answers({ ...there, counter: 6 }), isOnlyFactor: true };
  expect(await answeredBy(site, made as unknown as StoredPasskey, asked)).toBe(isTaken ? 6 : undefined);
});

test('refuses a copied passkey, whose counter is behind', async () => {
  const { admin, client } = await world();
  const passkey = await addPasskey(admin);
  const guest = await client();
  await guest.get('/api/user');
  const statusWith = async (counter: number) => {
    const { ticket, options } = await askForPasskey(guest);
    const response = passkey.answers({ ...SITE, challenge: options.challenge, counter });
    return (await guest.post('/api/auth/passkey', { ticket, response })).statusCode;
  };
  expect([await statusWith(7), await statusWith(8), await statusWith(8), await statusWith(3)]).toEqual([
    200, 200, 422, 422,
  ]);
});

test('refuses another user’s passkey and an unknown one for the second step', async () => {
  const { admin, client, app, secret, clock } = await withApp();
  const said = await manageAdministrators(app.services, ['add', 'other@example.com']);
  const password = /Password: (\S+)/.exec(said)?.[1] ?? '';
  const other = await client();
  await other.signIn('other@example.com', password);
  const next = { new_password: 'seven green parrots', new_password_confirmation: 'seven green parrots' };
  await other.post('/api/change-password', { previous_password: password, ...next });
  const theirs = await addPasskey(other);
  await addPasskey(admin);
  const guest = await client();
  const ticket = await begin(guest);
  for (const passkey of [theirs, new SoftPasskey()]) {
    const asked = await askForPasskey(guest, ticket);
    const response = passkey.answers({ ...SITE, challenge: asked.options.challenge });
    const refused = await guest.post('/api/auth/passkey', { ticket: asked.ticket, response });
    expect(refused.json().code).toBe('passkey-refused');
  }
  expect((await second(guest, ticket, codeAt(secret, clock.at))).statusCode).toBe(200);
});

test.each([undefined, {}, { response: 'x' }, { response: { id: 7 } }, { response: null, ticket: 'x' }])(
  'refuses nonsense in place of a passkey with a message: %j',
  async (body) => {
    const { client } = await world();
    const guest = await client();
    await guest.get('/api/user');
    const asked = await askForPasskey(guest);
    const sent = body === undefined ? undefined : { ticket: asked.ticket, ...body };
    expect((await guest.post('/api/auth/passkey', sent)).statusCode).toBe(422);
  },
);

test('limits the requests of strangers', async () => {
  const { client } = await world();
  const guest = await client();
  await guest.get('/api/user');
  const statuses = [];
  for (let tries = 0; tries < 21; tries += 1)
    statuses.push((await guest.post('/api/auth/passkey/options', {})).statusCode);
  expect(statuses).toEqual([...Array<number>(20).fill(200), 429]);
});

test('accepts a new passkey only for the user’s own challenge, and once', async () => {
  const { admin } = await world();
  const begun = async () => (await admin.post('/api/security/passkeys/options', {})).json();
  const { ticket, options } = await begun();
  const passkey = new SoftPasskey();
  const foreign = passkey.made({ ...SITE, origin: 'https://evil.example', challenge: options.challenge });
  const refused = await admin.post('/api/security/passkeys', { ticket, response: foreign });
  const text = 'This passkey could not be checked. Try again.';
  expect([refused.statusCode, refused.json().errors]).toEqual([422, { passkey: [text] }]);
  const right = passkey.made({ ...SITE, challenge: options.challenge });
  const late = await admin.post('/api/security/passkeys', { ticket, response: right });
  expect(late.json()).toEqual({ message: 'This took too long. Start over.', code: 'ticket-gone' });
  await addPasskey(admin);
  const again = await begun();
  const [known] = (await admin.get('/api/security')).json().passkeys;
  expect(again.options.excludeCredentials).toMatchObject([{ id: known.id }]);
});

test('refuses changes to the sign-in methods a quarter of an hour after the sign-in', async () => {
  const { admin, clock } = await world();
  await addPasskey(admin);
  const [{ id }] = (await admin.get('/api/security')).json().passkeys;
  clock.at += 15 * MINUTE + SECOND;
  const calls = [
    '/api/security/passkeys/options',
    `/api/security/passkeys/${id}/remove`,
    '/api/security/authenticator',
    '/api/security/authenticator/remove',
    '/api/security/recovery-codes',
    '/api/people/second-factor',
    '/api/people/1/reset-second-factor',
  ];
  for (const call of calls) {
    const refused = await admin.post(call, {});
    expect([call, refused.statusCode, refused.json().code]).toEqual([call, 403, 'sign-in-again']);
  }
  expect((await admin.post(`/api/security/passkeys/${id}/rename`, { name: 'Blue key' })).statusCode).toBe(200);
  expect((await admin.get('/api/security')).json().passkeys).toMatchObject([{ name: 'Blue key' }]);
});

test('completes a sign-in once, even when another passkey was asked for', async () => {
  const { admin, client } = await world();
  const passkey = await addPasskey(admin);
  const guest = await client();
  const signIn = await begin(guest);
  const [one, other] = [await askForPasskey(guest, signIn), await askForPasskey(guest, signIn)];
  let counter = 10;
  const take = ({ ticket, options }: typeof one) =>
    guest.post('/api/auth/passkey', {
      ticket,
      response: passkey.answers({ ...SITE, challenge: options.challenge, counter: (counter += 1) }),
    });
  expect((await take(one)).statusCode).toBe(200);
  expect((await take(other)).json().code).toBe('ticket-gone');
});

test('asks for no passkey in the second step of an account without one', async () => {
  const { client } = await withApp();
  const guest = await client();
  const refused = await guest.post('/api/auth/passkey/options', { ticket: await begin(guest) });
  expect([refused.statusCode, refused.json().code]).toEqual([422, 'passkey-refused']);
});

test('refuses an unreadable or overlong passkey name', async () => {
  const { admin } = await world();
  await addPasskey(admin);
  const [{ id, name }] = (await admin.get('/api/security')).json().passkeys;
  for (const bad of ['', '  ', 'a\u0007b', 'x'.repeat(101)]) {
    const refused = await admin.post(`/api/security/passkeys/${id}/rename`, { name: bad });
    expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, ['name']]);
  }
  expect((await admin.get('/api/security')).json().passkeys).toMatchObject([{ name }]);
  const renamed = await admin.post(`/api/security/passkeys/${id}/rename`, { name: ' Blue key ' });
  expect(renamed.json()).toEqual({ message: 'Renamed to Blue key' });
  expect((await admin.get('/api/security')).json().passkeys).toMatchObject([{ name: 'Blue key' }]);
});

test('accepts at most twenty passkeys per user', async () => {
  const { admin } = await world();
  for (let count = 0; count < 20; count += 1) await addPasskey(admin);
  const refused = await admin.post('/api/security/passkeys/options', {});
  expect(refused.json().errors).toEqual({ passkey: ['There are already 20. Remove one first.'] });
  expect((await admin.get('/api/security')).json().passkeys).toHaveLength(20);
});

test('names a passkey after the browser that made it', async () => {
  const { admin } = await world();
  const { ticket, options } = (await admin.post('/api/security/passkeys/options', {})).json();
  const response = new SoftPasskey().made({ ...SITE, challenge: options.challenge });
  const userAgent = 'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/142.0.0.0 Mobile Safari/537.36';
  await admin.post('/api/security/passkeys', { ticket, response }, { 'user-agent': userAgent });
  expect((await admin.get('/api/security')).json().passkeys).toMatchObject([{ name: 'Chrome on Android' }]);
});

test('refuses to finish what another user began to set up', async () => {
  const { admin, client, app, clock } = await world();
  const said = await manageAdministrators(app.services, ['add', 'other@example.com']);
  const password = /Password: (\S+)/.exec(said)?.[1] ?? '';
  const other = await client();
  await other.signIn('other@example.com', password);
  const next = { new_password: 'seven green parrots', new_password_confirmation: 'seven green parrots' };
  await other.post('/api/change-password', { previous_password: password, ...next });
  const { ticket, options } = (await other.post('/api/security/passkeys/options', {})).json();
  const response = new SoftPasskey().made({ ...SITE, challenge: options.challenge });
  expect((await admin.post('/api/security/passkeys', { ticket, response })).json().code).toBe('ticket-gone');
  const begun = (await other.post('/api/security/authenticator', {})).json();
  const code = codeAt(begun.secret, clock.at);
  const taken = await admin.post('/api/security/authenticator/take', { ticket: begun.ticket, code });
  expect(taken.json().code).toBe('ticket-gone');
});

test('creates passkeys for the address with its port, per user, and asks for them with their transports', async () => {
  const { admin, client, app } = await world();
  const host = { host: 'localhost:8080' };
  const { ticket, options } = (await admin.post('/api/security/passkeys/options', {}, host)).json();
  const passkey = new SoftPasskey();
  const response = passkey.made({ ...SITE, origin: 'http://localhost:8080', challenge: options.challenge });
  expect((await admin.post('/api/security/passkeys', { ticket, response }, host)).statusCode).toBe(200);
  const guest = await client();
  const { allowCredentials } = (await askForPasskey(guest, await begin(guest))).options;
  expect(allowCredentials).toMatchObject([{ id: passkey.id, transports: ['internal'] }]);
  const said = await manageAdministrators(app.services, ['add', 'other@example.com']);
  const password = /Password: (\S+)/.exec(said)?.[1] ?? '';
  const other = await client();
  await other.signIn('other@example.com', password);
  const next = { new_password: 'seven green parrots', new_password_confirmation: 'seven green parrots' };
  await other.post('/api/change-password', { previous_password: password, ...next });
  const theirs = (await other.post('/api/security/passkeys/options', {})).json().options;
  expect(theirs.user.id).not.toBe(options.user.id);
});
