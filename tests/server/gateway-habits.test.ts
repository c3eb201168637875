import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { partners } from '../../src/domain/resources/partners.ts';
import { answerOf } from '../harness/back-link.ts';
import { CREATE, catalog, hashes, photos, single, VALUES, type World } from './gateway-ups.ts';
import { gatewayWorld, LONGEST_REQUEST } from './gateway-world.ts';
import { withKey } from './harness.ts';
import { filesFor, sha256, valuesFor } from './samples.ts';

const KEY = 'key-of-a-change';
const MINUTE = 60_000;

/** Someone saves a form directly on the back end. */
async function direct(
  world: World,
  path: string,
  values: Readonly<Record<string, string>>,
  files: Awaited<ReturnType<typeof photos>> = [],
): Promise<void> {
  const body = new FormData();
  for (const [name, value] of Object.entries(values)) body.append(name, value);
  for (const { field, bytes, name, type } of files) {
    body.append(field, new Blob([new Uint8Array(bytes)], { type }), name);
  }
  await world.elsewhere(path, body);
}

/** Resolves once the gateway asks its back end for nothing more at the moment. */
async function quiet({ link }: World): Promise<void> {
  const asked = () => link.reads.length + link.posts.length;
  for (let [before, calm] = [-1, 0]; calm < 3; before = asked()) {
    await setTimeout(4);
    calm = asked() === before ? calm + 1 : 0;
  }
}

/** What the sender is told once its change is done, or after as many minutes. */
async function after(
  world: World,
  key: string,
  minutes: number,
  isDone = (status: number, _code: unknown) => status !== 409,
) {
  for (let passed = 0; ; passed += 0.5) {
    const answer = await world.admin.get(`/api/changes/${key}`);
    if (isDone(answer.statusCode, answer.json().code) || passed >= minutes) return answer;
    void world.clock.pass(MINUTE / 2);
    await quiet(world);
  }
}

const isUnsettled = (status: number, code: unknown) => status !== 409 || code === 'unsettled';

describe('a back end that encodes pictures anew', () => {
  test('does not double a create whose answer is lost', async () => {
    const world = await gatewayWorld({ habits: { reencodes: true } });
    const files = [catalog, ...(await photos(3))];
    world.link.faults.push('unanswered');
    const answer = await world.admin.post(CREATE, VALUES, files, withKey(KEY));
    expect([answer.statusCode, answer.json().id]).toEqual([200, 1]);
    expect(hashes(world)).toEqual(files.slice(1).map(({ bytes }) => sha256(bytes)));
  });

  test('does not double a partner, whose only file is its picture', async () => {
    const world = await gatewayWorld({ habits: { reencodes: true } });
    const { create } = partners.endpoints;
    for (const key of ['key-of-the-first', 'key-of-the-second']) {
      world.link.faults.push('unanswered');
      const values = { ...valuesFor(partners.fields), name: key };
      expect((await world.admin.post(create, values, await filesFor(partners), withKey(key))).statusCode).toBe(200);
    }
    expect(world.backend.rows('partners')).toHaveLength(2);
  });

  test.each([0, 1, 2])('keeps 45 photos 45, whichever answer is lost (%i)', async (lost) => {
    const world = await gatewayWorld({ habits: { reencodes: true } });
    const files = await photos(45);
    world.link.faults.push(...Array.from({ length: lost }, () => undefined), 'unanswered');
    await world.admin.post(CREATE, VALUES, [catalog, ...files], withKey(KEY));
    expect((await after(world, KEY, 5)).json()).toMatchObject({ id: 1 });
    expect(hashes(world)).toEqual(files.map(({ bytes }) => sha256(bytes)));
  });

  test.each([0, 1])(
    'stores the photos and texts of a divided edit once, whichever answer is lost (%i)',
    async (lost) => {
      const world = await gatewayWorld({ habits: { reencodes: true } });
      const all = await photos(31);
      await world.admin.post(CREATE, VALUES, [catalog, ...all.slice(0, 1)]);
      world.link.faults.push(...Array.from({ length: lost }, () => undefined), 'unanswered');
      await world.admin.post(single(1), { ...VALUES, brand: 'New' }, all.slice(1), withKey(KEY));
      expect((await after(world, KEY, 5)).statusCode).toBe(200);
      expect([hashes(world).length, world.backend.rows('ups')[0]?.['brand']]).toEqual([31, 'New']);
    },
  );

  test('is known to do so after a confirmed change, which tells others’ photos from ours', async () => {
    const world = await gatewayWorld();
    await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(1))]);
    // this one keeps bytes: a new row with other pictures is not taken for the lost create
    world.link.faults.push('lost');
    await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(3)).slice(1)], withKey(KEY));
    await direct(world, CREATE, VALUES, [catalog, ...(await photos(5)).slice(3)]);
    const told = await after(world, KEY, 5, isUnsettled);
    expect([told.statusCode, told.json()]).toMatchObject([409, { code: 'unsettled', candidates: [2] }]);
    expect(world.backend.rows('ups')).toHaveLength(2);
  });
});

/** Cuts off every answer with the newest photo, each elsewhere. Their length is not told, so nothing shows the cut. */
function cutNewest({ link, backend }: World): void {
  let reading = 0;
  link.insteadOfRead = (path) => {
    const newest = backend.images('ups', 1).at(-1)?.image;
    if (newest === undefined || !path.endsWith(newest)) return undefined;
    reading += 1;
    const length = 20 + reading;
    return backend.handle(new Request(`http://x${path}`)).then(async (answer) => ({
      status: answer.status,
      headers: { 'content-type': answer.headers.get('content-type') ?? 'image/png' },
      cookies: [],
      body: Buffer.from(await answer.arrayBuffer()).subarray(0, length),
    }));
  };
}

describe('a file whose answer is cut elsewhere each time', () => {
  test('does not double the photo', async () => {
    const world = await gatewayWorld();
    const all = await photos(4);
    await world.admin.post(CREATE, VALUES, [catalog, ...all.slice(0, 1)]);
    world.link.faults.push('unanswered');
    cutNewest(world);
    await world.admin.post(single(1), VALUES, all.slice(1), withKey(KEY));
    await after(world, KEY, 5);
    expect(hashes(world)).toEqual(all.map(({ bytes }) => sha256(bytes)));
  });
});

describe('a worker that dies at the photos', () => {
  test('leaves one row, completed once photos can be stored', async () => {
    const world = await gatewayWorld({ habits: { diesOnPictures: 'silent' } });
    const files = await photos(2);
    await world.admin.post(CREATE, VALUES, [catalog, ...files], withKey(KEY));
    delete world.backend.habits.diesOnPictures;
    expect((await after(world, KEY, 10)).json()).toMatchObject({ id: 1 });
    expect(world.backend.rows('ups')).toHaveLength(1);
    expect(hashes(world)).toEqual(files.map(({ bytes }) => sha256(bytes)));
  });

  test('does not make a row after another while nobody looks', async () => {
    const world = await gatewayWorld({ habits: { diesOnPictures: 'silent' } });
    await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(2))], withKey(KEY));
    const told = await after(world, KEY, 30, isUnsettled);
    expect([told.statusCode, told.json().code]).toEqual([409, 'unsettled']);
    const posts = world.link.posts.length;
    await after(world, KEY, 30);
    expect([world.backend.rows('ups').length, world.link.posts.length]).toEqual([1, posts]);
    expect(posts).toBeLessThanOrEqual(3);
  });

  test('answering 500 leaves no row behind for every retry', async () => {
    const world = await gatewayWorld({ habits: { diesOnPictures: 'error' } });
    const files = [catalog, ...(await photos(2))];
    for (let retry = 0; retry < 4; retry += 1) {
      const answer = await world.admin.post(CREATE, VALUES, files, withKey(KEY));
      expect([500, 409]).toContain(answer.statusCode);
    }
    expect(world.backend.rows('ups').length).toBeLessThanOrEqual(1);
  });
});

describe('a confirmed create that is not recognized at once', () => {
  const observes = (field: string, text: string) => (field === 'brand' ? text.toUpperCase() : text);

  test.each([
    ['an observer rewrites its texts', { observes }],
    ['an observer rewrites them and pictures are encoded anew', { observes, reencodes: true }],
    ['its list is cached', { cachesLists: 4 * MINUTE }],
    ['reads come from a replica', { replicaLag: 30_000 }],
  ])('keeps its 45 photos when %s', async (_what, habits) => {
    const world = await gatewayWorld({ habits });
    const files = await photos(45);
    const first = await world.admin.post(CREATE, VALUES, [catalog, ...files], withKey(KEY));
    const answer = first.statusCode === 200 ? first : await after(world, KEY, 10);
    expect(answer.json()).toMatchObject({ id: 1 });
    expect(hashes(world)).toHaveLength(45);
  });

  test('does not give its photos to an importer’s equal row of the same second', async () => {
    const world = await gatewayWorld({ habits: { observes } });
    const files = await photos(30);
    world.link.faults.push(async (carryOut) => {
      const answer = await carryOut();
      delete world.backend.habits.observes;
      await direct(world, CREATE, VALUES, [catalog, ...(await photos(31)).slice(30)]);
      return answer;
    });
    await world.admin.post(CREATE, VALUES, [catalog, ...files], withKey(KEY));
    await after(world, KEY, 10);
    expect([hashes(world, 1).length, hashes(world, 2).length]).toEqual([30, 1]);
  });

  test('is asked for by name while only somebody else’s equal row can be seen', async () => {
    const world = await gatewayWorld();
    const files = await photos(30);
    world.link.faults.push(async (carryOut) => {
      const answer = await carryOut();
      await direct(world, CREATE, VALUES, [catalog, ...(await photos(31)).slice(30)]);
      world.link.insteadOfRead = (path) =>
        path === '/api/get-upss'
          ? answerOf(200, [{ id: 2, brand: VALUES['brand'], model: VALUES['model'] }])()
          : undefined;
      return answer;
    });
    await world.admin.post(CREATE, VALUES, [catalog, ...files], withKey(KEY));
    const told = await after(world, KEY, 15, isUnsettled);
    expect(hashes(world, 2)).toHaveLength(1);
    expect([told.statusCode, hashes(world, 1).length]).not.toEqual([200, 19]);
  });
});

test('a request is sent again once at most when there is no trace of it', async () => {
  const world = await gatewayWorld();
  world.link.faults.push('lost', 'lost', 'lost', 'lost');
  await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(1))], withKey(KEY));
  const told = await after(world, KEY, 30, isUnsettled);
  expect([told.statusCode, told.json()]).toMatchObject([
    409,
    { code: 'unsettled', candidates: [], since: expect.any(String) },
  ]);
  void world.clock.pass(LONGEST_REQUEST);
  expect(world.link.posts).toHaveLength(2);
});

describe('the sender of a change that was set aside', () => {
  const outcome = (world: World, decided: object) =>
    world.app.inject({
      method: 'POST',
      url: `/api/changes/${KEY}/outcome`,
      headers: { accept: 'application/json', authorization: `Bearer ${world.token}` },
      payload: decided,
    });

  /** A lost create, while somebody else has made another record. */
  async function setAside() {
    const world = await gatewayWorld();
    world.link.faults.push('lost');
    await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(2))], withKey(KEY));
    await direct(world, CREATE, { ...VALUES, brand: 'Other' }, [catalog, ...(await photos(1))]);
    expect((await after(world, KEY, 5, isUnsettled)).json()).toMatchObject({ code: 'unsettled', candidates: [1] });
    return world;
  }

  test('keeps nobody else waiting', async () => {
    const world = await setAside();
    const other = await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(1))], withKey());
    expect([other.statusCode, other.json().id]).toEqual([200, 2]);
    expect((await world.admin.get(`/api/changes?keys=${KEY}`)).json().answers[KEY]).toMatchObject({
      status: 409,
      body: { code: 'unsettled', candidates: [1] },
    });
  });

  test('sees it by name in Health', async () => {
    const { backEnd } = (await (await setAside()).admin.get('/api/health')).json();
    expect(backEnd).toMatchObject({
      learned: {},
      aside: [{ kind: 'ups', title: expect.stringContaining(VALUES['brand'] ?? ''), since: expect.any(String) }],
    });
  });

  test('may look again, and learns what has turned up', async () => {
    const world = await setAside();
    expect((await outcome(world, { decision: 'look' })).json()).toMatchObject({ status: 409 });
    await direct(world, CREATE, VALUES, [catalog, ...(await photos(2))]);
    expect((await outcome(world, { decision: 'look' })).json()).toMatchObject({ status: 200, body: { id: 2 } });
  });

  test('may say which record it is, which then gets the files that it lacks', async () => {
    const world = await setAside();
    expect((await outcome(world, { decision: 'there', id: 1 })).json()).toMatchObject({ status: 200, body: { id: 1 } });
    expect([hashes(world, 1).length, world.backend.rows('ups').length]).toEqual([2, 1]);
  });

  test('may give it up: it is sent again only after a new decision', async () => {
    const world = await setAside();
    const send = async () => world.admin.post(CREATE, VALUES, [catalog, ...(await photos(2))], withKey(KEY));
    expect((await outcome(world, { decision: 'give-up' })).json()).toEqual({ status: 404 });
    const refused = await send();
    expect([refused.statusCode, refused.json().code, world.backend.rows('ups').length]).toEqual([409, 'given-up', 1]);
    expect((await send()).json()).toMatchObject({ id: 2 });
  });

  test('is the only one who decides', async () => {
    const world = await setAside();
    const other = { ...world, token: await world.signIn('second@example.com') };
    expect((await outcome(other, { decision: 'give-up' })).statusCode).toBe(404);
    expect((await outcome(world, { decision: 'maybe' })).statusCode).toBe(422);
  });
});
