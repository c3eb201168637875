import { rename, rm } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { projects } from '../../src/domain/resources/projects.ts';
import { ups } from '../../src/domain/resources/ups.ts';
import { answerOf } from '../harness/back-link.ts';
import { soon } from '../harness/soon.ts';
import { CREATE, catalog, hashes, photos, settled, single, VALUES, type World } from './gateway-ups.ts';
import { adminOf, gatewayWorld, LONGEST_REQUEST } from './gateway-world.ts';
import { withKey } from './harness.ts';
import { filesFor, sha256, valuesFor } from './samples.ts';

/** Someone else saves the record directly on the back end. */
async function overwrite(world: World, brand: string): Promise<void> {
  const { body, headers } = new Request('http://x', {
    method: 'POST',
    body: new URLSearchParams({ ...VALUES, brand }),
  });
  const authorization = `Bearer ${await world.signIn()}`;
  const about = { method: 'POST', body, duplex: 'half', headers: { ...Object.fromEntries(headers), authorization } };
  await world.backend.handle(new Request(`http://x${single(1)}`, about as RequestInit));
}

describe('a lost answer', () => {
  test.each([408, 502, 504])('leaves a create in flight until the gateway has found its row (%i)', async (status) => {
    const world = await gatewayWorld();
    world.link.faults.push(answerOf(status, '<h1>Nobody knows</h1>'));
    const lost = await world.admin.post(CREATE, VALUES, await filesFor(ups), withKey('key-of-a-create'));
    expect([lost.statusCode, lost.json().code]).toEqual([409, 'in-flight']);
    expect((await world.admin.get('/api/changes/key-of-a-create')).statusCode).toBe(409);
    expect((await world.admin.get('/api/changes?keys=key-of-a-create')).json().answers).toEqual({
      'key-of-a-create': { status: 409 },
    });
    expect((await settled(world, 'key-of-a-create')).json()).toMatchObject({ id: 1 });
    expect(world.backend.rows('ups')).toHaveLength(1);
  });

  test('is recovered at once when the row exists, without keeping the device waiting', async () => {
    const world = await gatewayWorld();
    world.link.faults.push('unanswered');
    const answer = await world.admin.post(CREATE, VALUES, await filesFor(ups), withKey());
    expect([answer.statusCode, answer.json().id]).toEqual([200, 1]);
    expect(world.link.posts).toHaveLength(1);
  });

  test('repeats the request only when the first one can no longer take effect', async () => {
    const world = await gatewayWorld();
    world.link.faults.push('lost');
    await world.admin.post(CREATE, VALUES, await filesFor(ups), withKey('key-of-a-create'));
    await world.clock.pass(LONGEST_REQUEST - 1000);
    expect((await world.admin.get('/api/changes/key-of-a-create')).statusCode).toBe(409);
    expect(world.link.posts).toHaveLength(1);
    expect((await settled(world, 'key-of-a-create')).json()).toMatchObject({ id: 1, version: expect.any(String) });
    expect(world.link.posts).toHaveLength(2);
    expect(world.backend.rows('ups')).toHaveLength(1);
  });

  test('keeps a later change of its kind in flight while that waits for its turn', async () => {
    const world = await gatewayWorld();
    const answered = Promise.withResolvers<void>();
    world.link.faults.push((carryOut) => answered.promise.then(carryOut));
    const first = world.admin.post(CREATE, VALUES, await filesFor(ups), withKey('key-of-the-first'));
    await expect.poll(() => world.link.posts.length, { interval: 5 }).toBe(1);
    const second = world.admin.post(CREATE, VALUES, await filesFor(ups), withKey('key-of-the-second'));
    const asked = async () => (await world.admin.get('/api/changes/key-of-the-second')).statusCode;
    await expect.poll(asked, { interval: 5 }).toBe(409);
    answered.resolve();
    expect([(await first).json().id, (await second).json().id]).toEqual([1, 2]);
  });

  test('blocks other changes of the same kind, but not those of another', async () => {
    const world = await gatewayWorld();
    world.link.faults.push('lost');
    await world.admin.post(CREATE, VALUES, await filesFor(ups), withKey('key-of-a-create'));
    const next = await world.admin.post(CREATE, VALUES, await filesFor(ups), withKey());
    expect([next.statusCode, next.json().code]).toEqual([409, 'in-flight']);
    const somebodyElse = adminOf(world.app, await world.signIn('second@example.com'));
    expect((await somebodyElse.post(CREATE, VALUES, await filesFor(ups), withKey())).statusCode).toBe(409);
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

  test('is recovered by its texts and the number of its files when a page replaces the pictures', async () => {
    const world = await gatewayWorld();
    world.link.insteadOfRead = (path) =>
      path.startsWith('/uploads/') ? answerOf(200, '<h1>Sign in</h1>')() : undefined;
    world.link.faults.push('unanswered');
    const answer = await world.admin.post(CREATE, VALUES, await filesFor(ups), withKey('key-of-a-create'));
    expect([answer.statusCode, answer.json().id]).toEqual([200, 1]);
    expect([world.link.posts.length, world.backend.rows('ups').length]).toEqual([1, 1]);
  });

  test('is checked less and less often, so that a back end in trouble can recover', async () => {
    const world = await gatewayWorld();
    world.link.faults.push('lost');
    await world.admin.post(CREATE, VALUES, await filesFor(ups), withKey('key-of-a-create'));
    const before = world.link.reads.length;
    for (let second = 0; second < LONGEST_REQUEST / 1000 - 1; second += 1) {
      await world.clock.pass(1000);
    }
    const looks = world.link.reads.slice(before).filter((path) => path.startsWith(ups.endpoints.list)).length;
    expect(looks).toBeGreaterThan(2);
    expect(looks).toBeLessThan(8);
  });

  test('is checked at least every half minute', async () => {
    const world = await gatewayWorld();
    world.link.faults.push('lost');
    await world.admin.post(CREATE, VALUES, await filesFor(ups), withKey('key-of-a-create'));
    world.link.insteadOfRead = (path) => (path === '/api/user' ? undefined : answerOf(500, { message: 'No.' })());
    for (let look = 0; look < 12; look += 1) {
      const reads = world.link.reads.length;
      await world.clock.pass(30_000);
      expect(world.link.reads.length).toBeGreaterThan(reads);
      // what is due by now has started and finished
      await world.admin.get('/api/capabilities');
      await setImmediate();
    }
  });

  test('is not recovered from an equal record that existed before', async () => {
    const world = await gatewayWorld();
    const files = await filesFor(ups);
    await world.admin.post(CREATE, VALUES, files);
    world.link.faults.push('lost');
    await world.admin.post(CREATE, VALUES, files, withKey('key-of-a-create'));
    expect((await settled(world, 'key-of-a-create')).json()).toMatchObject({ id: 2 });
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

  test('of a delete is recovered from the missing row', async () => {
    const world = await gatewayWorld();
    await world.admin.post(CREATE, VALUES, await filesFor(ups));
    world.link.faults.push('unanswered');
    expect((await world.admin.order(`${ups.endpoints.delete}/1`, withKey())).statusCode).toBe(200);
    expect(world.backend.rows('ups')).toEqual([]);
  });

  test('of an image removal is recovered from the missing image', async () => {
    const world = await gatewayWorld();
    await world.admin.post(CREATE, VALUES, await filesFor(ups));
    const [image] = (await world.admin.get(single(1))).json().images;
    world.link.faults.push('unanswered');
    const lost = await world.admin.order(`/api/delete-image/${image.id}`, withKey('key-of-an-image'));
    expect(lost.statusCode).toBe(409);
    expect((await settled(world, 'key-of-an-image')).statusCode).toBe(200);
    expect(world.backend.images('ups', 1)).toHaveLength(1);
  });

  test('of an edit overtaken by someone else becomes a 412, without overwriting their change', async () => {
    const world = await gatewayWorld();
    const { version } = (await world.admin.post(CREATE, VALUES, await filesFor(ups))).json();
    world.link.faults.push('lost');
    const key = { ...withKey('key-of-an-edit'), 'if-match': `"${version}"` };
    expect((await world.admin.post(single(1), { ...VALUES, brand: 'Mine' }, [], key)).statusCode).toBe(409);
    await overwrite(world, 'Theirs');
    expect((await settled(world, 'key-of-an-edit', 5000)).statusCode).toBe(404);
    expect((await world.admin.post(single(1), { ...VALUES, brand: 'Mine' }, [], key)).statusCode).toBe(412);
    expect(world.backend.rows('ups')).toMatchObject([{ brand: 'Theirs' }]);
  });

  test('of the photos sent ahead of an edit is recovered although someone else has overwritten the texts', async () => {
    const world = await gatewayWorld();
    await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(1))]);
    world.link.faults.push('lost');
    const more = (await photos(31)).slice(1);
    const edit = { ...VALUES, brand: 'Mine' };
    expect((await world.admin.post(single(1), edit, more, withKey('key-of-an-edit'))).statusCode).toBe(409);
    await overwrite(world, 'Theirs');
    expect((await settled(world, 'key-of-an-edit', 5000)).statusCode).toBe(200);
    expect(hashes(world)).toHaveLength(31);
    expect(world.backend.rows('ups')).toMatchObject([{ brand: 'Mine' }]);
  });

  test('names the duplicate rows that an intermediary made of one create', async () => {
    const world = await gatewayWorld();
    world.link.faults.push('twice');
    const answer = await world.admin.post(CREATE, VALUES, await filesFor(ups), withKey());
    expect(answer.json()).toMatchObject({ id: 1, duplicates: [2] });
  });

  test('is recovered when the back end answers an error after executing the change', async () => {
    const world = await gatewayWorld();
    const failing = async (carryOut: () => Promise<unknown>) => {
      await carryOut();
      return answerOf(500, { message: 'The mail could not be sent.' })();
    };
    world.link.faults.push(failing);
    const created = await world.admin.post(CREATE, VALUES, await filesFor(ups), withKey());
    expect([created.statusCode, created.json().id]).toEqual([200, 1]);
    world.link.faults.push(failing);
    const edited = await world.admin.post(single(1), { ...VALUES, brand: 'Eaton' }, [], withKey());
    expect(edited.statusCode).toBe(200);
    expect([world.link.posts.length, world.backend.rows('ups').length]).toEqual([2, 1]);
  });

  test('passes on the back end’s own error, once it is known that nothing was stored', async () => {
    const world = await gatewayWorld();
    world.link.faults.push(answerOf(500, { message: 'Server Error' }));
    const failed = await world.admin.post(CREATE, VALUES, await filesFor(ups), withKey('key-of-a-create'));
    expect([failed.statusCode, failed.json()]).toEqual([500, { message: 'Server Error' }]);
    const again = await world.admin.post(CREATE, VALUES, await filesFor(ups), withKey('key-of-a-create'));
    expect([again.statusCode, world.backend.rows('ups').length]).toEqual([200, 1]);
  });
});

/** A create has arrived, the gateway gets no answer, and its sender has logged out. */
async function withoutItsSender() {
  const world = await gatewayWorld();
  world.link.faults.push('hangs');
  void world.admin.post(CREATE, VALUES, await filesFor(ups), withKey('key-of-a-create')).catch(() => undefined);
  await soon(() => expect(world.backend.rows('ups')).toHaveLength(1), 5);
  const headers = { accept: 'application/json', authorization: `Bearer ${world.token}` };
  await world.backend.handle(new Request('http://x/api/logout', { method: 'POST', headers }));
  return world;
}

describe('a killed gateway', () => {
  test('finds its row at the next start after a kill between commit and answer', async () => {
    const world = await gatewayWorld();
    world.link.faults.push('hangs');
    void world.admin.post(CREATE, VALUES, await filesFor(ups), withKey('key-of-a-create')).catch(() => undefined);
    await soon(() => expect(world.backend.rows('ups')).toHaveLength(1), 5);
    const second = { ...world, admin: adminOf(await world.start(), world.token) };
    expect((await settled(second, 'key-of-a-create')).json()).toMatchObject({ id: 1 });
    const again = await second.admin.post(CREATE, VALUES, await filesFor(ups), withKey('key-of-a-create'));
    expect([again.json().id, world.backend.rows('ups').length, world.link.posts.length]).toEqual([1, 1, 1]);
  });

  test('sends the rest after a kill in the middle of a divided change', async () => {
    const world = await gatewayWorld();
    world.link.faults.push(undefined, 'hangs');
    const files = await photos(45);
    void world.admin.post(CREATE, VALUES, [catalog, ...files], withKey('key-of-a-create')).catch(() => undefined);
    await soon(() => expect(hashes(world)).toHaveLength(39), 5);
    const second = { ...world, admin: adminOf(await world.start(), world.token) };
    expect((await settled(second, 'key-of-a-create')).json()).toMatchObject({ id: 1, version: expect.any(String) });
    expect(hashes(world)).toEqual(files.map(({ bytes }) => sha256(bytes)));
  });

  test('sends its files although the data folder was moved meanwhile', async () => {
    const world = await gatewayWorld();
    world.link.faults.push('lost');
    const files = [catalog, ...(await photos(2))];
    await world.admin.post(CREATE, VALUES, files, withKey('key-of-a-create'));
    await world.app.close();
    const moved = `${world.dataDir}-moved`;
    await rename(world.dataDir, moved);
    onTestFinished(() => rm(moved, { recursive: true, force: true }));
    const second = { ...world, admin: adminOf(await world.start({}, moved), world.token) };
    expect((await settled(second, 'key-of-a-create')).json()).toMatchObject({ id: 1 });
    expect(hashes(world)).toEqual(files.slice(1).map(({ bytes }) => sha256(bytes)));
  });

  test('continues in a newer session of the sender, whose own session has ended', async () => {
    const world = await withoutItsSender();
    const second = { ...world, admin: adminOf(await world.start(), await world.signIn()) };
    expect((await settled(second, 'key-of-a-create')).json()).toMatchObject({ id: 1 });
  });

  test('lets others work again although no session of the sender is left', async () => {
    const world = await withoutItsSender();
    const other = adminOf(await world.start(), await world.signIn('second@example.com'));
    const files = await filesFor(ups);
    const key = withKey();
    await soon(async () => {
      void world.clock.pass(1000);
      expect((await other.post(CREATE, { ...VALUES, brand: 'Other' }, files, key)).statusCode).toBe(200);
    });
    expect(world.backend.rows('ups').map((row) => row['brand'])).toEqual([VALUES['brand'], 'Other']);
  });
});
