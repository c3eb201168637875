import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { workAtRest } from '../../src/resource/list/work-at-rest.ts';

// jsdom has no idle time of its own: here there is some every ten milliseconds.
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('requestIdleCallback', (run: () => void) => setTimeout(run, 10));
  vi.stubGlobal('cancelIdleCallback', (idle: number) => clearTimeout(idle));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const scrolled = () => window.dispatchEvent(new Event('scroll'));

test('work waits while the page is scrolled, and goes on once it rests', () => {
  const done: string[] = [];
  workAtRest([() => done.push('texts'), () => done.push('order')]);
  vi.advanceTimersByTime(10);
  expect(done).toEqual(['texts']);
  for (let frames = 0; frames < 100; frames += 1) {
    scrolled();
    vi.advanceTimersByTime(16);
  }
  expect(done).toEqual(['texts']);
  vi.advanceTimersByTime(510);
  expect(done).toEqual(['texts', 'order']);
  scrolled();
  expect(vi.getTimerCount()).toBe(0);
});

test('work that is called off is not done after a scroll either', () => {
  const work = vi.fn();
  const stop = workAtRest([work]);
  scrolled();
  stop();
  scrolled();
  vi.advanceTimersByTime(5000);
  expect(work).not.toHaveBeenCalled();
});
