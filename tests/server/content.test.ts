import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { ResourceName } from '../../src/domain/resource.ts';
import { RESOURCES, resourceOf } from '../../src/domain/resources/index.ts';
import { contentItem } from '../../server/content/content-record.ts';
import { soon } from '../harness/soon.ts';
import { ROLES } from '../../src/domain/roles.ts';
import { formOf, freshFolder, signedIn, startServer } from './harness.ts';
import { withRole } from './people-client.ts';
import { filesFor, valuesFor } from './samples.ts';

/** A server with public content, functions that create records and that read the content. */
async function published(environment: Record<string, string> = { CONTENT: 'public' }) {
  const server = await signedIn(environment);
  const create = async (name: ResourceName, values: Record<string, string> = {}) => {
    const resource = resourceOf(name);
    const form = formOf({ ...valuesFor(resource.fields), ...values }, await filesFor(resource));
    const answer = await server.admin.post(resource.endpoints.create, form);
    expect(answer.statusCode).toBe(200);
    return answer.json().id as number;
  };
  const read = (path: string, headers: Record<string, string> = {}) =>
    server.app.inject({ url: `/content/v1${path}`, headers });
  const names = async (query: string) => {
    const { items } = (await read(`/generators?${query}`)).json();
    return items.map((item: { brand: string }) => item.brand);
  };
  return { ...server, create, read, names };
}

describe('what the site reads', () => {
  test('does not exist unless a setting allows it', async () => {
    const { app } = await startServer();
    const headers = { accept: 'application/json' };
    for (const path of ['/generators', '/site', '/all', '/openapi.json'])
      expect((await app.inject({ url: `/content/v1${path}`, headers })).statusCode).toBe(404);
  });

  test('is a record in public terms: pictures with widths, the catalogue with name, type and size', async () => {
    const { create, read } = await published();
    const id = await create('generators', { capacity: '500 kVA' });
    const record = (await read(`/generators/${id}`)).json();
    expect(record).toMatchObject({
      id,
      capacity: '500 kVA',
      generatorModel: 'Generator model one',
      catalog: { name: 'one.pdf', type: 'application/pdf' },
    });
    expect(record.catalog.size).toBeGreaterThan(0);
    expect(record.images).toHaveLength(2);
    expect(record.images[0].widths['300']).toBe(`${record.images[0].url}?width=300`);
    expect(record.updatedAt).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect(Object.keys(record).filter((name) => /version|user|by|_/i.test(name))).toEqual([]);
  });

  test('has absolute addresses where the public host is known', () => {
    const stored = { id: 1, name: 'Partner', link: null, image: 'a.png', updated_at: '2026-11-20T10:00:00.000Z' };
    const sources = { origin: 'https://desk.example.com', files: new Map() };
    expect(contentItem(resourceOf('partners'), stored, sources).record['image']).toMatchObject({
      url: 'https://desk.example.com/uploads/a.png',
      widths: { 100: 'https://desk.example.com/uploads/a.png?width=100' },
    });
  });

  test('is everything in one document, slides by serial and projects newest first', async () => {
    const { create, read } = await published();
    await create('sliders', { text: 'second', serial: '2' });
    await create('sliders', { text: 'first', serial: '1' });
    await create('projects', { project_name: 'older' });
    await create('projects', { project_name: 'newer', type: 'Rooftop Solor Panel' });
    const all = (await read('/all')).json();
    expect(Object.keys(all)).toEqual(['site', ...RESOURCES.map(({ name }) => name)]);
    expect(all.sliders.map(({ text }: { text: string }) => text)).toEqual(['first', 'second']);
    expect(all.projects.map((one: { projectName: string; type: string }) => [one.projectName, one.type])).toEqual([
      ['newer', 'Rooftop Solar Panel'],
      ['older', 'Generator'],
    ]);
    expect(all.site).toHaveProperty('facebook');
  });

  test('shows a change at the next request, and forgets a deleted record', async () => {
    const { admin, create, read } = await published();
    const id = await create('partners', { name: 'Before' });
    expect((await read(`/partners/${id}`)).json().name).toBe('Before');
    await admin.post(`/api/get-single-partner/${id}`, formOf({ name: 'After', link: '' }));
    expect((await read(`/partners/${id}`)).json()).toMatchObject({ name: 'After', link: null });
    expect((await read('/partners')).json().items[0].name).toBe('After');
    await admin.post(`/api/delete-partner/${id}`, undefined);
    expect((await read(`/partners/${id}`)).statusCode).toBe(404);
    expect((await read('/partners')).json()).toEqual({ items: [], total: 0, next: null });
  });

  test('sets no cookies and lets pages of other origins show it', async () => {
    const { read } = await published();
    const { headers } = await read('/all');
    expect(headers['set-cookie']).toBeUndefined();
    expect(headers['cross-origin-resource-policy']).toBe('cross-origin');
  });
});

describe('filters, sorting and pages', () => {
  const CAPACITIES = [
    ['a', '9 kVA'],
    ['b', '1,000 kVA'],
    ['c', '20 kVA'],
    ['d', '5 kW'],
  ] as const;

  async function withGenerators() {
    const server = await published();
    for (const [brand, capacity] of CAPACITIES) await server.create('generators', { brand, capacity });
    return server;
  }

  test('compare texts without regard to case, and quantities by their amount within one unit', async () => {
    const { names } = await withGenerators();
    expect(await names('brand=B')).toEqual(['b']);
    expect(await names('brand=a&brand=c')).toEqual(['a', 'c']);
    expect(await names('capacity>=20kVA')).toEqual(['b', 'c']);
    expect(await names('capacity%3E=0.01MVA&capacity<=100kVA')).toEqual(['c']);
    expect(await names('capacity>=1kW')).toEqual(['d']);
  });

  test('sort quantities by amount, in either direction', async () => {
    const { names } = await withGenerators();
    expect(await names('sort=capacity&capacity>=1VA')).toEqual(['a', 'c', 'b']);
    expect(await names('sort=-brand')).toEqual(['d', 'c', 'b', 'a']);
  });

  test.each(['', 'sort=-capacity', 'sort=brand'])(
    'walk through every record once with %o, also while one goes',
    async (sort) => {
      const { admin, app } = await withGenerators();
      const seen: string[] = [];
      let after = '';
      for (let page = 0; page < 6; page += 1) {
        const { body } = await app.inject({ url: `/content/v1/generators?limit=1&${sort}${after}` });
        const { items, total, next } = JSON.parse(body);
        seen.push(...items.map(({ brand }: { brand: string }) => brand));
        if (page === 0) expect(total).toBe(4);
        // the record at the cursor goes away
        if (page === 1) await admin.post(`/api/delete-generator/${items[0].id}`, undefined);
        if (next === null) break;
        after = `&after=${next}`;
      }
      expect(seen.toSorted()).toEqual(['a', 'b', 'c', 'd']);
    },
  );

  test.each([
    ['colour=red', 'There is no parameter "colour"'],
    ['__proto__=1', 'There is no parameter "__proto__"'],
    ['description=x', 'There is no parameter'],
    ['capacity>=much', 'needs a number'],
    ['sort=colour', '"sort" takes up to 4 of'],
    ['limit=0', '"limit" is a whole number from 1 to 10000'],
    ['limit=1e3', '"limit" is a whole number'],
    ['after=nonsense', '"after" is no cursor'],
    [`after=${Buffer.from('["x","y",1]').toString('base64url')}`, '"after" is no cursor'],
    [`brand=${'x'.repeat(201)}`, 'more than 200 characters'],
    [`brand=${Array(21).fill('x').join('&brand=')}`, 'at most 20 values'],
  ])('refuse %s in words', async (query, words) => {
    const { read } = await published();
    const answer = await read(`/generators?${query}`);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().message).toContain(words);
  });
});

describe('caches', () => {
  test('get a strong tag for each encoding, and 304 until something changes', async () => {
    const { create, read } = await published();
    for (const name of ['one', 'two', 'three', 'four', 'five']) await create('partners', { name });
    const plain = await read('/partners');
    const packed = await read('/partners', { 'accept-encoding': 'gzip, br' });
    expect(packed.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(packed.rawPayload).toString()).toBe(plain.body);
    const [one, other] = [String(plain.headers['etag']), String(packed.headers['etag'])];
    expect([one, other].every((tag) => /^"[^"]+"$/.test(tag))).toBe(true);
    expect(one).not.toBe(other);
    expect(plain.headers['cache-control']).toBe('public, max-age=0, stale-while-revalidate=30');
    const again = await read('/partners', { 'accept-encoding': 'br', 'if-none-match': other });
    expect([again.statusCode, again.body, again.headers['etag']]).toEqual([304, '', other]);
    await create('partners', { name: 'six' });
    expect((await read('/partners', { 'accept-encoding': 'br', 'if-none-match': other })).statusCode).toBe(200);
  });

  test('keep the tag of a list while another kind changes', async () => {
    const { create, read } = await published();
    await create('partners');
    const tag = String((await read('/partners')).headers['etag']);
    await create('about-items');
    expect((await read('/partners', { 'if-none-match': tag })).statusCode).toBe(304);
  });
});

describe('who may read', () => {
  test('programs with a token that an owner has made, until it is revoked', async () => {
    const { admin, read } = await published({ CONTENT: 'token' });
    expect((await read('/all')).statusCode).toBe(401);
    expect((await read('/all', { authorization: `Bearer ${admin.bearer()}` })).statusCode).toBe(401);
    const { token } = (await admin.post('/api/content/tokens', { name: 'Site' })).json();
    const headers = { authorization: `Bearer ${token}` };
    const answer = await read('/all', headers);
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([
      200,
      'private, max-age=0, stale-while-revalidate=30',
    ]);
    const { tokens, access, readAt } = (await admin.get('/api/content')).json();
    expect([access, tokens.length, tokens[0].name]).toEqual(['token', 1, 'Site']);
    expect([tokens[0].usedAt, readAt].every((at) => Date.parse(at) > 0)).toBe(true);
    expect(JSON.stringify(tokens)).not.toContain(token);
    await admin.post(`/api/content/tokens/${tokens[0].id}/revoke`, {});
    expect((await read('/all', headers)).statusCode).toBe(401);
  });

  test.each(ROLES)(
    'no more and no less with the session of a %s: who works here is not who reads the site',
    async (role) => {
      const open = await published();
      await open.create('partners');
      const visitor = await withRole(open, role);
      const paths = ['/partners', '/partners/1', '/site', '/all', '/openapi.json', '/partners/999'];
      for (const path of paths) {
        const [known, unknown] = [await visitor.get(`/content/v1${path}`), await open.read(path)];
        expect([path, known.statusCode, known.body]).toEqual([path, unknown.statusCode, unknown.body]);
        expect(known.headers['set-cookie']).toBeUndefined();
      }
      const closed = await published({ CONTENT: 'token' });
      const one = await withRole(closed, role);
      for (const path of paths) expect((await one.get(`/content/v1${path}`)).statusCode).toBe(401);
    },
  );

  test('only pages of listed origins, from a browser', async () => {
    const { app, read } = await published({ CONTENT: 'public', CONTENT_ORIGINS: 'https://www.example.com' });
    const allowed = async (origin: string) => (await read('/site', { origin })).headers['access-control-allow-origin'];
    expect(await allowed('https://www.example.com')).toBe('https://www.example.com');
    expect(await allowed('https://evil.example')).toBeUndefined();
    expect((await read('/site')).headers['vary']).toContain('Origin');
    const headers = { origin: 'https://www.example.com', 'access-control-request-method': 'GET' };
    const beforehand = await app.inject({ method: 'OPTIONS', url: '/content/v1/site', headers });
    expect([beforehand.statusCode, beforehand.headers['access-control-allow-headers']]).toEqual([
      204,
      'Authorization, If-None-Match',
    ]);
  });

  test('an address so many times a minute', async () => {
    const { read } = await published({ CONTENT: 'public', CONTENT_PER_MINUTE: '2' });
    await read('/site');
    await read('/site');
    const third = await read('/site');
    expect(third.statusCode).toBe(429);
    expect(Number(third.headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('the scope of the content', () => {
  const HOST = 'desk.example.com';
  const TOKEN = 'a-token-of-twenty-letters';

  test('protects every answer, also those that refuse, and sets no cookie', async () => {
    const { read } = await published({ CONTENT: 'token', CONTENT_PER_MINUTE: '3' });
    const answers = [await read('/ups'), await read('/openapi.json'), await read('/ups/x'), await read('/ups')];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401, 429]);
    const open = await published();
    for (const { headers } of [
      ...answers,
      await open.read('/ups'),
      await open.read('/ups/1'),
      await open.read('/all'),
    ]) {
      expect(headers).toMatchObject({
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'cross-origin',
      });
      expect(headers['set-cookie']).toBeUndefined();
    }
  });

  test('answers to one host only, and keeps browsers to HTTPS', async () => {
    const { read } = await published({ CONTENT: 'public', PUBLIC_HOST: HOST, TRUSTED_PROXIES: '127.0.0.1' });
    expect((await read('/ups', { host: 'other.example' })).statusCode).toBe(421);
    const { statusCode, headers } = await read('/ups', { host: HOST, 'x-forwarded-proto': 'https' });
    expect([statusCode, headers['strict-transport-security']]).toEqual([200, 'max-age=31536000']);
  });

  test('tells a cache all that it takes from a 304, and counts it like any other answer', async () => {
    const { app, read } = await published({
      CONTENT: 'public',
      CONTENT_ORIGINS: 'https://www.example.com',
      METRICS_TOKEN: TOKEN,
    });
    const origin = 'https://www.example.com';
    const first = await read('/ups', { origin });
    const again = await read('/ups', { origin, 'if-none-match': String(first.headers['etag']) });
    expect(again.statusCode).toBe(304);
    for (const name of ['etag', 'cache-control', 'vary', 'access-control-allow-origin'])
      expect([name, again.headers[name]]).toEqual([name, first.headers[name]]);
    expect(again.headers['vary']).toBe('Origin, Accept-Encoding');
    const metrics = await app.inject({ url: '/metrics', headers: { authorization: `Bearer ${TOKEN}` } });
    for (const status of [200, 304])
      expect(metrics.body).toContain(`{method="GET",route="/content/v1/ups",status="${status}"} 1`);
  });
});

test('sorting a long list counts as several calls, and the same question again as one', async () => {
  const { app, create, read } = await published({ CONTENT: 'public', CONTENT_PER_MINUTE: '4' });
  await create('partners');
  const table = 'partners' as 'records';
  const { id: _id, ...row } = await app.services.db.selectFrom(table).selectAll().executeTakeFirstOrThrow();
  for (let at = 0; at < 1000; at += 200)
    await app.services.db
      .insertInto(table)
      .values(Array.from({ length: 200 }, () => row))
      .execute();
  const statuses = [];
  for (const sort of ['name', 'name', '-name', 'name'])
    statuses.push((await read(`/partners?sort=${sort}`)).statusCode);
  expect(statuses).toEqual([200, 200, 200, 429]);
});

describe('when the site and the server last spoke', () => {
  const NOW = Date.parse('2026-11-20T10:00:00.000Z');
  const at = (seconds: number) => new Date(NOW + seconds * 1000).toISOString();

  test('is known to everybody who is signed in, within a minute also after a restart, and to another server', async () => {
    let now = NOW;
    const dataDir = await freshFolder();
    const environment = { CONTENT: 'public', DATA_DIR: dataDir };
    const { app, admin } = await signedIn(environment, { now: () => now });
    const contact = async () => (await admin.get('/api/site-contact')).json();
    expect(await contact()).toEqual({});
    await app.inject('/content/v1/openapi.json');
    await app.inject('/content/v1/ups/1');
    await app.inject('/content/v1/ups?limit=x');
    expect(await contact()).toEqual({});
    for (const seconds of [0, 30, 70, 80]) {
      now = NOW + seconds * 1000;
      await app.inject('/content/v1/ups');
      expect(await contact()).toEqual({ readAt: at(seconds) });
    }
    const { siteContactsIn } = await import('../../server/stores/sql/site-contacts.ts');
    const other = siteContactsIn({ ...app.services, now: () => now });
    await soon(async () => expect(await other.last()).toEqual({ readAt: at(70) }));
    other.note('toldAt');
    await soon(async () => expect(await contact()).toEqual({ readAt: at(80), toldAt: at(80) }));
  });

  test('is nobody’s business while nobody may read the content', async () => {
    const { admin } = await signedIn();
    expect((await admin.get('/api/site-contact')).statusCode).toBe(404);
    expect((await admin.get('/api/capabilities')).json().content).toBeUndefined();
    const guarded = await signedIn({ CONTENT: 'token' });
    expect((await guarded.admin.get('/api/capabilities')).json().content).toBe(true);
  });
});
