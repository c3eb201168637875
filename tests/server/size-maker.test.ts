import { expect, test } from 'vitest';
import { sizeMaker } from '../../server/uploads/size-maker.ts';
import type { Storage } from '../../server/uploads/storage.ts';
import { freshFolder } from './harness.ts';

/** A maker of smaller pictures for a folder without any. Records each attempt on a picture that still exists. */
async function maker({ isKept = true, removed = [] as string[] } = {}) {
  const tried: string[] = [];
  const folder = await freshFolder();
  const files = { keeps: async () => isKept, remove: async (names: readonly string[]) => void removed.push(...names) };
  const disk = { remove: async () => undefined };
  const storage = { folder, files, disk } as unknown as Storage;
  return { ...sizeMaker(storage, (name) => tried.push(name)), tried };
}

test('makes the sizes of one picture after another, each once, until none is left', async () => {
  const { add, done, waiting, tried } = await maker();
  add(['a.jpg', 'b.jpg', 'a.jpg']);
  add(['b.jpg', 'c.jpg']);
  await done();
  expect(tried).toEqual(['a.jpg', 'b.jpg', 'c.jpg']);
  expect(waiting()).toBe(0);
  add(['a.jpg']);
  await done();
  expect(tried).toHaveLength(4);
});

test('skips the rest when the server stops, so that shutdown does not wait for a thousand pictures', async () => {
  const { add, stop, waiting, tried } = await maker();
  add(['a.jpg', 'b.jpg', 'c.jpg']);
  await stop();
  expect(tried).toEqual(['a.jpg']);
  expect(waiting()).toBe(0);
});

test('ignores a picture removed before its turn, and keeps no size of it', async () => {
  const removed: string[] = [];
  const { add, done, tried } = await maker({ isKept: false, removed });
  add(['a.jpg']);
  await done();
  expect(tried).toEqual([]);
  expect(removed.length).toBeGreaterThan(0);
  expect(removed.every((name) => name.includes('a.jpg'))).toBe(true);
});
