import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { liveEntries, liveQueueState } from '../../src/api/live.ts';
import { useWaitingHere } from '../../src/api/waiting-here.ts';

interface Watch {
  readonly query: () => Promise<unknown>;
  readonly tell: (value: unknown) => void;
  readonly fail: (failure: Error) => void;
  readonly stop: () => void;
}

/** The device's storage: each query that was watched, and whether the storage can be opened. */
const storage = vi.hoisted(() => ({ watched: [] as Watch[], isOpen: true, isUsed: true }));

vi.mock('../../src/api/device.ts', () => ({
  hasOutbox: async () => storage.isUsed,
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

test('watches the queue from the first subscription, and again five seconds after a storage failure', async () => {
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

test('counts everybody’s waiting changes at the sign-in, without opening an unused device’s database', async () => {
  liveQueueState.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(0);
  storage.watched.at(-1)?.tell({ waiting: 2, otherAdministratorsWaiting: 3 });
  storage.isUsed = false;
  const unused = renderHook(useWaitingHere);
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(unused.result.current).toBe(0);
  storage.isUsed = true;
  const { result } = renderHook(useWaitingHere);
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(result.current).toBe(5);
  act(() => storage.watched.at(-1)?.tell({ waiting: 1, otherAdministratorsWaiting: 3 }));
  expect([result.current, unused.result.current]).toEqual([4, 0]);
});

test('stops watching the queue when the sign-in is left', async () => {
  const stop = vi.fn<() => void>();
  const looked = vi.spyOn(liveQueueState, 'subscribe').mockReturnValue(stop);
  renderHook(useWaitingHere).unmount();
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(looked).not.toHaveBeenCalled();
  const { unmount } = renderHook(useWaitingHere);
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(looked).toHaveBeenCalledOnce();
  unmount();
  expect(stop).toHaveBeenCalledOnce();
  looked.mockRestore();
});
