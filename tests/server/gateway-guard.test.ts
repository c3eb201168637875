import { describe, expect, test } from 'vitest';
import { ups } from '../../src/domain/resources/ups.ts';
import { answerOf } from '../harness/back-link.ts';
import { CREATE, catalog, hashes, photos, settled, single, VALUES, type World } from './gateway-ups.ts';
import { gatewayWorld } from './gateway-world.ts';
import { withKey } from './harness.ts';
import { pdf, picture } from './samples.ts';

const KEY = 'key-of-a-change';

/** Someone saves the record directly on the back end, optionally with one more image. */
async function direct(world: World, values: Readonly<Record<string, string>>, bytes?: Uint8Array): Promise<void> {
  const body = new FormData();
  for (const [name, value] of Object.entries(values)) body.append(name, value);
  if (bytes !== undefined) body.append('images[]', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'x.png');
  await world.elsewhere(single(1), body);
}

/** After the next request, someone does something directly on the back end. */
function thenDirectly(world: World, work: () => Promise<void>): void {
  world.link.faults.push(async (carryOut) => {
    const answer = await carryOut();
    await work();
    return answer;
  });
}

const ifMatch = async (world: World) => ({ 'if-match': `"${(await world.admin.get(single(1))).json().version}"` });

describe('a divided edit', () => {
  test.each([true, false])('leaves what someone edits between its requests (with a version: %s)', async (isBound) => {
    const world = await gatewayWorld();
    const all = await photos(31);
    await world.admin.post(CREATE, VALUES, [catalog, ...all.slice(0, 1)]);
    const bound = isBound ? await ifMatch(world) : {};
    thenDirectly(world, () => direct(world, { ...VALUES, brand: 'Theirs' }));
    const edit = { ...VALUES, model: 'Mine' };
    const answer = await world.admin.post(single(1), edit, all.slice(1), { ...withKey(KEY), ...bound });
    expect(answer.statusCode).toBe(412);
    expect(world.backend.rows('ups')).toMatchObject([{ brand: 'Theirs', model: VALUES['model'] }]);
    expect(hashes(world)).toHaveLength(1);
  });

  test('leaves a catalogue that someone replaces between its requests', async () => {
    const world = await gatewayWorld();
    const all = await photos(31);
    await world.admin.post(CREATE, VALUES, [catalog, ...all.slice(0, 1)]);
    thenDirectly(world, async () => {
      const body = new FormData();
      for (const [name, value] of Object.entries(VALUES)) body.append(name, value);
      body.append('catalog', new Blob([new Uint8Array([...pdf(), 32])], { type: 'application/pdf' }), 'b.pdf');
      await world.elsewhere(single(1), body);
    });
    const other = { ...catalog, bytes: new Uint8Array([...pdf(), 32, 32]) };
    const answer = await world.admin.post(single(1), VALUES, [other, ...all.slice(1)], withKey(KEY));
    expect(answer.statusCode).toBe(412);
  });

  test.each([false, true])('takes back its own photos only (encoded anew: %s)', async (reencodes) => {
    const world = await gatewayWorld({ habits: { reencodes } });
    const all = await photos(27);
    await world.admin.post(CREATE, VALUES, [catalog, ...all.slice(0, 2)]);
    const before = hashes(world);
    const theirs = await picture('png', '#abcdef');
    thenDirectly(world, () => direct(world, VALUES, theirs));
    const other = { ...catalog, bytes: new Uint8Array([...pdf(), 32]) };
    const answer = await world.admin.post(single(1), { ...VALUES, brand: '' }, [other, ...all.slice(2)], withKey());
    expect(answer.statusCode).toBe(422);
    expect(hashes(world).slice(0, 2)).toEqual(before);
    expect(hashes(world)).toHaveLength(3);
  });
});

test('a divided create that is taken back leaves a row that someone has edited meanwhile', async () => {
  const world = await gatewayWorld();
  const bad = { field: 'images[]', bytes: await picture('webp'), name: 'x.webp', type: 'image/webp' };
  thenDirectly(world, () => direct(world, { ...VALUES, brand: 'Work of someone else' }));
  const answer = await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(30)), bad], withKey());
  expect(answer.statusCode).toBe(422);
  expect(world.backend.rows('ups').map((row) => row['brand'])).toEqual(['Work of someone else']);
});

test('a create whose answer a firewall’s page replaces is not made twice', async () => {
  const world = await gatewayWorld();
  world.link.faults.push(async (carryOut) => {
    await carryOut();
    return answerOf(403, '<h1>Blocked</h1>')();
  });
  const send = async () => world.admin.post(CREATE, VALUES, [catalog, ...(await photos(1))], withKey(KEY));
  expect([(await send()).statusCode, (await send()).statusCode]).toEqual([200, 200]);
  expect(world.backend.rows('ups')).toHaveLength(1);
});

test('a change that a firewall’s page refuses is refused, once it is known that nothing was stored', async () => {
  const world = await gatewayWorld();
  world.link.faults.push(answerOf(403, '<h1>Blocked</h1>'));
  const answer = await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(1))], withKey(KEY));
  expect([answer.statusCode, answer.json().code]).toEqual([403, 'back-end-guarded']);
  expect([world.backend.rows('ups').length, world.link.posts.length]).toEqual([0, 1]);
});

describe('a 404 of the router, in JSON', () => {
  test('in the middle of a divided edit is no success', async () => {
    const world = await gatewayWorld();
    const all = await photos(31);
    await world.admin.post(CREATE, VALUES, [catalog, ...all.slice(0, 1)]);
    thenDirectly(world, async () => {
      world.backend.habits.withoutRoute = (path) => path.startsWith(single(1));
    });
    const answer = await world.admin.post(single(1), { ...VALUES, brand: 'New' }, all.slice(1), withKey(KEY));
    expect([409, 503]).toContain(answer.statusCode);
    delete world.backend.habits.withoutRoute;
    expect((await settled(world, KEY)).statusCode).toBe(200);
    expect([hashes(world).length, world.backend.rows('ups')[0]?.['brand']]).toEqual([31, 'New']);
  });

  test.each(['POST only', 'reads too'])('is not taken for a deleted record (%s)', async (what) => {
    const world = await gatewayWorld();
    await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(2))]);
    const version = await ifMatch(world);
    const [image] = (await world.admin.get(single(1))).json().images;
    world.backend.habits.withoutRoute = (path, method) =>
      !path.startsWith(ups.endpoints.list) && path !== '/api/user' && (method === 'POST' || what === 'reads too');
    const answers = [
      await world.admin.order(`${ups.endpoints.delete}/1`, { ...withKey(), ...version }),
      await world.admin.order(`/api/delete-image/${image.id}`, { ...withKey(), ...version }),
      await world.admin.post(single(1), VALUES, [], { ...withKey(), ...version }),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([503, 503, 503]);
    expect(world.backend.rows('ups')).toHaveLength(1);
  });

  test('is still told from a record that is gone', async () => {
    const world = await gatewayWorld();
    await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(1))]);
    await world.elsewhere(`${ups.endpoints.delete}/1`);
    expect((await world.admin.get(single(1))).statusCode).toBe(404);
    expect((await world.admin.order(`${ups.endpoints.delete}/1`, withKey())).statusCode).toBe(404);
  });
});

describe('a back end that does not show every field plainly', () => {
  const hides = ['origin'];

  test('keeps the hidden texts of a create with many photos', async () => {
    const world = await gatewayWorld({ habits: { hides } });
    const answer = await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(45))], withKey());
    expect(answer.statusCode).toBe(200);
    expect(world.backend.rows('ups')).toMatchObject([{ origin: VALUES['origin'] }]);
  });

  test('keeps the texts that it shows as objects', async () => {
    const world = await gatewayWorld({ habits: { objects: ['type'] } });
    await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(25))], withKey());
    expect(world.backend.rows('ups')).toMatchObject([{ type: VALUES['type'] }]);
    expect((await world.admin.get(single(1))).json()).toMatchObject({ type: VALUES['type'] });
  });

  test('is not made to blank a hidden text: the edit is refused in words', async () => {
    const world = await gatewayWorld({ habits: { hides: ['capacity'] } });
    await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(1))]);
    const answer = await world.admin.post(single(1), { ...VALUES, capacity: '' }, [], withKey());
    expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, ['capacity']]);
    expect(world.link.posts).toHaveLength(1);
  });

  test.each(['data', 'paginator'] as const)('is read through its wrapping (%s)', async (wraps) => {
    const world = await gatewayWorld({ habits: { wraps } });
    const answer = await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(25))], withKey());
    expect([answer.statusCode, answer.json().id]).toEqual([200, 1]);
    expect(world.backend.rows('ups')).toMatchObject([VALUES]);
    expect((await world.admin.get(single(1))).json()).toMatchObject({ id: 1, ...VALUES });
  });

  test('is read with ids as texts, and an image of it is deleted once', async () => {
    const world = await gatewayWorld({ habits: { ids: 'text' } });
    await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(2))], withKey());
    const { images, id } = (await world.admin.get(single(1))).json();
    expect([id, images.map((image: { id: unknown }) => image.id)]).toEqual([1, [1, 2]]);
    const answer = await world.admin.order('/api/delete-image/1', { ...withKey(), ...(await ifMatch(world)) });
    expect([answer.statusCode, hashes(world).length]).toEqual([200, 1]);
  });

  test.each(['absolute', 'signed'] as const)('is read with %s addresses of pictures', async (addresses) => {
    const world = await gatewayWorld({ habits: { addresses } });
    await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(2))], withKey());
    const [one, other] = [await world.admin.get(single(1)), await world.admin.get(single(1))];
    expect(one.json()).toEqual(other.json());
    expect(one.json().images[0].image).toMatch(/^\w+\.png$/);
  });
});

describe('columns that the back end changes by itself', () => {
  test('are no conflict for the next edit and delete', async () => {
    const world = await gatewayWorld({ habits: { volatile: true } });
    await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(1))], withKey());
    const { version } = (await world.admin.get(single(1))).json<{ version: string }>();
    const match = { 'if-match': `"${version}"` };
    const edited = await world.admin.post(single(1), { ...VALUES, brand: 'New' }, [], { ...withKey(), ...match });
    expect(edited.statusCode).toBe(200);
    const deleted = await world.admin.order('/api/delete-ups/1', {
      ...withKey(),
      'if-match': `"${edited.json<{ version: string }>().version}"`,
    });
    expect(deleted.statusCode).toBe(200);
  });

  test('are no conflict when a job touches the record after a confirmed change', async () => {
    const world = await gatewayWorld();
    const made = await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(1))], withKey());
    const row = world.backend.rows('ups')[0];
    if (row !== undefined) row.updated_at = '2026-11-20T11:00:00.000000Z';
    const match = { 'if-match': `"${made.json<{ version: string }>().version}"` };
    expect((await world.admin.order('/api/delete-ups/1', { ...withKey(), ...match })).statusCode).toBe(200);
  });

  test('are no news in the feed', async () => {
    const world = await gatewayWorld({ habits: { volatile: true } });
    await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(1))], withKey());
    const { cursor } = (await world.admin.get('/api/feed')).json<{ cursor: string }>();
    await world.clock.pass(61_000);
    expect((await world.admin.get(`/api/feed?since=${cursor}`)).json()).toMatchObject({ cursor, changed: {} });
  });
});
