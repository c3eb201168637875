import { expect, test } from 'vitest';
import { KeyedQueue } from '../../server/concurrency/keyed-queue.ts';

/** A queue whose tasks report when they start and end on demand. */
function bench() {
  const queue = new KeyedQueue();
  const begun: string[] = [];
  const tasks = new Map<string, PromiseWithResolvers<string>>();
  const run = (key: string, name: string) => {
    const task = Promise.withResolvers<string>();
    tasks.set(name, task);
    return queue.run(key, () => {
      begun.push(name);
      return task.promise;
    });
  };
  const settled = () => new Promise<void>((done) => setImmediate(done));
  const end = (name: string) => {
    tasks.get(name)?.resolve(name);
    return settled();
  };
  const fail = (name: string) => {
    tasks.get(name)?.reject(new Error(name));
    return settled();
  };
  return { run, begun, end, fail, settled };
}

test('runs tasks of one key one after another, including one that arrives while a later one runs', async () => {
  const { run, begun, end, settled } = bench();
  const first = run('key', 'first');
  const second = run('key', 'second');
  await settled();
  expect(begun).toEqual(['first']);
  await end('first');
  expect([await first, begun]).toEqual(['first', ['first', 'second']]);
  const third = run('key', 'third');
  await settled();
  expect(begun).toEqual(['first', 'second']);
  await end('second');
  expect(begun).toEqual(['first', 'second', 'third']);
  await end('third');
  expect([await second, await third]).toEqual(['second', 'third']);
});

test('lets no task wait for one with another key', async () => {
  const { run, begun, end, settled } = bench();
  const running = [run('one', 'first'), run('other', 'second')];
  await settled();
  expect(begun).toEqual(['first', 'second']);
  for (const name of begun) await end(name);
  expect(await Promise.all(running)).toEqual(['first', 'second']);
});

test('reports a task’s failure to its caller, and continues', async () => {
  const { run, begun, end, fail, settled } = bench();
  const first = run('key', 'first');
  const second = run('key', 'second');
  await settled();
  const told = expect(first).rejects.toThrow('first');
  await fail('first');
  await told;
  expect(begun).toEqual(['first', 'second']);
  await end('second');
  expect(await second).toBe('second');
});
