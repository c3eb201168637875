import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { addFirstAdministrator } from '../../server/accounts/first-administrator.ts';
import { keepFirstPassword } from '../../server/accounts/first-password.ts';
import { startServer } from './harness.ts';
import { idOf, NEW, withRole } from './people-client.ts';

test('creates one first administrator when two servers start together, and makes them choose a password', async () => {
  const { app, client } = await startServer({ ADMIN_EMAIL: '', ADMIN_PASSWORD: '' });
  await app.services.db.deleteFrom('users').execute();
  const made = await Promise.all([addFirstAdministrator(app.services), addFirstAdministrator(app.services)]);
  const [first, ...others] = made.filter((one) => one !== undefined);
  expect([first?.email, others]).toEqual(['admin@example.com', []]);
  expect(first?.madeUpPassword).toMatch(/^[a-z2-9]{5}(-[a-z2-9]{5}){3}$/);
  expect(await app.services.db.selectFrom('users').select('id').execute()).toHaveLength(1);
  const answer = await (await client()).signIn('admin@example.com', first?.madeUpPassword);
  expect(answer.json().user).toMatchObject({ owes: 'password' });
});

test('does not reveal a first password from the settings, and does not require to change it', async () => {
  const { app, client } = await startServer({ ADMIN_EMAIL: 'keeper@example.com' });
  await app.services.db.deleteFrom('users').execute();
  expect(await addFirstAdministrator(app.services)).toEqual({ email: 'keeper@example.com' });
  expect(await addFirstAdministrator(app.services)).toBeUndefined();
  const answer = await (await client()).signIn('keeper@example.com');
  expect(answer.json().user).not.toHaveProperty('owes');
});

test('keeps the file with the first password until that password is changed, by its owner or by a link', async () => {
  const server = await startServer({ ADMIN_EMAIL: '', ADMIN_PASSWORD: '' });
  const { app, dataDir } = server;
  await app.services.db.deleteFrom('users').execute();
  const first = await addFirstAdministrator(app.services);
  const file = keepFirstPassword(dataDir, first?.madeUpPassword ?? '');
  const owner = await withRole(server, 'owner');
  const own = { new_password: 'seven green parrots', new_password_confirmation: 'seven green parrots' };
  const changed = await owner.post('/api/change-password', { previous_password: NEW.new_password, ...own });
  expect([changed.statusCode, existsSync(file)]).toEqual([200, true]);
  const id = await idOf(owner, 'admin@example.com');
  const { token } = (await owner.post(`/api/people/${id}/reset`, {})).json();
  expect((await owner.post('/api/link/take', { token, ...own })).statusCode).toBe(200);
  expect(existsSync(file)).toBe(false);
});

test.each(['passwordpassword', 'Voltdesk-2026-11', 'admin@example.com'])(
  'refuses the guessable first password "%s", and creates nobody',
  async (password) => {
    const { app } = await startServer({ ADMIN_EMAIL: '', ADMIN_PASSWORD: '' });
    const { db, settings } = app.services;
    await db.deleteFrom('users').execute();
    const services = { ...app.services, settings: { ...settings, adminPassword: password } };
    await expect(addFirstAdministrator(services)).rejects.toThrow(/ADMIN_PASSWORD: .*too common/);
    expect(await db.selectFrom('users').selectAll().execute()).toEqual([]);
  },
);
