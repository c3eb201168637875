import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { QueuePause } from '../../src/domain/outbox/vocabulary.ts';
import { followAnswers } from '../../src/api/revalidation.ts';
import { noteAnswer } from '../../src/stores/connection.ts';

const here = vi.hoisted(() => ({ pause: undefined as QueuePause | undefined, wake: vi.fn() }));
vi.mock('../../src/api/live.ts', () => ({
  liveQueueState: { value: () => here.pause && { pause: here.pause }, subscribe: () => () => {} },
  liveEntries: { value: () => [], subscribe: () => () => {} },
  liveIdentities: { value: () => new Map(), subscribe: () => () => {} },
}));
vi.mock('../../src/api/worker-bridge.ts', () => ({ wake: here.wake }));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  here.wake.mockClear();
});

function pauseFor(milliseconds: number, cause: QueuePause['cause'] = 'unreachable'): void {
  here.pause = { cause, since: Date.now(), until: Date.now() + milliseconds, failures: 9 };
}

describe('a page whose requests are answered', () => {
  followAnswers();

  it('ends the queue’s wait for a connection with every answer', () => {
    pauseFor(240_000);
    noteAnswer(true);
    expect(here.wake.mock.calls).toEqual([[{ answered: true }]]);
    // the sender may have met a bad link once more
    noteAnswer(true);
    expect(here.wake).toHaveBeenCalledTimes(2);
  });

  it.each([
    ['nothing answers, or only an intermediary does', () => pauseFor(240_000), false],
    ['the queue waits for a busy server', () => pauseFor(240_000, 'busy'), true],
    ['the wait has already ended', () => pauseFor(0), true],
    ['the queue does not wait', () => (here.pause = undefined), true],
  ])('leaves the queue alone when %s', (_when, happens, answers) => {
    happens();
    noteAnswer(answers, !answers);
    expect(here.wake).not.toHaveBeenCalled();
  });
});
