import { expect, test } from 'vitest';
import { answerOf } from '../harness/back-link.ts';
import { soon } from '../harness/soon.ts';
import { CREATE, catalog, hashes, photos, settled, single, VALUES, type World } from './gateway-ups.ts';
import { adminOf, gatewayWorld } from './gateway-world.ts';
import { withKey } from './harness.ts';
import { picture } from './samples.ts';

const KEY = 'key-of-a-change';
const THEIRS = { ...VALUES, brand: 'Theirs' };
const forbidden = answerOf(403, { message: 'This action is unauthorized.' });

async function logOut({ backend, token }: Pick<World, 'backend' | 'token'>): Promise<void> {
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
  await backend.handle(new Request('http://x/api/logout', { method: 'POST', headers }));
}

/** A world whose sender logs out before the second part of the next change. */
async function endingSession(settings: Record<string, string> = {}) {
  const world = await gatewayWorld({ settings });
  const endSession = () =>
    world.link.faults.push(undefined, async (carryOut) => {
      await logOut(world);
      return carryOut();
    });
  const other = async () => adminOf(world.app, await world.signIn('second@example.com'));
  return { ...world, endSession, other };
}

/** A create whose last part was refused, by a sender who may not delete the record that its first part has made. */
async function createThatCannotBeRolledBack() {
  const world = await gatewayWorld();
  const bad = { field: 'images[]', bytes: await picture('webp'), name: 'x.webp', type: 'image/webp' };
  world.link.faults.push(undefined, undefined, forbidden);
  const answer = await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(30)), bad], withKey(KEY));
  expect([answer.statusCode, answer.json().code]).toEqual([409, 'in-flight']);
  return { ...world, other: adminOf(world.app, await world.signIn('second@example.com')) };
}

test('a change in parts lets others work when its session has ended, and continues in the next one', async () => {
  const world = await endingSession();
  world.endSession();
  const answer = await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(30))], withKey(KEY));
  expect([answer.statusCode, answer.json().code]).toEqual([409, 'in-flight']);
  const other = await world.other();
  expect((await other.post(CREATE, THEIRS, [catalog, ...(await photos(1))], withKey())).json()).toMatchObject({
    id: 2,
  });
  expect((await other.post(single(1), THEIRS, [], withKey())).statusCode).toBe(200);
  const admin = adminOf(world.app, await world.signIn());
  expect((await settled({ ...world, admin }, KEY)).json()).toMatchObject({ id: 1 });
  expect([hashes(world, 1).length, hashes(world, 2).length]).toEqual([30, 1]);
  expect(world.backend.rows('ups').map((row) => row['brand'])).toEqual(['Theirs', 'Theirs']);
});

test('a change in parts sends no photos in a session that has ended', async () => {
  const world = await endingSession();
  world.endSession();
  await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(30))], withKey(KEY));
  const [posts, reads] = [world.link.posts.length, world.link.reads.length];
  void world.clock.pass(1000);
  await soon(() => expect(world.link.reads.length).toBeGreaterThan(reads));
  const files = [catalog, ...(await photos(1))];
  expect((await (await world.other()).post(CREATE, THEIRS, files, withKey())).statusCode).toBe(200);
  expect(world.link.posts.length).toBe(posts + 1);
});

test('a change in parts does not continue while the outcome of another is unknown', async () => {
  const world = await endingSession();
  world.endSession();
  await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(30))], withKey(KEY));
  const other = await world.other();
  const create = async () => other.post(CREATE, THEIRS, [catalog, ...(await photos(1))], withKey('key-of-another'));
  world.link.faults.push('lost');
  expect((await create()).statusCode).toBe(409);
  const admin = adminOf(world.app, await world.signIn());
  expect((await admin.get(`/api/changes/${KEY}`)).statusCode).toBe(409);
  void world.clock.pass(0);
  expect((await settled({ ...world, admin: other }, 'key-of-another')).json()).toMatchObject({ id: 2 });
  expect((await settled({ ...world, admin }, KEY)).json()).toMatchObject({ id: 1 });
  expect(world.link.posts).toEqual([CREATE, single(1), CREATE, CREATE, single(1)]);
});

test('an edit in parts is a conflict if someone else changed the texts meanwhile, and their photos stay', async () => {
  const world = await endingSession();
  await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(1))]);
  world.endSession();
  const all = await photos(46);
  expect(
    (await world.admin.post(single(1), { ...VALUES, brand: 'Mine' }, all.slice(1, 45), withKey(KEY))).statusCode,
  ).toBe(409);
  const mine = hashes(world).length - 1;
  expect(mine).toBeGreaterThan(0);
  expect((await (await world.other()).post(single(1), THEIRS, all.slice(45), withKey())).statusCode).toBe(200);
  const admin = adminOf(world.app, await world.signIn());
  expect((await settled({ ...world, admin }, KEY)).statusCode).toBe(404);
  expect([hashes(world).length, world.backend.rows('ups')[0]?.['brand']]).toEqual([2, 'Theirs']);
});

test('a rollback that the sender is not allowed lets others work, and is made once it is allowed', async () => {
  const world = await createThatCannotBeRolledBack();
  const files = [catalog, ...(await photos(1))];
  expect((await world.other.post(CREATE, THEIRS, files, withKey())).json()).toMatchObject({ id: 2 });
  expect((await settled(world, KEY)).statusCode).toBe(404);
  expect(world.backend.rows('ups').map(({ id }) => id)).toEqual([2]);
});

test('a rollback that was not allowed leaves a record that someone else has edited since', async () => {
  const world = await createThatCannotBeRolledBack();
  expect((await world.other.post(single(1), THEIRS, [], withKey())).statusCode).toBe(200);
  expect((await settled(world, KEY)).statusCode).toBe(404);
  expect(world.backend.rows('ups')).toMatchObject([{ id: 1, brand: 'Theirs' }]);
});

test('the log names a change that stays open, once, with the status that stops it', async () => {
  const world = await endingSession({ LOG_LEVEL: 'warn' });
  world.endSession();
  await world.app.close();
  const lines: string[] = [];
  const app = await world.start({ logStream: { write: (line) => void lines.push(line) } });
  await adminOf(app, world.token).post(CREATE, VALUES, [catalog, ...(await photos(30))], withKey(KEY));
  const warnings = () => lines.map((line) => JSON.parse(line)).filter(({ key }) => key === KEY);
  const looked = (done: () => void) =>
    soon(() => {
      void world.clock.pass(30_000);
      done();
    });
  await looked(() => expect(warnings()).toHaveLength(1));
  const reads = world.link.reads.length;
  await looked(() => expect(world.link.reads.length).toBeGreaterThan(reads));
  const other = adminOf(app, await world.signIn('second@example.com'));
  // it waits until the look has ended
  expect((await other.post(CREATE, THEIRS, [catalog, ...(await photos(1))], withKey())).statusCode).toBe(200);
  expect(warnings()).toMatchObject([{ level: 40, kind: 'ups', status: 401 }]);
});
