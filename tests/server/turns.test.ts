import { expect, test } from 'vitest';
import { turns } from '../../server/concurrency.ts';

/** Tasks that report when they start and end on demand. */
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

test('runs up to the allowed number of tasks at once, and the others in order', async () => {
  const { task, begun, end, settled } = bench(2);
  for (const name of ['a', 'b', 'c', 'd']) void task('soon', name);
  await settled();
  expect(begun).toEqual(['a', 'b']);
  await end('b');
  expect(begun).toEqual(['a', 'b', 'c']);
  await end('a');
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
});

test('starts patient tasks only when nothing else runs, one at a time', async () => {
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

test('keeps to the limit, and starts urgent tasks before patient ones that waited longer', async () => {
  const { task, begun, end, settled } = bench(2);
  for (const name of ['patient 1', 'patient 2']) void task('whenIdle', name);
  await settled();
  for (const name of ['a', 'b', 'c']) void task('soon', name);
  await settled();
  expect(begun).toEqual(['patient 1', 'a']);
  await end('patient 1');
  expect(begun).toEqual(['patient 1', 'a', 'b']);
});

test('delays an urgent task by at most one patient task', async () => {
  const { task, begun, end, settled } = bench(1);
  for (const name of ['patient 1', 'patient 2']) void task('whenIdle', name);
  void task('soon', 'a');
  await settled();
  expect(begun).toEqual(['patient 1']);
  await end('patient 1');
  expect(begun).toEqual(['patient 1', 'a']);
});

test('continues after a failed task', async () => {
  const { soon } = turns(1);
  await expect(soon(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await soon(async () => 'next')).toBe('next');
});

test('starts an urgent task before a patient one that has waited longer', async () => {
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
