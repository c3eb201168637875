import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pause } from '../../src/api/pause.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a pause ends at once when it is cancelled, and leaves no timer', async () => {
  const stop = new AbortController();
  const over = pause(60_000, stop.signal);
  stop.abort();
  await over;
  expect(vi.getTimerCount()).toBe(0);
  await pause(60_000, stop.signal);
  expect(vi.getTimerCount()).toBe(0);
});

test('pauses leave no listener on their signal', async () => {
  const { signal } = new AbortController();
  const kept = new Set<unknown>();
  vi.spyOn(signal, 'addEventListener').mockImplementation((_, listener) => void kept.add(listener));
  vi.spyOn(signal, 'removeEventListener').mockImplementation((_, listener) => void kept.delete(listener));
  const over = pause(1000, signal);
  expect(kept.size).toBe(1);
  await vi.advanceTimersByTimeAsync(1000);
  await over;
  expect(kept.size).toBe(0);
});
