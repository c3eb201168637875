import { beforeEach, expect, test, vi } from 'vitest';
import { followActivity } from '../../src/api/activity.ts';
import { ApiFailure } from '../../src/api/failure.ts';
import { noteAnswer, useConnection } from '../../src/stores/connection.ts';
import { soon } from '../harness/soon.ts';

/** The answers to the requests, in the order they were asked for. */
const asked = vi.hoisted((): PromiseWithResolvers<{ body: unknown }>[] => []);
const lists = vi.hoisted(() => ({ value: 0, changed: () => {} }));

vi.mock('../../src/api/request.ts', () => ({
  get: () => {
    const answer = Promise.withResolvers<{ body: unknown }>();
    asked.push(answer);
    return answer.promise;
  },
}));
vi.mock('../../src/api/sources.ts', () => ({
  listCopy: () => ({
    state: () => ({ value: lists.value }),
    subscribe: (changed: () => void) => {
      lists.changed = changed;
      return () => {};
    },
  }),
}));

beforeEach(() => {
  asked.length = 0;
  useConnection.setState({ radio: true, answers: undefined, portal: false });
});

test('ignores activity that arrives after the screen was left', async () => {
  const [left, open] = [vi.fn(), vi.fn()];
  followActivity(left)();
  const stop = followActivity(open);
  for (const answer of asked) answer.resolve({ body: [] });
  await soon(() => expect(open).toHaveBeenCalledExactlyOnceWith([]));
  expect(left).not.toHaveBeenCalled();
  stop();
});

test('ignores activity that was requested earlier and arrives later', async () => {
  vi.useFakeTimers();
  const told = vi.fn();
  const stop = followActivity(told);
  lists.value += 1;
  lists.changed();
  await vi.advanceTimersByTimeAsync(500);
  asked[1]?.resolve({ body: ['new'] });
  await vi.advanceTimersByTimeAsync(0);
  asked[0]?.resolve({ body: [] });
  await vi.advanceTimersByTimeAsync(0);
  expect(told.mock.calls).toEqual([[['new']]]);
  stop();
  vi.useRealTimers();
});

test('requests activity again when the connection returns, until the screen is left', async () => {
  const told = vi.fn();
  const stop = followActivity(told);
  noteAnswer(false);
  asked[0]?.reject(new ApiFailure('unreachable', 'Can’t reach the server.'));
  noteAnswer(true);
  asked[1]?.resolve({ body: ['since'] });
  await soon(() => expect(told.mock.calls).toEqual([[['since']]]));
  stop();
  noteAnswer(false);
  noteAnswer(true);
  expect(asked).toHaveLength(2);
});
