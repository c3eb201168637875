import { expect, test } from 'vitest';
import { BatchRun } from '../../server/protocol/batch-run.ts';
import type { ChangeDesk } from '../../server/protocol/make-change.ts';
import type { Refusal } from '../../server/errors/refusal.ts';
import { waitingHere } from '../../server/shared/waiting-keys.ts';
import type { Caller } from '../../server/stores/store.ts';
import { change } from './batch-client.ts';

test('lets a key wait for its sender only, until its change is done or the batch ends', async () => {
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

test('lets a key in two batches of one sender wait for both, and tells the second of the first', async () => {
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

test('stops waiting for a change once it is answered, and for all when no one reads the answers any more', async () => {
  const waiting = waitingHere();
  const changes = ['local-1', 'local-2'].map((id) => change('delete', 'partners', { id }));
  const run = await BatchRun.begin({
    desk: { waiting } as ChangeDesk,
    caller: { user: { id: 1 } } as Caller,
    batch: { changes, parts: [] },
    asRefusal: (error) => error as Refusal,
  });
  const states = () => Promise.all(changes.map(({ key }) => waiting.has(1, key)));
  expect(await states()).toEqual([true, true]);
  const answers = run.answers();
  expect((await answers.next()).value).toMatchObject({ status: 424 });
  expect(await states()).toEqual([false, true]);
  await answers.return(undefined);
  expect(await states()).toEqual([false, false]);
});
