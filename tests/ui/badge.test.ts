import { afterEach, describe, expect, it, vi } from 'vitest';
import { followBadge } from '../../src/app/badge.ts';

const live = vi.hoisted(() => ({ waiting: 0, tell: () => {} }));
vi.mock('../../src/api/live.ts', () => ({
  liveQueueState: {
    value: () => ({ waiting: live.waiting }),
    subscribe: (listener: () => void) => {
      live.tell = listener;
      return () => {};
    },
  },
}));

afterEach(() => Reflect.deleteProperty(navigator, 'setAppBadge'));

function tell(waiting: number): void {
  live.waiting = waiting;
  live.tell();
}

describe('the badge of the installed app', () => {
  it('shows the number of waiting changes, and disappears when there are none', () => {
    const setAppBadge = vi.fn<(count: number) => Promise<void>>().mockResolvedValue();
    Object.assign(navigator, { setAppBadge });
    followBadge();
    for (const waiting of [2, 2, 1, 0]) tell(waiting);
    // a badge of 0 is no badge
    expect(setAppBadge.mock.calls.flat()).toEqual([2, 1, 0]);
  });

  it('of an earlier page is cleared when nothing waits any more', () => {
    const setAppBadge = vi.fn<(count: number) => Promise<void>>().mockResolvedValue();
    Object.assign(navigator, { setAppBadge });
    followBadge();
    tell(0);
    expect(setAppBadge.mock.calls.flat()).toEqual([0]);
  });

  it('is skipped on a platform without badges', () => {
    expect(followBadge).not.toThrow();
  });
});
