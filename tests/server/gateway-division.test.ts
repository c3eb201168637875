import { describe, expect, test } from 'vitest';
import { answerOf } from '../harness/back-link.ts';
import { CREATE, catalog, hashes, photos, settled, single, VALUES } from './gateway-ups.ts';
import { gatewayWorld, proofFrom } from './gateway-world.ts';
import { withKey } from './harness.ts';
import { pdf, picture, sha256 } from './samples.ts';

describe('a change too large for one request of the back end', () => {
  test('is divided, and every photo arrives once and in order', async () => {
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

  test('is rolled back when the last part of an edit is refused, down to the last earlier file', async () => {
    const world = await gatewayWorld();
    await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(2))]);
    const before = hashes(world);
    const document = world.backend.rows('ups')[0]?.['catalog'];
    const other = { ...catalog, bytes: new Uint8Array([...pdf(), 32]) };
    const more = (await photos(27)).slice(2);
    const answer = await world.admin.post(single(1), { ...VALUES, brand: '' }, [other, ...more], withKey());
    expect([answer.statusCode, answer.json().errors]).toEqual([422, { brand: ['The brand field is required.'] }]);
    expect(world.link.posts.length).toBeGreaterThan(3);
    expect(hashes(world)).toEqual(before);
    expect(world.backend.rows('ups')[0]?.['catalog']).toBe(document);
  });

  test.each([401, 419, 425, 429, 503])(
    'is completed when a later part meets %i, because a temporary failure rolls nothing back',
    async (status) => {
      const world = await gatewayWorld();
      const passing = answerOf(status, { message: 'Not now.' });
      // a stale cookie is renewed once on the way
      world.link.faults.push(undefined, passing, ...(status === 419 ? [passing] : []));
      const files = await photos(30);
      const first = await world.admin.post(CREATE, VALUES, [catalog, ...files], withKey('key-of-a-create'));
      expect(first.statusCode).toBe(409);
      expect((await settled(world, 'key-of-a-create')).json()).toMatchObject({ id: 1 });
      expect(hashes(world)).toEqual(files.map(({ bytes }) => sha256(bytes)));
    },
  );

  test.each([
    ['create', 0],
    ['edit', 1],
  ])('takes effect as a whole or not at all: a refused part rolls back the %s', async (_what, before) => {
    const world = await gatewayWorld();
    if (before > 0) await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(1))]);
    const bad = { field: 'images[]', bytes: await picture('webp'), name: 'x.webp', type: 'image/webp' };
    const files = [...(await photos(30)), bad];
    const path = before > 0 ? single(1) : CREATE;
    const answer = await world.admin.post(path, { ...VALUES, brand: 'New' }, [catalog, ...files], withKey());
    expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, ['images.30']]);
    expect(JSON.stringify(answer.json().errors)).not.toMatch(/images\.(?!30)/);
    expect(world.backend.rows('ups').map((row) => row['brand'])).toEqual(before > 0 ? [VALUES['brand']] : []);
    if (before > 0) expect(hashes(world)).toHaveLength(1);
  });

  test('is not reported as refused while a part of it may still be stored', async () => {
    const world = await gatewayWorld();
    const bad = { field: 'images[]', bytes: await picture('webp'), name: 'x.webp', type: 'image/webp' };
    world.link.faults.push(undefined, undefined, answerOf(500, { message: 'The database is locked.' }));
    const files = [catalog, ...(await photos(30)), bad];
    const answer = await world.admin.post(CREATE, VALUES, files, withKey('key-of-a-create'));
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'in-flight']);
    expect(world.backend.rows('ups')).toHaveLength(1);
    expect((await settled(world, 'key-of-a-create')).statusCode).toBe(404);
    expect(world.backend.rows('ups')).toEqual([]);
  });

  test('is rolled back even after the session it was passed on in has ended', async () => {
    const world = await gatewayWorld({ csrf: true });
    const bad = { field: 'images[]', bytes: await picture('webp'), name: 'x.webp', type: 'image/webp' };
    world.link.faults.push(undefined, undefined, 'refused');
    const files = [catalog, ...(await photos(30)), bad];
    const headers = { ...withKey('key-of-a-create'), ...(await proofFrom(world.backend)) };
    expect((await world.admin.post(CREATE, VALUES, files, headers)).statusCode).toBe(409);
    expect(world.backend.rows('ups')).toHaveLength(1);
    void world.clock.pass(3 * 60 * 60_000);
    expect((await settled(world, 'key-of-a-create')).statusCode).toBe(404);
    expect(world.backend.rows('ups')).toEqual([]);
  });
});
