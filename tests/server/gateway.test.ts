import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { projects } from '../../src/domain/resources/projects.ts';
import { ups } from '../../src/domain/resources/ups.ts';
import { answerOf } from '../harness/back-link.ts';
import { adminOf, gatewayWorld, LONGEST_REQUEST } from './gateway-world.ts';
import { type TestFile, withKey } from './harness.ts';
import { filesFor, pdf, picture, sha256, valuesFor } from './samples.ts';

const CREATE = ups.endpoints.create;
const VALUES: Readonly<Record<string, string>> = { ...valuesFor(ups.fields), type: 'Online' };
const single = (id: number) => `${ups.endpoints.single}/${id}`;

async function photo(colour: string): Promise<TestFile> {
  return { field: 'images[]', bytes: await picture('png', colour), name: `${colour}.png`, type: 'image/png' };
}

async function photos(count: number): Promise<TestFile[]> {
  return Promise.all(Array.from({ length: count }, (_, i) => photo(`#${String(i + 1).padStart(6, '0')}`)));
}

const catalog: TestFile = { field: 'catalog', bytes: pdf(), name: 'a.pdf', type: 'application/pdf' };

type World = Awaited<ReturnType<typeof gatewayWorld>>;

/** The answer to a change by its key, once there is one. */
async function settled({ admin, clock }: Pick<World, 'admin' | 'clock'>, key: string, step = 1000) {
  return vi.waitFor(
    async () => {
      clock.pass(step);
      const answer = await admin.get(`/api/changes/${key}`);
      if (answer.statusCode === 409) throw new Error('in flight');
      return answer;
    },
    { timeout: 20_000, interval: 5 },
  );
}

const hashes = ({ backend }: World, id = 1) =>
  backend.images('ups', id).map(({ image }) => backend.file(image)?.sha256);

describe('a change through the gateway', () => {
  test('answers a create with its id and version, though the back end tells neither', async () => {
    const { admin } = await gatewayWorld();
    const answer = await admin.post(CREATE, VALUES, await filesFor(ups), withKey());
    expect(answer.json()).toMatchObject({ message: 'Ups Created Successfully', id: 1, version: expect.any(String) });
    const record = (await admin.get(single(1))).json();
    expect(record).toMatchObject({ id: 1, brand: VALUES['brand'], version: answer.json().version });
  });

  test('takes effect once under its key, whoever repeats it and however late', async () => {
    const world = await gatewayWorld();
    const key = withKey();
    const first = await world.admin.post(CREATE, VALUES, await filesFor(ups), key);
    world.clock.pass(400 * 24 * 60 * 60_000);
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

  test('tells what was received for the files that it passed on', async () => {
    const { admin } = await gatewayWorld();
    const files = [catalog, ...(await photos(2))];
    await admin.post(CREATE, VALUES, files, withKey());
    const record = (await admin.get(single(1))).json();
    expect(record.files.map((file: { sha256: string }) => file.sha256)).toEqual(
      files.map(({ bytes }) => sha256(bytes)),
    );
    expect(record.files[0]).toMatchObject({ field: 'catalog', originalName: 'a.pdf', name: record.catalog });
  });

  test.each([
    ['422', () => ({ ...VALUES, brand: '' }), 422],
    ['404', () => VALUES, 404],
  ])('hands a refusal of the back end on as it is, and keeps nothing of it (%s)', async (_status, values, status) => {
    const { admin, dataDir } = await gatewayWorld();
    const path = status === 404 ? single(7) : CREATE;
    const answer = await admin.post(path, values(), await filesFor(ups), withKey('key-of-a-refusal'));
    expect(answer.statusCode).toBe(status);
    if (status === 422) expect(answer.json().errors).toEqual({ brand: ['The brand field is required.'] });
    expect((await admin.get('/api/changes/key-of-a-refusal')).statusCode).toBe(404);
    const left = await readdir(join(dataDir, 'gateway'), { withFileTypes: true });
    expect(left.filter((entry) => entry.isFile())).toEqual([]);
  });

  test('goes on only from the version that was seen', async () => {
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

  test('removes an image only from the version that was seen', async () => {
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

  test('saves the settings on the version that was seen', async () => {
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

describe('more than the back end takes in one request', () => {
  test('is divided: every photo arrives once, in order', async () => {
    const world = await gatewayWorld();
    const files = await photos(45);
    const answer = await world.admin.post(CREATE, VALUES, [catalog, ...files], withKey());
    expect(answer.json()).toMatchObject({ message: 'Ups Created Successfully', id: 1, version: expect.any(String) });
    expect(hashes(world)).toEqual(files.map(({ bytes }) => sha256(bytes)));
    expect(world.link.posts).toHaveLength(3);
    const more = await photos(25);
    await world.admin.post(single(1), { ...VALUES, brand: 'New' }, more, withKey());
    expect(hashes(world)).toHaveLength(70);
    expect(world.backend.rows('ups')).toMatchObject([{ brand: 'New' }]);
  });

  test('is divided by bytes too', async () => {
    const world = await gatewayWorld({ settings: { API_MAX_REQUEST_MB: '1' } });
    const big = await Promise.all(['#111111', '#222222', '#333333'].map((colour) => picture('png', colour, 24)));
    const files = big.map((bytes, index) => ({
      field: 'images[]',
      bytes: new Uint8Array(Buffer.concat([bytes, Buffer.alloc(600_000, index)])),
      name: 'big.png',
      type: 'image/png',
    }));
    expect((await world.admin.post(CREATE, VALUES, [catalog, ...files])).statusCode).toBe(200);
    expect(world.link.posts).toHaveLength(3);
    expect(hashes(world)).toHaveLength(3);
  });

  test.each([
    ['create', 0],
    ['edit', 1],
  ])('takes effect as a whole or not at all: a refused part takes the %s back', async (_what, before) => {
    const world = await gatewayWorld();
    if (before > 0) await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(1))]);
    const bad = { field: 'images[]', bytes: await picture('webp'), name: 'x.webp', type: 'image/webp' };
    const files = [...(await photos(30)), bad];
    const path = before > 0 ? single(1) : CREATE;
    const answer = await world.admin.post(path, { ...VALUES, brand: 'New' }, [catalog, ...files], withKey());
    expect(answer.statusCode).toBe(422);
    expect(world.backend.rows('ups').map((row) => row['brand'])).toEqual(before > 0 ? [VALUES['brand']] : []);
    if (before > 0) expect(hashes(world)).toHaveLength(1);
  });
});

describe('an answer that is lost', () => {
  test('leaves a create in flight until the gateway has found its row', async () => {
    const world = await gatewayWorld();
    world.link.faults.push(answerOf(504, '<h1>Gateway Time-out</h1>'));
    const lost = await world.admin.post(CREATE, VALUES, await filesFor(ups), withKey('key-of-a-create'));
    expect([lost.statusCode, lost.json().code]).toEqual([409, 'in-flight']);
    expect((await world.admin.get('/api/changes/key-of-a-create')).statusCode).toBe(409);
    expect((await settled(world, 'key-of-a-create')).json()).toMatchObject({ id: 1 });
    expect(world.backend.rows('ups')).toHaveLength(1);
  });

  test('is found out at once where the row is there: the device is not kept waiting', async () => {
    const world = await gatewayWorld();
    world.link.faults.push('unanswered');
    const answer = await world.admin.post(CREATE, VALUES, await filesFor(ups), withKey());
    expect([answer.statusCode, answer.json().id]).toEqual([200, 1]);
    expect(world.link.posts).toHaveLength(1);
  });

  test('is passed on again only when the first request can no longer take effect', async () => {
    const world = await gatewayWorld();
    world.link.faults.push('lost');
    await world.admin.post(CREATE, VALUES, await filesFor(ups), withKey('key-of-a-create'));
    world.clock.pass(LONGEST_REQUEST - 1000);
    expect((await world.admin.get('/api/changes/key-of-a-create')).statusCode).toBe(409);
    expect(world.link.posts).toHaveLength(1);
    expect((await settled(world, 'key-of-a-create')).json()).toMatchObject({ id: 1, version: expect.any(String) });
    expect(world.link.posts).toHaveLength(2);
    expect(world.backend.rows('ups')).toHaveLength(1);
  });

  test('lets nothing of the same kind pass, and everything of another', async () => {
    const world = await gatewayWorld();
    world.link.faults.push('lost');
    await world.admin.post(CREATE, VALUES, await filesFor(ups), withKey('key-of-a-create'));
    const next = await world.admin.post(CREATE, VALUES, await filesFor(ups), withKey());
    expect([next.statusCode, next.json().code]).toEqual([409, 'in-flight']);
    const other = await world.admin.post(
      projects.endpoints.create,
      valuesFor(projects.fields),
      await filesFor(projects),
    );
    expect(other.statusCode).toBe(200);
    await settled(world, 'key-of-a-create');
    expect((await world.admin.post(CREATE, VALUES, await filesFor(ups), withKey())).statusCode).toBe(200);
    expect(world.backend.rows('ups')).toHaveLength(2);
  });

  test('adds each photo of an edit once', async () => {
    const world = await gatewayWorld();
    await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(1))]);
    world.link.faults.push('unanswered');
    const more = await photos(3);
    const answer = await world.admin.post(single(1), { ...VALUES, brand: 'New' }, more, withKey());
    expect(answer.json()).toMatchObject({ version: expect.any(String) });
    expect(hashes(world)).toHaveLength(4);
    expect(world.link.posts).toHaveLength(2);
  });

  test('of a delete is told by what is gone', async () => {
    const world = await gatewayWorld();
    await world.admin.post(CREATE, VALUES, await filesFor(ups));
    world.link.faults.push('unanswered');
    expect((await world.admin.order(`${ups.endpoints.delete}/1`, withKey())).statusCode).toBe(200);
    expect(world.backend.rows('ups')).toEqual([]);
  });

  test('of an image that was removed too', async () => {
    const world = await gatewayWorld();
    await world.admin.post(CREATE, VALUES, await filesFor(ups));
    const [image] = (await world.admin.get(single(1))).json().images;
    world.link.faults.push('unanswered');
    const lost = await world.admin.order(`/api/delete-image/${image.id}`, withKey('key-of-an-image'));
    expect(lost.statusCode).toBe(409);
    expect((await settled(world, 'key-of-an-image')).statusCode).toBe(200);
    expect(world.backend.images('ups', 1)).toHaveLength(1);
  });

  test('of an edit that somebody else has overtaken is told as 412, without writing over theirs', async () => {
    const world = await gatewayWorld();
    const { version } = (await world.admin.post(CREATE, VALUES, await filesFor(ups))).json();
    world.link.faults.push('lost');
    const key = { ...withKey('key-of-an-edit'), 'if-match': `"${version}"` };
    expect((await world.admin.post(single(1), { ...VALUES, brand: 'Mine' }, [], key)).statusCode).toBe(409);
    const theirs = await world.signIn();
    const { body, headers } = new Request('http://x', {
      method: 'POST',
      body: new URLSearchParams({ ...VALUES, brand: 'Theirs' }),
    });
    const about = {
      method: 'POST',
      body,
      duplex: 'half',
      headers: { ...Object.fromEntries(headers), authorization: `Bearer ${theirs}` },
    };
    await world.backend.handle(new Request(`http://x${single(1)}`, about as RequestInit));
    expect((await settled(world, 'key-of-an-edit', 5000)).statusCode).toBe(404);
    expect((await world.admin.post(single(1), { ...VALUES, brand: 'Mine' }, [], key)).statusCode).toBe(412);
    expect(world.backend.rows('ups')).toMatchObject([{ brand: 'Theirs' }]);
  });

  test('names the rows that something in between has made of one create', async () => {
    const world = await gatewayWorld();
    world.link.faults.push('twice');
    const answer = await world.admin.post(CREATE, VALUES, await filesFor(ups), withKey());
    expect(answer.json()).toMatchObject({ id: 1, duplicates: [2] });
  });

  test('hands an error of the back end itself on, once it is known that nothing is there', async () => {
    const world = await gatewayWorld();
    world.link.faults.push(answerOf(500, { message: 'Server Error' }));
    const failed = await world.admin.post(CREATE, VALUES, await filesFor(ups), withKey('key-of-a-create'));
    expect([failed.statusCode, failed.json()]).toEqual([500, { message: 'Server Error' }]);
    const again = await world.admin.post(CREATE, VALUES, await filesFor(ups), withKey('key-of-a-create'));
    expect([again.statusCode, world.backend.rows('ups').length]).toEqual([200, 1]);
  });
});

describe('a gateway that was killed', () => {
  test('after the back end committed and before its answer: finds its row at the next start', async () => {
    const world = await gatewayWorld();
    world.link.faults.push('hangs');
    void world.admin.post(CREATE, VALUES, await filesFor(ups), withKey('key-of-a-create')).catch(() => undefined);
    await vi.waitFor(() => expect(world.backend.rows('ups')).toHaveLength(1));
    const second = { ...world, admin: adminOf(await world.start(), world.token) };
    expect((await settled(second, 'key-of-a-create')).json()).toMatchObject({ id: 1 });
    const again = await second.admin.post(CREATE, VALUES, await filesFor(ups), withKey('key-of-a-create'));
    expect([again.json().id, world.backend.rows('ups').length, world.link.posts.length]).toEqual([1, 1, 1]);
  });

  test('in the middle of a divided change: brings the rest', async () => {
    const world = await gatewayWorld();
    world.link.faults.push(undefined, 'hangs');
    const files = await photos(45);
    void world.admin.post(CREATE, VALUES, [catalog, ...files], withKey('key-of-a-create')).catch(() => undefined);
    await vi.waitFor(() => expect(hashes(world)).toHaveLength(39));
    const second = { ...world, admin: adminOf(await world.start(), world.token) };
    expect((await settled(second, 'key-of-a-create')).json()).toMatchObject({ id: 1, version: expect.any(String) });
    expect(hashes(world)).toEqual(files.map(({ bytes }) => sha256(bytes)));
  });

  test('goes on with the session of whoever is signed in where the sender has logged out', async () => {
    const world = await gatewayWorld();
    world.link.faults.push('hangs');
    void world.admin.post(CREATE, VALUES, await filesFor(ups), withKey('key-of-a-create')).catch(() => undefined);
    await vi.waitFor(() => expect(world.backend.rows('ups')).toHaveLength(1));
    const headers = { accept: 'application/json', authorization: `Bearer ${world.token}` };
    await world.backend.handle(new Request('http://x/api/logout', { method: 'POST', headers }));
    const second = { ...world, admin: adminOf(await world.start(), await world.signIn()) };
    expect((await settled(second, 'key-of-a-create')).json()).toMatchObject({ id: 1 });
  });
});

describe('a back end', () => {
  test('that is away: 503 with words, and the change is not in doubt', async () => {
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

  test('that asks for a sign-in: its own 401', async () => {
    const { app, backend } = await gatewayWorld();
    const stranger = await adminOf(app, 'nobody').post(CREATE, VALUES, await filesFor(ups));
    expect([stranger.statusCode, stranger.json()]).toEqual([401, { message: 'Unauthenticated.' }]);
    expect(backend.rows('ups')).toEqual([]);
  });

  test('with anti-forgery cookies: 419 as it is, then the change; parts that no device waits for renew it themselves', async () => {
    const world = await gatewayWorld({ csrf: true });
    const key = withKey('key-of-a-create');
    const refused = await world.admin.post(CREATE, VALUES, await filesFor(ups), key);
    expect([refused.statusCode, refused.json()]).toEqual([419, { message: 'CSRF token mismatch.' }]);
    const look = await world.backend.handle(new Request('http://x/api/user'));
    const pairs = look.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
    const value = pairs.find((pair) => pair.startsWith('XSRF-TOKEN='))?.slice('XSRF-TOKEN='.length) ?? '';
    const proof = { cookie: pairs.join('; '), 'x-xsrf-token': decodeURIComponent(value) };
    world.link.faults.push('lost');
    expect((await world.admin.post(CREATE, VALUES, await filesFor(ups), { ...key, ...proof })).statusCode).toBe(409);
    // past the end of the session
    world.clock.pass(3 * 60 * 60_000);
    expect((await settled(world, 'key-of-a-create')).json()).toMatchObject({ id: 1 });
    expect(world.backend.rows('ups')).toHaveLength(1);
  });

  test('that limits how often it is asked: its 429 with the time to wait', async () => {
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

  test('gives through the gateway what the device asks of this repository’s server, but for what it cannot', async () => {
    const { app } = await gatewayWorld();
    const told = (await app.inject('/api/capabilities')).json();
    expect(told).toMatchObject({ server: 'voltdesk', idempotencyKeys: true, versions: true, changesByKey: true });
    expect(told).toMatchObject({ history: false, fullLists: false, imageSizes: [] });
    expect(told.limits.maxFilesPerRequest).toBeGreaterThan(20);
  });
});
