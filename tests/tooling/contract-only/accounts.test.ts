import { describe, expect, it } from 'vitest';
import { RESOURCES } from '../../../src/domain/resources/index.ts';
import { Client, JSON_HEADERS, errorsOf, form, signedIn } from './client.ts';

describe('signing in', () => {
  it('returns the user and a token, without a message', async () => {
    const answer = await new Client().signIn();
    expect(await answer.json()).toEqual({
      user: {
        id: 1,
        name: 'Admin',
        email: 'admin@example.com',
        email_verified_at: null,
        created_at: '2026-11-20T10:32:13.000000Z',
        updated_at: '2026-11-20T10:32:13.000000Z',
      },
      token: expect.stringMatching(/^1\|[A-Za-z0-9]{40}$/),
    });
  });

  it('refuses a wrong password with 422', async () => {
    expect(await errorsOf(await new Client().signIn('admin@example.com', 'wrong'))).toEqual({
      email: ['These credentials do not match our records.'],
    });
  });

  it('reads a broken body as an empty one', async () => {
    const client = new Client();
    await client.get('/api/user');
    const headers = { ...JSON_HEADERS, 'content-type': 'application/json' };
    expect(await errorsOf(await client.post('/api/auth/login', '{"email":', headers))).toEqual({
      email: ['The email field is required.'],
      password: ['The password field is required.'],
    });
  });

  it('trims the e-mail but not the password', async () => {
    expect((await new Client().signIn('  admin@example.com ')).status).toBe(200);
    expect((await new Client().signIn('admin@example.com', ' password')).status).toBe(422);
  });

  it('ends with the token’s own logout, and leaves other devices signed in', async () => {
    const client = await signedIn();
    const first = client.token;
    await client.signIn();
    expect(await (await client.post('/api/logout')).json()).toEqual({ message: 'Successfully Logged Out' });
    expect((await client.post('/api/logout')).status).toBe(401);
    client.token = first;
    expect(await client.json('/api/user')).toMatchObject({ name: 'Admin' });
  });

  it('changes a trimmed password, and keeps tokens', async () => {
    const client = await signedIn();
    const wrong = form(['previous_password', 'x'], ['new_password', 'short'], ['new_password_confirmation', 'other']);
    expect(await errorsOf(await client.post('/api/change-password', wrong))).toEqual({
      previous_password: ['The password is incorrect.'],
      new_password: [
        'The new password must be at least 8 characters.',
        'The new password confirmation does not match.',
      ],
    });
    const right = form(
      ['previous_password', 'password'],
      ['new_password', ' long enough '],
      ['new_password_confirmation', 'long enough'],
    );
    const answer = await client.post('/api/change-password', right);
    expect(await answer.json()).toEqual({ message: 'Password Changed Successfully' });
    expect((await client.get('/api/user')).status).toBe(200);
    expect((await new Client().signIn('admin@example.com', 'long enough')).status).toBe(422);
    expect((await client.signIn('admin@example.com', 'long enough')).status).toBe(200);
  });

  it('is required by every call but login', async () => {
    const client = new Client();
    const paths = RESOURCES.map((resource) => resource.endpoints.list);
    for (const path of [...paths, '/api/site-meta', '/api/get-generators-series', '/api/get-all-ups-types']) {
      expect((await client.get(path)).status, path).toBe(401);
    }
  });
});
