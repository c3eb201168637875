import { expect, test } from 'vitest';
import { checkBackEnd, checkedKind } from '../../server/commands/check-back-end.ts';
import { BackEnd } from '../../server/stores/remote/back-end.ts';
import { listToChange } from '../../server/stores/remote/shapes.ts';
import { ups } from '../../src/domain/resources/ups.ts';
import type { Habits } from '../harness/contract-only/habits.ts';
import { CREATE, catalog, photos, VALUES } from './gateway-ups.ts';
import { gatewayWorld } from './gateway-world.ts';
import { freshFolder, withKey } from './harness.ts';

async function checked(habits: Habits) {
  const world = await gatewayWorld();
  await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(1))], withKey());
  Object.assign(world.backend.habits, habits);
  const credentials = { token: world.token, cookie: '', antiForgery: '' };
  const backEnd = new BackEnd(world.link.transport, 1000);
  const shown = await checkBackEnd({ backEnd, credentials, folder: await freshFolder(), maxFiles: 20 }, ups);
  expect(world.backend.rows('ups')).toHaveLength(1);
  return shown;
}

const otherThanGood = async (habits: Habits) =>
  (await checked(habits)).filter(({ state }) => state !== 'good').map(({ text }) => text);

test('a stock back end passes every step, and nothing of it stays', async () => {
  expect(await otherThanGood({})).toEqual([]);
});

test.each<[Habits, RegExp]>([
  [{ reencodes: true }, /other bytes/],
  [{ uploads: 'redirects' }, /cannot be read back/],
  [{ observes: (_field, text) => text.toUpperCase() }, /an observer/],
  [{ hides: ['origin'] }, /does not show origin/],
])('a habit is named in words (%j)', async (habits, words) => {
  expect(await otherThanGood(habits)).toEqual([expect.stringMatching(words)]);
});

test.each<[Habits, RegExp]>([
  [{ wraps: 'data' }, /withoutWrapping/],
  [{ wraps: 'paginator' }, /withoutWrapping/],
  [{ ids: 'text' }, /ids as texts/],
  [{ ids: 'uuid' }, /numeric ids/],
])('lists in a shape that the app cannot show are named, and nothing is sent (%j)', async (habits, words) => {
  expect(await checked(habits)).toEqual([{ state: 'bad', text: expect.stringMatching(words) }]);
});

test.each([
  [[{ id: 1, deleted_at: '2026-11-20T10:00:00Z' }], /withTrashed/],
  [[{ id: 1, image: 'https://elsewhere.example/uploads/a.png' }], /alone/],
])('what to change about a list is said (%j)', (list, words) => {
  expect(listToChange(list)).toMatch(words);
});

test('a list of the contract needs no change, also with nothing deleted', () => {
  expect(
    listToChange([{ id: 1, image: 'a.png', deleted_at: null, created_at: '2026-11-20T10:00:00Z' }]),
  ).toBeUndefined();
});

test('an unknown kind is answered with those that there are', () => {
  expect(() => checkedKind('cars')).toThrow(/There is no kind "cars".*partners/);
});
