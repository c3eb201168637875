import { describe, expect, it } from 'vitest';
import { resourceOf } from '../../../src/domain/resources/index.ts';
import { pdf } from '../../harness/sample-files.ts';
import { Client, JSON_HEADERS, MEGABYTE, ORIGIN, filled, form, signedIn } from './client.ts';

const generators = resourceOf('generators');
const partners = resourceOf('partners');

describe('errors of a call', () => {
  it.each([
    { accept: 'application/json' },
    { accept: 'application/json, text/plain, */*' },
    { accept: '*/*', 'x-requested-with': 'XMLHttpRequest' },
    { 'x-requested-with': 'XMLHttpRequest' },
  ] as Record<string, string>[])('are JSON for %j', async (headers) => {
    const answer = await new Client().get('/api/user', headers);
    expect(answer.status).toBe(401);
    expect(await answer.text()).toBe('{"message":"Unauthenticated."}');
  });

  it.each([
    { accept: 'text/html', 'x-requested-with': 'XMLHttpRequest' },
    { accept: 'text/plain, application/json', 'x-requested-with': 'XMLHttpRequest' },
    { accept: '*/*' },
  ] as Record<string, string>[])('are redirects to the login page for %j', async (headers) => {
    const answer = await new Client().get('/api/user', headers);
    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toBe(`${ORIGIN}/login`);
  });

  it('otherwise redirect a refused form to where it came from, or to the root', async () => {
    const client = await signedIn();
    const back = await client.post('/api/create-partner', form(['name', 'x']), { referer: `${ORIGIN}/partner-create` });
    expect([back.status, back.headers.get('location')]).toEqual([302, `${ORIGIN}/partner-create`]);
    const root = await client.post('/api/create-partner', form(['name', 'x']), {});
    expect([root.status, root.headers.get('location')]).toEqual([302, `${ORIGIN}/`]);
    expect((await client.get('/login', {})).headers.get('content-type')).toContain('text/html');
  });

  it('otherwise keep the status of other refusals, as a page', async () => {
    const client = await signedIn();
    const answer = await client.get('/api/get-single-partner/9', {});
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=UTF-8']);
  });

  it('leave successes JSON for any Accept header, with non-ASCII and slashes escaped', async () => {
    const client = await signedIn();
    await client.post('/api/create-partner', filled(partners, [['name', 'Ünïx/Süd']]));
    const answer = await client.get('/api/get-partners', { accept: 'text/html' });
    expect(await answer.text()).toContain('"name":"\\u00dcn\\u00efx\\/S\\u00fcd"');
  });

  it('are indented when the framework creates them', async () => {
    const answer = await (await signedIn()).get('/api/get-single-generator/1');
    expect(await answer.text()).toBe(
      '{\n    "message": "No query results for model [App\\\\Models\\\\Generator] 1"\n}',
    );
  });
});

describe('anti-forgery cookies', () => {
  it('come with a first GET of a known route, even one answered with 401', async () => {
    const answer = await new Client().get('/api/user');
    const [xsrf = '', session = ''] = answer.headers.getSetCookie();
    expect(xsrf).toMatch(/^XSRF-TOKEN=\S+%3D; Max-Age=7200; path=\/; samesite=lax$/);
    expect(session).toMatch(/^laravel_session=\S+; .*httponly/);
  });

  it.each(['/uploads/none.png', '/api/no-such-call'])('do not come with %s', async (path) => {
    expect((await new Client().get(path)).headers.getSetCookie()).toEqual([]);
  });

  it('change with every answer, while older values of the session remain valid', async () => {
    const client = await signedIn();
    const older = client.cookies.get('XSRF-TOKEN');
    await client.get('/api/user');
    expect(client.cookies.get('XSRF-TOKEN')).not.toBe(older);
    client.cookies.set('XSRF-TOKEN', older ?? '');
    const answer = await client.post('/api/logout');
    expect(answer.status).toBe(200);
    expect(answer.headers.getSetCookie()).toHaveLength(2);
  });

  it('must be echoed URL-decoded with every POST, otherwise 419 without a fresh one', async () => {
    const client = new Client();
    await client.get('/api/user');
    client.echoes = false;
    const raw = client.cookies.get('XSRF-TOKEN') ?? '';
    for (const headers of [JSON_HEADERS, { ...JSON_HEADERS, 'x-xsrf-token': raw }]) {
      const answer = await client.post('/api/auth/login', form(['email', 'a']), headers);
      expect([answer.status, answer.statusText]).toEqual([419, 'unknown status']);
      expect(await answer.text()).toBe('{\n    "message": "CSRF token mismatch."\n}');
      expect(answer.headers.getSetCookie().map((cookie) => cookie.split('=')[0])).toEqual(['laravel_session']);
    }
  });

  it('expire after two idle hours, and are renewed by a GET', async () => {
    const client = await signedIn();
    client.now += 2 * 3600_000;
    expect((await client.post('/api/delete-partner/1')).status).toBe(419);
    expect((await client.get('/api/user')).status).toBe(200);
    expect((await client.post('/api/delete-partner/1')).status).toBe(404);
  });

  it('are neither set nor required when switched off', async () => {
    const client = await signedIn({ csrf: false });
    expect(client.cookies.size).toBe(0);
    expect((await client.post('/api/create-partner', filled(partners))).status).toBe(200);
  });

  it('are checked before the session, the session before the id, the id before the form, and the size first', async () => {
    const client = new Client();
    expect((await client.post('/api/get-single-generator/9', form(['brand', '']))).status).toBe(419);
    await client.get('/api/user');
    expect((await client.post('/api/get-single-generator/9', form(['brand', '']))).status).toBe(401);
    await client.signIn();
    expect((await client.post('/api/get-single-generator/9', form(['brand', '']))).status).toBe(404);
    await client.post('/api/create-generator', filled(generators));
    expect((await client.post('/api/get-single-generator/1', form(['brand', '']))).status).toBe(422);
    client.cookies.clear();
    const large = form(['catalog', pdf('large.pdf', 2, 12 * MEGABYTE + 1)]);
    expect((await client.post('/api/no-such-call', large)).status).toBe(413);
  });
});
