import { expect, test } from 'vitest';
import { claimPages } from '../../sw/updates.ts';
import { FakeScope } from './support/fake-scope.ts';

test('a worker that takes over claims the open pages once, and stays alive until that is done', async () => {
  const scope = new FakeScope();
  let has = () => {};
  const claim = scope.clients.claim;
  scope.clients.claim = async () => {
    await claim();
    await new Promise<void>((resolve) => {
      has = resolve;
    });
  };
  claimPages(scope);
  expect(scope.claimed).toBe(0);
  const event = scope.fire('activate', {});
  expect([scope.claimed, event.isHeld]).toEqual([1, true]);
  let isOver = false;
  const over = event.over().finally(() => {
    isOver = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isOver).toBe(false);
  has();
  await over;
});
