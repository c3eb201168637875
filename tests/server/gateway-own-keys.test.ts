import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { answerOf, type BackFault } from '../harness/back-link.ts';
import { CREATE, catalog, hashes, photos, settled, single, VALUES } from './gateway-ups.ts';
import { gatewayWorld } from './gateway-world.ts';
import { withKey } from './harness.ts';

const keyed = () => gatewayWorld({ habits: { ownKeys: true, reencodes: true } });

const LIST = '/api/get-upss';

test('a create is made once whichever answers are lost, without a look at the list', async () => {
  const world = await keyed();
  world.link.faults.push('unanswered', 'lost', 'unanswered');
  const key = randomUUID();
  const first = await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(45))], withKey(key));
  expect(first.statusCode).toBe(409);
  const answer = await settled(world, key);
  expect(answer.json()).toMatchObject({ id: 1 });
  expect(world.backend.rows('ups')).toHaveLength(1);
  expect(new Set(hashes(world)).size).toBe(45);
  expect(hashes(world)).toHaveLength(45);
  expect(world.link.reads.filter((path) => path.startsWith(LIST))).toEqual([]);
});

test('a change without an answer lets others of its kind go on', async () => {
  const world = await keyed();
  world.link.faults.push('lost');
  const key = randomUUID();
  await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(1))], withKey(key));
  const other = await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(1))], withKey());
  expect(other.statusCode).toBe(200);
  expect((await settled(world, key)).statusCode).toBe(200);
  expect(world.backend.rows('ups')).toHaveLength(2);
});

test('an edit does not overwrite what is changed between the last look and its request', async () => {
  const world = await keyed();
  await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(1))], withKey());
  const { version } = (await world.admin.get(single(1))).json<{ version: string }>();
  world.link.faults.push(async (carryOut) => {
    await world.elsewhere(single(1), formOfTexts({ ...VALUES, brand: 'Theirs' }));
    return carryOut();
  });
  const edit = { ...VALUES, brand: 'Mine' };
  const answer = await world.admin.post(single(1), edit, [], { ...withKey(), 'if-match': `"${version}"` });
  expect(answer.statusCode).toBe(412);
  expect(answer.json()).not.toMatchObject({ version: expect.stringMatching(/./) });
  expect(world.backend.rows('ups')[0]).toMatchObject({ brand: 'Theirs' });
});

test('photos that are added around a direct edit leave its texts alone', async () => {
  const world = await keyed();
  const faults: BackFault[] = [
    async (carryOut) => carryOut(),
    async (carryOut) => {
      await world.elsewhere(single(1), formOfTexts({ ...VALUES, brand: 'Theirs' }));
      return carryOut();
    },
  ];
  world.link.faults.push(...faults);
  const key = randomUUID();
  await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(25))], withKey(key));
  expect((await settled(world, key)).statusCode).toBe(200);
  expect(world.backend.rows('ups')[0]).toMatchObject({ brand: 'Theirs' });
  expect(hashes(world)).toHaveLength(25);
});

test.each([401, 403, 429, 503])('a repeat refused with %i leaves the change in doubt', async (status) => {
  const world = await keyed();
  world.link.faults.push('unanswered', answerOf(status, { message: 'Not now.' }));
  const key = randomUUID();
  world.link.insteadOfRead = (path) => (path.startsWith('/api/changes/') ? answerOf(503, {})() : undefined);
  await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(1))], withKey(key));
  await world.clock.pass(1000);
  expect((await world.admin.get(`/api/changes/${key}`)).statusCode).toBe(409);
  expect((await settled(world, key)).json()).toMatchObject({ id: 1 });
  expect(world.backend.rows('ups')).toHaveLength(1);
});

test('an error after the change was made is no refusal', async () => {
  const world = await keyed();
  world.link.faults.push(async (carryOut) => {
    await carryOut();
    return answerOf(500, { message: 'Server Error' })();
  });
  const answer = await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(1))], withKey());
  expect(answer.json()).toMatchObject({ id: 1 });
  expect(world.backend.rows('ups')).toHaveLength(1);
});

test('nothing is sent again to a back end that has lost its keys, and its sender is asked', async () => {
  const world = await keyed();
  world.link.faults.push('unanswered');
  const key = randomUUID();
  world.link.insteadOfRead = (path) => (path.startsWith('/api/changes/') ? answerOf(503, {})() : undefined);
  await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(1))], withKey(key));
  world.backend.habits.ownKeys = false;
  for (let minute = 0; minute < 12; minute += 1) await world.clock.pass(60_000);
  const asked = await world.admin.get(`/api/changes/${key}`);
  expect(asked.json()).toMatchObject({ code: 'unsettled' });
  expect(world.backend.rows('ups')).toHaveLength(1);
  world.backend.habits.ownKeys = true;
  expect((await settled(world, key, 60_000)).json()).toMatchObject({ id: 1 });
  expect(world.backend.rows('ups')).toHaveLength(1);
});

test('the limits of one request are those that the back end tells', async () => {
  const world = await gatewayWorld({ habits: { ownKeys: true }, settings: { API_MAX_FILES: '200' } });
  await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(25))], withKey());
  expect(hashes(world)).toHaveLength(25);
});

function formOfTexts(values: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.set(name, value);
  return form;
}
