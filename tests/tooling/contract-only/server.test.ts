import { request as httpRequest } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resourceOf } from '../../../src/domain/resources/index.ts';
import { ContractOnlyBackend, listen } from '../../harness/contract-only-server.ts';
import { Client, JSON_HEADERS, filled, form, signedIn } from './client.ts';

const generators = resourceOf('generators');
const partners = resourceOf('partners');

describe('the rest of the contract', () => {
  it('supplies the lookups', async () => {
    const client = await signedIn();
    expect(await client.json('/api/get-generators-series')).toContain('Cummins Series');
    expect(await client.json('/api/get-all-ups-types')).toContain('Online');
    const brands = async (type: string) => {
      const headers = { ...JSON_HEADERS, 'content-type': 'application/json' };
      return (await client.post('/api/get-gti-brands', JSON.stringify({ type }), headers)).json();
    };
    expect(await brands('Three Phase')).toContain('Huawei');
    expect(await brands('Other')).toEqual([]);
  });

  it('reads and saves the site’s settings', async () => {
    const client = await signedIn();
    expect(await client.json('/api/site-meta')).toMatchObject({ id: 1, title: 'Power Equipment', metaTag: null });
    const saved = form(
      ...Object.entries({ title: 'T', phone: '1', email: 'a@b.c', address: 'A', fb: '', metaTag: '<meta>' }),
    );
    const answer = await client.post('/api/site-meta', saved);
    expect(await answer.json()).toEqual({ message: 'Site Meta Updated Successfully' });
    expect(await client.json('/api/site-meta')).toMatchObject({ title: 'T', fb: null, metaTag: '<meta>' });
  });

  it('has no extensions, and answers unknown routes and methods as Laravel does', async () => {
    const client = await signedIn();
    const unknown = await client.get('/api/capabilities');
    expect([unknown.status, await unknown.json()]).toEqual([404, { message: '' }]);
    const method = await client.send('PUT', '/api/get-single-generator/1', form(['brand', 'x']));
    expect([method.status, await method.json()]).toEqual([
      405,
      { message: 'The PUT method is not supported for this route. Supported methods: GET, HEAD, POST.' },
    ]);
  });

  it('ignores idempotency keys and versions', async () => {
    const client = await signedIn();
    const headers = { ...JSON_HEADERS, 'idempotency-key': 'one', 'if-match': '"7"' };
    await client.post('/api/create-partner', filled(partners), headers);
    await client.post('/api/create-partner', filled(partners), headers);
    expect(client.backend.rows('partners')).toHaveLength(2);
  });

  it('throttles with Retry-After until the minute is over, setting the session’s cookie only', async () => {
    const client = await signedIn({ throttle: 3 });
    expect((await client.get('/api/user')).headers.get('x-ratelimit-remaining')).toBe('0');
    client.now += 20_000;
    const answer = await client.get('/api/user');
    expect(answer.status).toBe(429);
    expect(await answer.json()).toEqual({ message: 'Too Many Attempts.' });
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'retry-after': '40',
      'x-ratelimit-limit': '3',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': expect.stringMatching(/^\d+$/),
    });
    expect(answer.headers.getSetCookie().map((cookie) => cookie.split('=')[0])).toEqual(['laravel_session']);
    client.now += 40_000;
    expect((await client.get('/api/user')).status).toBe(200);
  });

  it('answers 503 without cookies during maintenance', async () => {
    const client = new Client();
    client.backend.maintenance = true;
    const answer = await client.get('/api/user');
    expect([answer.status, await answer.json()]).toEqual([503, { message: 'Service Unavailable' }]);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  it('is deterministic for the same clock and seed', async () => {
    const story = async () => {
      const client = await signedIn();
      await client.post('/api/create-generator', filled(generators));
      return [client.token, await client.json('/api/get-single-generator/1'), [...client.cookies]];
    };
    expect(await story()).toEqual(await story());
  });
});

describe('over HTTP', () => {
  const backend = new ContractOnlyBackend({ csrf: false });
  let stop: () => Promise<void>;
  let origin: string;
  beforeEach(async () => {
    const listening = await listen(backend);
    origin = listening.origin;
    stop = listening.close;
  });
  afterEach(() => stop());

  it('answers with the status text, cookies and bytes of the core', async () => {
    const answer = await fetch(`${origin}/api/user`, { headers: JSON_HEADERS });
    expect([answer.status, await answer.json()]).toEqual([401, { message: 'Unauthenticated.' }]);
  });

  it('stores nothing of a request that is cut within its body', async () => {
    const body = JSON.stringify({ email: 'admin@example.com', password: 'password' });
    const login = await fetch(`${origin}/api/auth/login`, {
      method: 'POST',
      body,
      headers: { ...JSON_HEADERS, 'content-type': 'application/json' },
    });
    const { token } = (await login.json()) as { token: string };
    const whole = new Response(filled(partners));
    const bytes = Buffer.from(await whole.arrayBuffer());
    const headers = {
      ...JSON_HEADERS,
      authorization: `Bearer ${token}`,
      'content-type': whole.headers.get('content-type') ?? '',
      'content-length': String(bytes.length),
    };
    const cut = await new Promise<string>((resolve) => {
      const request = httpRequest(`${origin}/api/create-partner`, { method: 'POST', headers });
      request.on('error', (error) => resolve(error.message));
      request.write(bytes.subarray(0, bytes.length - 10), () => request.destroy(new Error('cut')));
    });
    expect(cut).toBe('cut');
    expect(await (await fetch(`${origin}/api/get-partners`, { headers })).json()).toEqual([]);
    await fetch(`${origin}/api/create-partner`, { method: 'POST', headers, body: bytes });
    expect(backend.rows('partners')).toHaveLength(1);
  });
});
