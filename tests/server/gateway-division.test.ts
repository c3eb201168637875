import { describe, expect, test } from 'vitest';
import { CREATE, catalog, hashes, photos, single, VALUES } from './gateway-ups.ts';
import { gatewayWorld } from './gateway-world.ts';
import { withKey } from './harness.ts';
import { picture, sha256 } from './samples.ts';

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
