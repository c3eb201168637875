import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { QueuePause } from '../../src/domain/outbox/vocabulary.ts';
import { followSignedOutSender, probeServer, refreshOnReturn } from '../../src/api/revalidation.ts';
import { noteAnswer, useConnection } from '../../src/stores/connection.ts';
import { useSession } from '../../src/stores/session.ts';

const SECOND = 1_000;

/** What the page has of its device, and what it asks for. */
const here = vi.hoisted(() => ({
  pause: undefined as QueuePause | undefined,
  queueChanges: () => {},
  wake: vi.fn(),
  refreshUser: vi.fn(async () => undefined),
  refreshCapabilities: vi.fn(async (_signal?: AbortSignal) => undefined as undefined),
  bringUpToDate: vi.fn(async () => undefined),
  refreshWatched: vi.fn(),
}));
vi.mock('../../src/api/live.ts', () => ({
  liveQueueState: {
    value: () => here.pause && { pause: here.pause },
    subscribe: (work: () => void) => {
      here.queueChanges = work;
      return () => {};
    },
  },
  liveEntries: { value: () => [], subscribe: () => () => {} },
  liveIdentities: { value: () => new Map(), subscribe: () => () => {} },
}));
vi.mock('../../src/api/worker-bridge.ts', () => ({ wake: here.wake }));
vi.mock('../../src/api/auth.ts', () => ({ refreshUser: here.refreshUser }));
vi.mock('../../src/api/capabilities.ts', () => ({ refreshCapabilities: here.refreshCapabilities }));
vi.mock('../../src/api/sources.ts', () => ({
  bringUpToDate: here.bringUpToDate,
  refreshWatched: here.refreshWatched,
}));

function look(hidden: boolean): void {
  Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}

/** Signs in a user with this token, whose session may be known to be over. Without one, nobody is signed in. */
function signIn(token: string | undefined, ended = false): void {
  const { token: _, ...nobody } = useSession.getState();
  useSession.setState({ ...nobody, ended, ...(token !== undefined && { token }) }, true);
}

beforeEach(() => {
  vi.useFakeTimers();
  signIn('token');
});
afterEach(() => {
  look(false);
  vi.useRealTimers();
  vi.clearAllMocks();
});

describe('a page that the user returns to', () => {
  refreshOnReturn();

  /** The user is away for this many milliseconds. */
  function away(milliseconds: number): void {
    look(true);
    vi.advanceTimersByTime(milliseconds);
    expect(here.bringUpToDate).not.toHaveBeenCalled();
    look(false);
  }

  it('requests only changes after a short absence', () => {
    away(60 * SECOND);
    expect(here.bringUpToDate).toHaveBeenCalledOnce();
    expect([here.refreshWatched.mock.calls, here.refreshUser.mock.calls]).toEqual([[], []]);
  });

  it('reloads what is on screen and the user’s permissions after a minute', () => {
    away(60 * SECOND + 1);
    expect(here.refreshWatched).toHaveBeenCalledOnce();
    expect(here.refreshUser).toHaveBeenCalledOnce();
    expect(here.bringUpToDate).toHaveBeenCalledOnce();
  });

  it('requests no user when nobody is signed in', () => {
    signIn(undefined);
    away(90 * SECOND);
    expect(here.refreshUser).not.toHaveBeenCalled();
  });

  it('resumes the queue and reloads what is on screen when the connection returns', () => {
    noteAnswer(false);
    expect(here.wake).not.toHaveBeenCalled();
    noteAnswer(true);
    expect(here.wake.mock.calls).toEqual([[{ linkReturned: true }]]);
    expect(here.refreshWatched).toHaveBeenCalledOnce();
    expect(here.bringUpToDate).toHaveBeenCalledOnce();
  });
});

describe('the server is probed', () => {
  const asked = () => here.refreshCapabilities.mock.calls.length;

  it('every 15 seconds while it is unreachable, the network is up and the page is visible', async () => {
    probeServer();
    noteAnswer(false);
    await vi.advanceTimersByTimeAsync(45 * SECOND);
    expect(asked()).toBe(3);
    look(true);
    await vi.advanceTimersByTimeAsync(45 * SECOND);
    expect(asked()).toBe(3);
    look(false);
    useConnection.setState({ radio: false });
    await vi.advanceTimersByTimeAsync(45 * SECOND);
    expect(asked()).toBe(3);
    useConnection.setState({ radio: true });
  });

  it('once at a time, and a stalled link is noticed after 20 seconds', async () => {
    let stalled: AbortSignal | undefined;
    here.refreshCapabilities.mockImplementation((signal) => {
      stalled = signal;
      return new Promise((resolve) => signal?.addEventListener('abort', () => resolve(undefined)));
    });
    onTestFinished(() => void here.refreshCapabilities.mockImplementation(async () => undefined));
    probeServer();
    noteAnswer(true);
    await vi.advanceTimersByTimeAsync(90 * SECOND);
    expect([asked(), stalled?.aborted, useConnection.getState().answers]).toEqual([1, false, true]);
    await vi.advanceTimersByTimeAsync(5 * SECOND);
    expect([stalled?.aborted, useConnection.getState().answers]).toEqual([true, false]);
    await vi.advanceTimersByTimeAsync(10 * SECOND);
    expect(asked()).toBe(2);
  });

  it('after a minute of silence, and not while it answers', async () => {
    probeServer();
    noteAnswer(true);
    await vi.advanceTimersByTimeAsync(60 * SECOND);
    expect(asked()).toBe(0);
    await vi.advanceTimersByTimeAsync(15 * SECOND);
    expect(asked()).toBe(1);
  });
});

describe('a queue that was refused for its sign-in', () => {
  followSignedOutSender();

  it.each<[string, QueuePause['cause'], boolean, string | undefined, number]>([
    ['is', 'signed-out', false, 'token', 1],
    ['is not where the session is known to be over', 'signed-out', true, 'token', 0],
    ['is not where nobody is signed in', 'signed-out', false, undefined, 0],
    ['is not where the queue waits for something else', 'busy', false, 'token', 0],
  ])('%s checked by the page', (_what, cause, ended, token, times) => {
    signIn(token, ended);
    here.pause = { cause, since: 0, failures: 0 } as QueuePause;
    here.queueChanges();
    expect(here.refreshUser).toHaveBeenCalledTimes(times);
  });
});
