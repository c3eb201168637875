import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { prefetch } from '../../src/ui/late.tsx';
import { whenIdle } from '../../src/ui/when-idle.ts';
import { whenStill } from '../../src/ui/when-still.ts';

// jsdom has no idle time of its own: here there is some every ten milliseconds.
beforeAll(() => {
  vi.useFakeTimers();
  vi.stubGlobal('requestIdleCallback', (run: () => void) => setTimeout(run, 10));
  vi.stubGlobal('cancelIdleCallback', (idle: number) => clearTimeout(idle));
});
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
// One clock for all: a page knows how long ago it was scrolled.
beforeEach(() => void vi.advanceTimersByTime(5000));

const scrolled = () => window.dispatchEvent(new Event('scroll'));

test('delays work while the page is scrolled, and runs it once it rests', () => {
  const work = vi.fn();
  scrolled();
  whenStill(work);
  for (let frames = 0; frames < 100; frames += 1) {
    vi.advanceTimersByTime(16);
    scrolled();
  }
  expect(work).not.toHaveBeenCalled();
  vi.advanceTimersByTime(600);
  expect(work).toHaveBeenCalledOnce();
});

test('delays work that was about to run when the page starts to scroll', () => {
  const work = vi.fn();
  whenStill(work);
  scrolled();
  vi.advanceTimersByTime(400);
  expect(work).not.toHaveBeenCalled();
  vi.advanceTimersByTime(200);
  expect(work).toHaveBeenCalledOnce();
});

test('does not run cancelled work after a scroll', () => {
  const work = vi.fn();
  const callOff = whenStill(work);
  scrolled();
  vi.advanceTimersByTime(100);
  callOff();
  vi.advanceTimersByTime(5000);
  expect(work).not.toHaveBeenCalled();
});

test('fetches deferred code part by part in idle moments, up to the first failure', async () => {
  const fetched: string[] = [];
  const part = (name: string, fails = false) => ({
    load: async () => {
      fetched.push(name);
      if (fails) throw new TypeError('No link.');
    },
  });
  const all = prefetch([part('first'), part('second', true), part('third')]).catch((failure: Error) => failure.message);
  expect(fetched).toEqual([]);
  await vi.advanceTimersByTimeAsync(10);
  expect(fetched).toEqual(['first']);
  await vi.advanceTimersByTimeAsync(100);
  expect(fetched).toEqual(['first', 'second']);
  expect(await all).toBe('No link.');
});

test('runs work a little later without requestIdleCallback, unless it is cancelled', () => {
  vi.stubGlobal('requestIdleCallback', undefined);
  const work = vi.fn<() => void>();
  whenIdle(work)();
  vi.advanceTimersByTime(1000);
  expect(work).not.toHaveBeenCalled();
  whenIdle(work);
  expect(work).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1000);
  expect(work).toHaveBeenCalledOnce();
});
