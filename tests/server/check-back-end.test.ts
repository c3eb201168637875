import { expect, test } from 'vitest';
import { checkBackEnd, checkedKind } from '../../server/commands/check-back-end.ts';
import { BackEnd } from '../../server/stores/remote/back-end.ts';
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

test('an unknown kind is answered with those that there are', () => {
  expect(() => checkedKind('cars')).toThrow(/There is no kind "cars".*partners/);
});
