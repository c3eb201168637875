import { expect, test } from 'vitest';
import { bellOfOwn } from '../../server/stores/sql/engine.ts';
import { runningHere } from '../../server/stores/sql/running.ts';

test('stops notifying only the one who unsubscribes', () => {
  const bell = bellOfOwn();
  const heard: string[] = [];
  const end = bell.watch(() => heard.push('one'));
  bell.watch(() => heard.push('other'));
  bell.ring();
  end();
  bell.ring();
  expect(heard).toEqual(['one', 'other', 'other']);
});

test('frees only its own key when a change ends', async () => {
  const running = runningHere();
  const [long, short] = [
    { userId: 1, key: 'long' },
    { userId: 1, key: 'short' },
  ];
  let finish = () => {};
  const task = running.alone(long, () => new Promise<void>((done) => (finish = done)));
  await running.alone(short, async () => undefined);
  await running.requireFree(short);
  await running.requireFree({ ...long, userId: 2 });
  await expect(running.requireFree(long)).rejects.toMatchObject({ status: 409 });
  await expect(running.alone(long, async () => undefined)).rejects.toMatchObject({ status: 409 });
  finish();
  await task;
  await running.requireFree(long);
});

test('frees the key of a failed change', async () => {
  const running = runningHere();
  const key = { userId: 1, key: 'one' };
  await expect(running.alone(key, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await running.requireFree(key);
});
