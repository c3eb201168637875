import { expect, test } from 'vitest';
import { waitingHere } from '../../server/shared/waiting-keys.ts';

test('a key waits for the sender of its batch alone, until its change is done or the batch ends', async () => {
  const waiting = waitingHere();
  const batch = await waiting.add(1, ['a', 'b', 'c']);
  const states = () => Promise.all(['a', 'b', 'c', 'd'].map((key) => waiting.has(1, key)));
  expect(await states()).toEqual([true, true, true, false]);
  expect(await waiting.has(2, 'a')).toBe(false);
  await batch.done('b');
  expect(await states()).toEqual([true, false, true, false]);
  await batch.end();
  expect(await states()).toEqual([false, false, false, false]);
});

test('a key in two batches of one sender waits until both are through with it, and each knows of the one before', async () => {
  const waiting = waitingHere();
  const first = await waiting.add(1, ['a', 'b', 'a']);
  const other = await waiting.add(2, ['a']);
  const second = await waiting.add(1, ['a', 'c']);
  expect([first, other, second].map(({ elsewhere }) => [...elsewhere])).toEqual([[], [], ['a']]);
  await first.done('a');
  await first.done('a');
  expect(await waiting.has(1, 'a')).toBe(true);
  await first.end();
  expect(await waiting.has(1, 'a')).toBe(true);
  await second.end();
  expect([await waiting.has(1, 'a'), await waiting.has(2, 'a')]).toEqual([false, true]);
});
