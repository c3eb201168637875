import { expect, test, vi } from 'vitest';
import { followActivity } from '../../src/api/activity.ts';

const answer = vi.hoisted(() => Promise.withResolvers<{ body: unknown }>());

vi.mock('../../src/api/request.ts', () => ({ get: () => answer.promise }));
vi.mock('../../src/api/sources.ts', () => ({ listCopy: () => ({ state: () => ({}), subscribe: () => () => {} }) }));

test('activity that arrives after the screen was left is told to nobody', async () => {
  const [left, open] = [vi.fn(), vi.fn()];
  followActivity(left)();
  followActivity(open);
  answer.resolve({ body: [] });
  await vi.waitFor(() => expect(open).toHaveBeenCalledExactlyOnceWith([]));
  expect(left).not.toHaveBeenCalled();
});
