import { expect, test } from 'vitest';
import { factorsIn } from '../../server/stores/sql/factors.ts';
import { ADMIN, type Client } from './harness.ts';
import { NOON, SECOND, MINUTE, codeAt, world, withApp, begin, second } from './second-factor-client.ts';

test('asks for the code of an authenticator app after the password, and opens no session before', async () => {
  const { client, secret, clock } = await withApp();
  const guest = await client();
  await guest.get('/api/user');
  const answer = await guest.post('/api/auth/login', ADMIN);
  expect(answer.statusCode).toBe(202);
  expect(answer.json()).toEqual({
    message: 'One more step.',
    ticket: expect.stringMatching(/^[\w-]{32}$/),
    passkey: false,
    code: true,
  });
  const { ticket } = answer.json();
  guest.useBearer(ticket);
  expect((await guest.get('/api/user')).statusCode).toBe(401);
  guest.forget();
  const inside = await second(guest, ticket, codeAt(secret, clock.at));
  expect(inside.statusCode).toBe(200);
  guest.useBearer(inside.json().token);
  expect((await guest.get('/api/user')).json()).toMatchObject({ email: ADMIN.email });
});

test('accepts a code once, for half a minute and one step before and after', async () => {
  const { client, secret, code, clock } = await withApp();
  const guest = await client();
  // the code that set up the app is used up
  clock.at = NOON;
  expect((await second(guest, await begin(guest), code)).json().errors).toEqual({
    code: ['This code is wrong or has already been used.'],
  });
  clock.at = NOON + MINUTE;
  const next = codeAt(secret, clock.at);
  expect((await second(guest, await begin(guest), next)).statusCode).toBe(200);
  expect((await second(guest, await begin(guest), next)).statusCode).toBe(422);
  // nor an older one, though it was never used
  expect((await second(guest, await begin(guest), codeAt(secret, clock.at - 30 * SECOND))).statusCode).toBe(422);
  clock.at += 30 * SECOND;
  expect((await second(guest, await begin(guest), next)).statusCode).toBe(422);
  clock.at -= 30 * SECOND;
  const late = codeAt(secret, clock.at + 30 * SECOND);
  clock.at += 90 * SECOND;
  expect((await second(guest, await begin(guest), late)).statusCode).toBe(422);
  expect((await second(guest, await begin(guest), codeAt(secret, clock.at + 30 * SECOND))).statusCode).toBe(200);
});

test('lets a mistyped code be retyped in the same sign-in and the same set-up of an app', async () => {
  const { admin, client, clock } = await world();
  const wrong = () => (codeAt(secret, clock.at) === '000000' ? '111111' : '000000');
  const { secret, ticket } = (await admin.post('/api/security/authenticator', {})).json();
  const take = (code: string) => admin.post('/api/security/authenticator/take', { ticket, code });
  expect((await take(wrong())).json().errors).toEqual({
    code: ['This code is wrong. Enter the one the app shows now.'],
  });
  expect((await take(codeAt(secret, clock.at))).statusCode).toBe(200);
  clock.at += MINUTE;
  const guest = await client();
  const begun = await begin(guest);
  expect((await second(guest, begun, wrong())).json().errors).toEqual({
    code: ['This code is wrong or has already been used.'],
  });
  expect((await second(guest, begun, codeAt(secret, clock.at))).statusCode).toBe(200);
});

test('lets only one of two sign-ins with the same code in', async () => {
  const { client, secret, clock } = await withApp();
  const guests = [await client(), await client()];
  const tickets = [await begin(guests[0] as Client), await begin(guests[1] as Client)];
  const code = codeAt(secret, clock.at);
  const answers = await Promise.all(guests.map((guest, index) => second(guest, tickets[index] ?? '', code)));
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 422]);
});

test('ends a sign-in after five minutes, with its success, and with a new password', async () => {
  const { admin, client, secret, clock, app } = await withApp();
  const guest = await client();
  const old = await begin(guest);
  clock.at += 5 * MINUTE;
  const late = await second(guest, old, codeAt(secret, clock.at));
  const message = 'This sign-in took too long. Start over.';
  expect([late.statusCode, late.json()]).toEqual([422, { message, code: 'ticket-gone' }]);
  const used = await begin(guest);
  expect((await second(guest, used, codeAt(secret, clock.at))).statusCode).toBe(200);
  clock.at += MINUTE;
  expect((await second(guest, used, codeAt(secret, clock.at))).json().code).toBe('ticket-gone');
  const changed = await begin(guest);
  const next = { new_password: 'seven green parrots', new_password_confirmation: 'seven green parrots' };
  await admin.post('/api/change-password', { previous_password: ADMIN.password, ...next });
  expect((await second(guest, changed, codeAt(secret, clock.at))).json().code).toBe('ticket-gone');
  const removed = await guest.signIn(ADMIN.email, next.new_password);
  await app.services.db.deleteFrom('users').execute();
  expect((await second(guest, removed.json().ticket, '123456')).json().code).toBe('ticket-gone');
});

test('limits guessing to five codes a minute, and to one per quarter of an hour after ten wrong ones', async () => {
  const { client, secret, clock, recoveryCodes } = await withApp();
  const guest = await client();
  const statusOf = async (code: string) => (await second(guest, await begin(guest), code)).statusCode;
  const wrong = () => (codeAt(secret, clock.at) === '000000' ? '111111' : '000000');
  for (let round = 0; round < 2; round += 1) {
    for (let tries = 0; tries < 5; tries += 1) expect(await statusOf(wrong())).toBe(422);
    expect(await statusOf(codeAt(secret, clock.at))).toBe(429);
    clock.at += MINUTE;
  }
  expect(await statusOf(codeAt(secret, clock.at))).toBe(429);
  // a user who lost the race against a guesser still has the printed codes
  expect(await statusOf(recoveryCodes[0] ?? '')).toBe(200);
  clock.at += 15 * MINUTE;
  expect(await statusOf(wrong())).toBe(422);
  clock.at += 2 * MINUTE;
  const rest = await second(guest, await begin(guest), codeAt(secret, clock.at));
  expect([rest.statusCode, rest.headers['retry-after']]).toEqual([429, String(13 * 60)]);
  clock.at += 15 * MINUTE;
  expect(await statusOf(codeAt(secret, clock.at))).toBe(200);
});

test('does not count malformed codes as guesses', async () => {
  const { client, clock, secret } = await withApp();
  const guest = await client();
  for (let tries = 0; tries < 12; tries += 1) {
    const refused = await second(guest, await begin(guest), tries % 2 === 0 ? '12345' : '1234567');
    expect(refused.statusCode).toBe(422);
    clock.at += MINUTE;
  }
  expect((await second(guest, await begin(guest), codeAt(secret, clock.at))).statusCode).toBe(200);
});

test('accepts each of the ten recovery codes once, however typed, and none of a replaced set', async () => {
  const { admin, client, app, recoveryCodes, clock } = await withApp();
  const [first = '', other = ''] = recoveryCodes;
  expect(new Set(recoveryCodes).size).toBe(10);
  expect(recoveryCodes).toEqual(recoveryCodes.map(() => expect.stringMatching(/^[a-z2-9]{5}-[a-z2-9]{5}$/)));
  const kept = await app.services.db.selectFrom('recovery_codes').selectAll().execute();
  expect(JSON.stringify(kept)).not.toContain(first);
  const guest = await client();
  expect((await second(guest, await begin(guest), ` ${first.toUpperCase().replace('-', ' ')} `)).statusCode).toBe(200);
  expect((await second(guest, await begin(guest), first)).statusCode).toBe(422);
  expect((await admin.get('/api/security')).json()).toMatchObject({ codesLeft: 9, required: false });
  const anew = (await admin.post('/api/security/recovery-codes', {})).json();
  expect(anew.message).toBe('New recovery codes created. The old ones no longer work.');
  const made = anew.recoveryCodes as string[];
  clock.at += MINUTE;
  expect((await second(guest, await begin(guest), other)).statusCode).toBe(422);
  expect((await second(guest, await begin(guest), made[9] ?? '')).statusCode).toBe(200);
});

test('accepts a recovery code that begins like a code of the app', async () => {
  const { client, app } = await withApp();
  const user = await app.services.db.selectFrom('users').select('id').executeTakeFirstOrThrow();
  await factorsIn(app.services).setRecoveryCodes(user.id, ['23456-7abcd']);
  const guest = await client();
  expect((await second(guest, await begin(guest), '234567abcd')).statusCode).toBe(200);
});

test('does not count a successful second step, but every attempt of an address with an invalid ticket', async () => {
  const { client, recoveryCodes } = await withApp();
  const guest = await client();
  for (const code of recoveryCodes.slice(0, 6))
    expect((await second(guest, await begin(guest), code)).statusCode).toBe(200);
  const statuses = [];
  for (let tries = 6; tries < 21; tries += 1) statuses.push((await second(guest, 'no-ticket', '123456')).statusCode);
  expect(statuses).toEqual([...Array<number>(14).fill(422), 429]);
});
