import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { partners } from '../../src/domain/resources/partners.ts';
import { ups } from '../../src/domain/resources/ups.ts';
import { CREATE, catalog, photos, settled, single, VALUES } from './gateway-ups.ts';
import { adminOf, gatewayWorld, proofFrom } from './gateway-world.ts';
import { formOf, withKey } from './harness.ts';
import { filesFor, sha256, valuesFor } from './samples.ts';

describe('a change through the gateway', () => {
  test('answers a create with its id and version, though the back end returns neither', async () => {
    const { admin } = await gatewayWorld();
    const answer = await admin.post(CREATE, VALUES, await filesFor(ups), withKey());
    expect(answer.json()).toMatchObject({ message: 'Ups Created Successfully', id: 1, version: expect.any(String) });
    const record = (await admin.get(single(1))).json();
    expect(record).toMatchObject({ id: 1, brand: VALUES['brand'], version: answer.json().version });
  });

  test('takes effect once per key, whoever repeats it and however late', async () => {
    const world = await gatewayWorld();
    const key = withKey();
    const first = await world.admin.post(CREATE, VALUES, await filesFor(ups), key);
    void world.clock.pass(400 * 24 * 60 * 60_000);
    const later = adminOf(await world.start(), await world.signIn());
    const again = await later.post(CREATE, VALUES, await filesFor(ups), key);
    expect(again.json()).toEqual(first.json());
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(world.backend.rows('ups')).toHaveLength(1);
  });

  test('refuses another payload under a known key', async () => {
    const { admin, backend } = await gatewayWorld();
    const key = withKey();
    await admin.post(CREATE, VALUES, await filesFor(ups), key);
    const other = await admin.post(CREATE, { ...VALUES, brand: 'Other' }, await filesFor(ups), key);
    expect([other.statusCode, other.json().code]).toEqual([422, 'idempotency-key-reused']);
    expect(backend.rows('ups')).toHaveLength(1);
  });

  test('returns what was received for the files that it passed on', async () => {
    const { admin } = await gatewayWorld();
    const files = [catalog, ...(await photos(2))];
    await admin.post(CREATE, VALUES, files, withKey());
    const record = (await admin.get(single(1))).json();
    expect(record.files.map((file: { sha256: string }) => file.sha256)).toEqual(
      files.map(({ bytes }) => sha256(bytes)),
    );
    expect(record.files[0]).toMatchObject({ field: 'catalog', originalName: 'a.pdf', name: record.catalog });
  });

  test('returns what was received for the single picture of a record too', async () => {
    const { admin } = await gatewayWorld();
    const files = await filesFor(partners);
    await admin.post(partners.endpoints.create, valuesFor(partners.fields), files, withKey());
    const record = (await admin.get(`${partners.endpoints.single}/1`)).json();
    const hashes = files.map(({ bytes }) => sha256(bytes));
    expect(record.files).toMatchObject([{ field: 'image', name: record.image, sha256: hashes[0] }]);
  });

  test('returns neither version nor doubtful file names when someone else overwrites the record meanwhile', async () => {
    const { admin, link, elsewhere } = await gatewayWorld();
    await admin.post(CREATE, VALUES, [catalog, ...(await photos(1))], withKey());
    link.faults.push(async (carryOut) => {
      const answer = await carryOut();
      const [, theirs] = await photos(2);
      await elsewhere(single(1), formOf({ ...VALUES, brand: 'Theirs' }, theirs === undefined ? [] : [theirs]));
      return answer;
    });
    const [, , mine] = await photos(3);
    const edited = await admin.post(single(1), VALUES, mine === undefined ? [] : [mine], withKey());
    expect(edited.json()).toEqual({ message: 'Ups Updated Successfully' });
    const record = (await admin.get(single(1))).json();
    expect(record.images).toHaveLength(3);
    expect(record.files.filter(({ field }: { field: string }) => field === 'images')).toHaveLength(1);
  });

  test('refuses a file over the size limit, and passes nothing on', async () => {
    const { admin, link } = await gatewayWorld({ settings: { MAX_FILE_MB: '1' } });
    const [photo] = await photos(1);
    const bytes = new Uint8Array(Buffer.concat([photo?.bytes ?? new Uint8Array(), Buffer.alloc(1_100_000)]));
    const large = { field: 'images[]', bytes, name: 'large.png', type: 'image/png' };
    const answer = await admin.post(CREATE, VALUES, [catalog, large], withKey());
    expect([answer.statusCode, answer.json().errors]).toEqual([
      422,
      { 'images.0': ['Too large: 1.1 MB. The limit is 1 MB.'] },
    ]);
    expect(link.posts).toEqual([]);
  });

  test('hides its answer from a session that ended on the back end a minute ago', async () => {
    const { admin, clock, backend, token } = await gatewayWorld();
    await admin.post(CREATE, VALUES, await filesFor(ups), withKey('key-of-a-create'));
    const status = async () => (await admin.get('/api/changes/key-of-a-create')).statusCode;
    const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
    await backend.handle(new Request('http://x/api/logout', { method: 'POST', headers }));
    void clock.pass(61_000);
    expect(await status()).toBe(401);
  });

  test('hides its answer from a session that has just logged out through the gateway', async () => {
    const { admin, backend, token } = await gatewayWorld();
    await admin.post(CREATE, VALUES, await filesFor(ups), withKey('key-of-a-create'));
    const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
    await backend.handle(new Request('http://x/api/logout', { method: 'POST', headers }));
    await admin.order('/api/logout');
    expect((await admin.get('/api/changes/key-of-a-create')).statusCode).toBe(401);
  });

  test.each([
    ['422', () => ({ ...VALUES, brand: '' }), 422],
    ['404', () => VALUES, 404],
  ])(
    'passes on a refusal of the back end unchanged, and stores nothing of it (%s)',
    async (_status, values, status) => {
      const { admin, dataDir } = await gatewayWorld();
      const path = status === 404 ? single(7) : CREATE;
      const answer = await admin.post(path, values(), await filesFor(ups), withKey('key-of-a-refusal'));
      expect(answer.statusCode).toBe(status);
      if (status === 422) expect(answer.json().errors).toEqual({ brand: ['The brand field is required.'] });
      expect((await admin.get('/api/changes/key-of-a-refusal')).statusCode).toBe(404);
      const left = await readdir(join(dataDir, 'gateway'), { withFileTypes: true });
      expect(left.filter((entry) => entry.isFile())).toEqual([]);
    },
  );

  test('is executed only on the version that was seen', async () => {
    const { admin, backend, link } = await gatewayWorld();
    const created = await admin.post(CREATE, VALUES, await filesFor(ups));
    const seen = { 'if-match': `"${created.json().version}"` };
    const edited = await admin.post(single(1), { ...VALUES, brand: 'Mine' }, [], seen);
    expect(edited.json()).toMatchObject({ message: 'Ups Updated Successfully', version: expect.any(String) });
    const tried = link.posts.length;
    const stale = await admin.post(single(1), { ...VALUES, brand: 'Stale' }, [], seen);
    expect([stale.statusCode, stale.json()]).toMatchObject([412, { version: edited.json().version }]);
    expect((await admin.order(`${ups.endpoints.delete}/1`, seen)).statusCode).toBe(412);
    expect(link.posts).toHaveLength(tried);
    expect(backend.rows('ups')).toMatchObject([{ brand: 'Mine' }]);
    const fresh = { 'if-match': `"${edited.json().version}"` };
    expect((await admin.order(`${ups.endpoints.delete}/1`, fresh)).statusCode).toBe(200);
  });

  test('removes an image only on the version that was seen', async () => {
    const { admin, backend } = await gatewayWorld();
    const created = await admin.post(CREATE, VALUES, await filesFor(ups));
    const [image] = (await admin.get(single(1))).json().images;
    await admin.post(single(1), { ...VALUES, brand: 'Theirs' });
    const stale = { 'if-match': `"${created.json().version}"` };
    expect((await admin.order(`/api/delete-image/${image.id}`, stale)).statusCode).toBe(412);
    const fresh = { 'if-match': `"${(await admin.get(single(1))).json().version}"` };
    expect((await admin.order(`/api/delete-image/${image.id}`, fresh)).statusCode).toBe(200);
    expect(backend.images('ups', 1)).toHaveLength(1);
  });

  test('saves the settings only on the version that was seen', async () => {
    const { admin } = await gatewayWorld();
    const { version, ...settings } = (await admin.get('/api/site-meta')).json();
    const texts = {
      title: 'New',
      phone: '1',
      email: 'a@example.com',
      address: 'x',
      fb: '',
      tw: '',
      li: '',
      metaTag: '',
    };
    const seen = { 'if-match': `"${version}"`, ...withKey() };
    const saved = await admin.post('/api/site-meta', texts, [], seen);
    expect([settings.title, saved.statusCode]).toEqual(['Power Equipment', 200]);
    expect((await admin.get('/api/site-meta')).json()).toMatchObject({ title: 'New', version: saved.json().version });
    expect((await admin.post('/api/site-meta', texts, [], { 'if-match': `"${version}"` })).statusCode).toBe(412);
  });
});

describe('a change for a back end', () => {
  test('that is away is answered with 503, and its delivery is known', async () => {
    const { admin, link, backend } = await gatewayWorld();
    await admin.get('/api/site-meta');
    link.isDown = true;
    const answer = await admin.post(CREATE, VALUES, await filesFor(ups), withKey('key-of-a-create'));
    expect([answer.statusCode, answer.headers['retry-after'], answer.json().code]).toEqual([503, '5', 'back-end-away']);
    link.isDown = false;
    link.faults.push('refused');
    expect((await admin.post(CREATE, VALUES, await filesFor(ups), withKey('key-of-a-create'))).statusCode).toBe(503);
    expect((await admin.post(CREATE, VALUES, await filesFor(ups), withKey('key-of-a-create'))).statusCode).toBe(200);
    expect(backend.rows('ups')).toHaveLength(1);
  });

  test('that requires sign-in is answered with its own 401', async () => {
    const { app, backend } = await gatewayWorld();
    const stranger = await adminOf(app, 'nobody').post(CREATE, VALUES, await filesFor(ups));
    expect([stranger.statusCode, stranger.json()]).toEqual([401, { message: 'Unauthenticated.' }]);
    expect(backend.rows('ups')).toEqual([]);
  });

  test('with anti-forgery cookies gets its 419 at first; unattended parts renew the cookie themselves', async () => {
    const world = await gatewayWorld({ csrf: true });
    const key = withKey('key-of-a-create');
    const refused = await world.admin.post(CREATE, VALUES, await filesFor(ups), key);
    expect([refused.statusCode, refused.json()]).toEqual([419, { message: 'CSRF token mismatch.' }]);
    const proof = await proofFrom(world.backend);
    world.link.faults.push('lost');
    expect((await world.admin.post(CREATE, VALUES, await filesFor(ups), { ...key, ...proof })).statusCode).toBe(409);
    // after the end of the session
    void world.clock.pass(3 * 60 * 60_000);
    expect((await settled(world, 'key-of-a-create')).json()).toMatchObject({ id: 1 });
    expect(world.backend.rows('ups')).toHaveLength(1);
  });

  test('that limits requests is answered with its 429 and the retry time', async () => {
    const { admin, link } = await gatewayWorld();
    link.faults.push(async () => ({
      status: 429,
      headers: { 'content-type': 'application/json', 'retry-after': '17' },
      cookies: [],
      body: Buffer.from('{"message":"Too Many Attempts."}'),
    }));
    const answer = await admin.post(CREATE, VALUES, await filesFor(ups), withKey());
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([429, '17']);
  });

  test('announces the same capabilities as this repository’s server, except for those it lacks', async () => {
    const limits = { MAX_FILE_MB: '3', MAX_REQUEST_MB: '7', MAX_FILES: '9', API_MAX_FILES: '5' };
    const { app } = await gatewayWorld({ settings: limits });
    expect((await app.inject('/api/capabilities')).json()).toEqual({
      server: 'voltdesk',
      idempotencyKeys: true,
      versions: true,
      changesByKey: true,
      feed: true,
      history: false,
      activity: false,
      fullLists: false,
      presence: false,
      people: false,
      secondFactor: false,
      imageSizes: [],
      staging: { fromBytes: 256 * 1024 },
      batches: { maxChanges: 50, maxBytes: 1024 * 1024 },
      limits: { maxFileBytes: 3 * 1024 * 1024, maxRequestBytes: 7 * 1024 * 1024, maxFilesPerRequest: 9 },
    });
  });
});
