import { expect, test } from 'vitest';
import { turns } from '../../server/concurrency.ts';

/** Tasks that say when they begin and end when they are told to. */
function bench(most: number) {
  const paces = turns(most);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const task = (pace: keyof typeof paces, name: string) =>
    paces[pace](() => {
      begun.push(name);
      return new Promise<void>((end) => ends.set(name, end));
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise((settled) => setImmediate(settled));
  };
  const settled = () => end('');
  return { task, begun, end, settled };
}

test('runs as many at once as it may, and the others in order', async () => {
  const { task, begun, end, settled } = bench(2);
  for (const name of ['a', 'b', 'c', 'd']) void task('soon', name);
  await settled();
  expect(begun).toEqual(['a', 'b']);
  await end('b');
  expect(begun).toEqual(['a', 'b', 'c']);
  await end('a');
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
});

test('begins what can wait only when nothing else runs, one at a time', async () => {
  const { task, begun, end, settled } = bench(2);
  void task('soon', 'urgent');
  void task('whenIdle', 'patient 1');
  void task('whenIdle', 'patient 2');
  await settled();
  expect(begun).toEqual(['urgent']);
  await end('urgent');
  expect(begun).toEqual(['urgent', 'patient 1']);
  await end('patient 1');
  expect(begun).toEqual(['urgent', 'patient 1', 'patient 2']);
});

test('lets nobody wait for what can wait', async () => {
  const { task, begun, settled } = bench(2);
  void task('whenIdle', 'patient');
  await settled();
  for (const name of ['a', 'b', 'c']) void task('soon', name);
  await settled();
  expect(begun).toEqual(['patient', 'a', 'b']);
});

test('goes on after a task that failed', async () => {
  const { soon } = turns(1);
  await expect(soon(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await soon(async () => 'next')).toBe('next');
});

test('begins urgent work before what can wait, although that has waited longer', async () => {
  const { task, begun, end, settled } = bench(1);
  void task('soon', 'a');
  void task('whenIdle', 'patient');
  void task('soon', 'b');
  await settled();
  await end('a');
  expect(begun).toEqual(['a', 'b']);
  await end('b');
  expect(begun).toEqual(['a', 'b', 'patient']);
});
