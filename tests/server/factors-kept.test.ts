import { expect, test } from 'vitest';
import type { NewPasskey } from '../../server/stores/factors.ts';
import { factorsIn } from '../../server/stores/sql/factors.ts';
import { addUser } from '../../server/stores/sql/users.ts';
import { startServer } from './harness.ts';

/** The stored second factors of two administrators, with a clock that the test moves. */
async function world() {
  const { services } = (await startServer()).app;
  const { db, passwords } = services;
  await addUser(services, { name: 'Anna', email: 'anna@example.com', password: 'four grey donkeys', at: '' });
  const clock = { at: Date.parse('2026-11-20T12:00:00Z') };
  const [mine = 0, hers = 0] = (await db.selectFrom('users').select('id').orderBy('id').execute()).map(({ id }) => id);
  return { factors: factorsIn({ db, passwords, now: () => clock.at }), db, clock, mine, hers };
}

const passkey = (id: string, userId: number): NewPasskey => ({
  id,
  userId,
  name: id,
  publicKey: `key of ${id}`,
  counter: 5,
  transports: ['internal', 'usb'],
});

test('lets only its owner rename and remove a passkey', async () => {
  const { factors, mine, hers } = await world();
  await factors.addPasskey(passkey('hers', hers));
  await expect(factors.renamePasskey(mine, 'hers', 'taken')).rejects.toMatchObject({ status: 404 });
  await expect(factors.removePasskey(mine, 'hers')).rejects.toMatchObject({
    body: { message: 'This is no longer set up.' },
    status: 404,
  });
  expect(await factors.passkeysOf(hers)).toMatchObject([{ id: 'hers', name: 'hers' }]);
});

test('keeps owner, key and name of a passkey that is added again', async () => {
  const { factors, mine, hers } = await world();
  await factors.addPasskey(passkey('one', hers));
  const again = { ...passkey('one', mine), publicKey: 'another key', name: 'another' };
  await expect(factors.addPasskey(again)).rejects.toMatchObject({
    body: { errors: { passkey: ['This passkey is set up already.'] } },
    status: 422,
  });
  expect(await factors.passkey('one')).toMatchObject({ userId: hers, publicKey: 'key of one', name: 'one' });
  expect(await factors.passkeysOf(mine)).toEqual([]);
});

test('accepts only the first of two passkey answers based on the same counter', async () => {
  const { factors, mine } = await world();
  await factors.addPasskey(passkey('one', mine));
  const uses = [6, 7].map((after) => factors.passkeyUsed('one', { before: 5, after }));
  expect((await Promise.all(uses)).toSorted()).toEqual([false, true]);
});

test('lists passkeys in the order they were added, whatever their ids', async () => {
  const { factors, clock, mine } = await world();
  for (const id of ['z', 'm', 'a']) {
    await factors.addPasskey(passkey(id, mine));
    clock.at += 1000;
  }
  expect((await factors.of(mine)).passkeys.map(({ id }) => id)).toEqual(['z', 'm', 'a']);
});

test('counts wrong codes per user, until a right one', async () => {
  const { factors, mine, hers } = await world();
  for (const user of [mine, hers]) await factors.setAuthenticator(user, { secret: 'ABC', step: 1 });
  await factors.noteWrongCode(mine);
  await factors.noteWrongCode(mine);
  expect(await factors.authenticator(mine)).toMatchObject({ failures: 2, failedAt: '2026-11-20T12:00:00.000Z' });
  expect(await factors.authenticator(hers)).toEqual({ secret: 'ABC', lastStep: 1, failures: 0 });
  expect(await factors.useStep(mine, 2)).toBe(true);
  expect(await factors.authenticator(mine)).toEqual({ secret: 'ABC', lastStep: 2, failures: 0 });
});

test('replaces a user’s own recovery codes, and leaves everyone else’s', async () => {
  const { factors, mine, hers } = await world();
  await factors.setRecoveryCodes(hers, ['hers']);
  await factors.setRecoveryCodes(mine, ['first']);
  await factors.setRecoveryCodes(mine, ['second', 'third']);
  expect([(await factors.of(mine)).codesLeft, (await factors.of(hers)).codesLeft]).toEqual([2, 1]);
  expect([await factors.useRecoveryCode(mine, 'first'), await factors.useRecoveryCode(mine, 'hers')]).toEqual([
    false,
    false,
  ]);
});

test('accepts a recovery code only once, even when it arrives twice at the same moment', async () => {
  const { factors, mine } = await world();
  await factors.setRecoveryCodes(mine, ['one', 'two']);
  const uses = await Promise.all([1, 2].map(() => factors.useRecoveryCode(mine, 'one')));
  expect(uses.toSorted()).toEqual([false, true]);
  expect((await factors.of(mine)).codesLeft).toBe(1);
});

test('keeps recovery codes after the last passkey while an app is left, and removes them with the app', async () => {
  const { factors, mine } = await world();
  await factors.addPasskey(passkey('one', mine));
  await factors.setAuthenticator(mine, { secret: 'ABC', step: 1 });
  await factors.setRecoveryCodes(mine, ['one']);
  await factors.removePasskey(mine, 'one');
  expect((await factors.of(mine)).codesLeft).toBe(1);
  await factors.removeAuthenticator(mine);
  expect((await factors.of(mine)).codesLeft).toBe(0);
});

test('accepts a repeated requirement of a second factor', async () => {
  const { factors, mine } = await world();
  await factors.require(true);
  await factors.require(true);
  expect((await factors.of(mine)).required).toBe(true);
  await factors.require(false);
  expect((await factors.of(mine)).required).toBe(false);
});

test('accepts a recovery code only from its owner', async () => {
  const { factors, mine, hers } = await world();
  await factors.setRecoveryCodes(hers, ['hers']);
  expect(await factors.useRecoveryCode(mine, 'hers')).toBe(false);
  expect(await factors.useRecoveryCode(hers, 'hers')).toBe(true);
});

test('keeps the authenticator apps of others when one is removed', async () => {
  const { factors, mine, hers } = await world();
  for (const user of [mine, hers]) await factors.setAuthenticator(user, { secret: 'ABC', step: 1 });
  await factors.removeAuthenticator(mine);
  expect(await factors.authenticator(mine)).toBeUndefined();
  expect(await factors.authenticator(hers)).toMatchObject({ secret: 'ABC' });
});

test('replaces an earlier authenticator app with its secret and date', async () => {
  const { factors, clock, mine } = await world();
  await factors.setAuthenticator(mine, { secret: 'ABC', step: 1 });
  clock.at += 60_000;
  await factors.setAuthenticator(mine, { secret: 'DEF', step: 3 });
  expect(await factors.authenticator(mine)).toEqual({ secret: 'DEF', lastStep: 3, failures: 0 });
  expect((await factors.of(mine)).authenticatorSince).toBe('2026-11-20T12:01:00.000Z');
});

test('uses, renames and removes only the named one of several passkeys', async () => {
  const { factors, mine, hers } = await world();
  for (const id of ['one', 'two']) await factors.addPasskey(passkey(id, mine));
  await factors.addPasskey(passkey('three', hers));
  expect(await factors.passkeyUsed('one', { before: 5, after: 6 })).toBe(true);
  await factors.renamePasskey(mine, 'one', 'Blue key');
  expect(await factors.passkeysOf(mine)).toMatchObject([
    { id: 'one', counter: 6, name: 'Blue key' },
    { id: 'two', counter: 5, name: 'two' },
  ]);
  await factors.removePasskey(mine, 'two');
  expect((await factors.passkeysOf(mine)).map(({ id }) => id)).toEqual(['one']);
  expect(await factors.passkeysOf(hers)).toMatchObject([{ id: 'three', counter: 5, name: 'three' }]);
});

test('keeps the recovery codes of others when someone removes their last factor', async () => {
  const { factors, mine, hers } = await world();
  await factors.addPasskey(passkey('one', mine));
  for (const user of [mine, hers]) await factors.setRecoveryCodes(user, ['code']);
  await factors.removePasskey(mine, 'one');
  expect([(await factors.of(mine)).codesLeft, (await factors.of(hers)).codesLeft]).toEqual([0, 1]);
});
