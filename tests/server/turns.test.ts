import { expect, test } from 'vitest';
import { turns, type Wanted } from '../../server/concurrency/concurrency.ts';

/** Tasks that report when they start and end on demand. */
function bench(most: number, room?: Parameters<typeof turns>[1]) {
  const paces = turns(most, room);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const task = (pace: keyof typeof paces, name: string, wanted: Wanted = { by: 'a person' }) => {
    const work = () => {
      begun.push(name);
      return new Promise<void>((end) => ends.set(name, end));
    };
    return pace === 'soon' ? paces.soon(wanted, work) : paces.whenIdle(work);
  };
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
  await expect(soon({ by: 'a' }, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await soon({ by: 'a' }, async () => 'next')).toBe('next');
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

test('lets people take turns, so that nobody waits for all pictures of somebody else', async () => {
  const { task, begun, end, settled } = bench(1);
  for (const name of ['a1', 'a2', 'a3']) void task('soon', name, { by: 'a' });
  void task('soon', 'b1', { by: 'b' });
  void task('soon', 'c1', { by: 'c' });
  await settled();
  for (const name of ['a1', 'a2', 'b1', 'c1']) await end(name);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3']);
});

test('drops a task as soon as nobody wants it any more', async () => {
  const { task, begun, end, settled } = bench(1);
  const hangUp = new AbortController();
  void task('soon', 'a1', { by: 'a' });
  const dropped = task('soon', 'a2', { by: 'a', signal: hangUp.signal });
  void task('soon', 'a3', { by: 'a' });
  await settled();
  hangUp.abort(new Error('gone'));
  await expect(dropped).rejects.toThrow('gone');
  await expect(task('soon', 'a4', { by: 'a', signal: hangUp.signal })).rejects.toThrow('gone');
  await end('a1');
  expect(begun).toEqual(['a1', 'a3']);
});

test('lets only so many tasks wait, of one person and of all', async () => {
  const { task, settled } = bench(1, { ofOne: 2, ofAll: 3 });
  for (const name of ['running', 'a1', 'a2']) void task('soon', name, { by: 'a' });
  await settled();
  await expect(task('soon', 'a3', { by: 'a' })).rejects.toMatchObject({ status: 429 });
  void task('soon', 'b1', { by: 'b' });
  await expect(task('soon', 'b2', { by: 'b' })).rejects.toMatchObject({ status: 429 });
});
