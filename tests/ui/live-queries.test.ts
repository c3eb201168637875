import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { liveEntries, liveQueueState } from '../../src/api/live.ts';

interface Watch {
  readonly query: () => Promise<unknown>;
  readonly tell: (value: unknown) => void;
  readonly fail: (failure: Error) => void;
  readonly stop: () => void;
}

/** The device's storage: each query that was watched, and whether the storage can be opened. */
const storage = vi.hoisted(() => ({ watched: [] as Watch[], isOpen: true }));

vi.mock('../../src/api/device.ts', () => ({
  device: async () => {
    if (!storage.isOpen) throw new Error('The storage does not answer.');
    return {
      watch(query: Watch['query'], tell: Watch['tell'], fail: Watch['fail']) {
        const stop = vi.fn<() => void>();
        storage.watched.push({ query, tell, fail, stop });
        return stop;
      },
    };
  },
}));

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test('the queue is watched from the first look on, and again five seconds after the storage failed', async () => {
  expect(storage.watched).toHaveLength(0);
  storage.isOpen = false;
  const heard = vi.fn<() => void>();
  liveEntries.subscribe(heard);
  liveEntries.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(0);
  expect(storage.watched).toHaveLength(0);
  storage.isOpen = true;
  await vi.advanceTimersByTimeAsync(5000);
  expect(storage.watched).toHaveLength(1);
  storage.watched[0]?.fail(new Error('The connection was lost.'));
  expect(storage.watched[0]?.stop).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(4999);
  expect(storage.watched).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(storage.watched).toHaveLength(2);
  storage.watched[1]?.tell([]);
  expect(heard).toHaveBeenCalled();
  expect(liveEntries.value()).toEqual([]);
});

test('the state of the queue is queried again when the type of the link changes', async () => {
  const link = Object.assign(new EventTarget(), { type: 'wifi' });
  vi.stubGlobal('navigator', { connection: link });
  storage.watched.length = 0;
  liveQueueState.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(0);
  link.type = 'cellular';
  link.dispatchEvent(new Event('change'));
  await vi.advanceTimersByTimeAsync(0);
  expect(storage.watched).toHaveLength(2);
  // the earlier query would report a second time
  expect(storage.watched[0]?.stop).toHaveBeenCalledOnce();
  vi.unstubAllGlobals();
});
