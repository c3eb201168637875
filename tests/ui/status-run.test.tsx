import { act, cleanup, render, renderHook, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { noteAnswer, useConnection } from '../../src/stores/connection.ts';
import { useSession } from '../../src/stores/session.ts';
import { StatusChip } from '../../src/app/shell/status-chip.tsx';
import { useStatus } from '../../src/app/shell/use-status.ts';

const queue = vi.hoisted(() => ({
  waiting: 0,
  forWifi: 0,
  needAttention: 0,
  sendingId: undefined as string | undefined,
  travelling: false,
  progress: { sent: 0, total: 0 },
  pause: undefined as object | undefined,
  lossNoticedAt: undefined as number | undefined,
}));
vi.mock('../../src/api/live.ts', () => ({ useQueueState: () => ({ ...queue, otherAdministratorsWaiting: 0 }) }));

beforeEach(() => {
  vi.useFakeTimers();
  noteAnswer(true);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('one run of sending', () => {
  const chip = () => renderHook(() => useStatus());
  const step = (hook: ReturnType<typeof chip>, next: Partial<typeof queue>) => {
    Object.assign(queue, next);
    act(() => {
      hook.rerender();
      vi.advanceTimersByTime(50);
    });
    return hook.result.current.words;
  };

  it('counts from its first change to its last, without a flicker between two', () => {
    Object.assign(queue, { waiting: 3, needAttention: 0, sendingId: undefined });
    const hook = chip();
    expect(hook.result.current.words).toBe('Online · 3 waiting');
    expect(step(hook, { sendingId: 'a' })).toBe('Sending 1 of 3');
    expect(step(hook, { waiting: 2, sendingId: undefined })).toBe('Sending 2 of 3');
    expect(step(hook, { sendingId: 'b' })).toBe('Sending 2 of 3');
    expect(step(hook, { waiting: 1, sendingId: 'c' })).toBe('Sending 3 of 3');
    expect(step(hook, { waiting: 0, sendingId: undefined })).toBe('Sending 3 of 3');
    act(() => void vi.advanceTimersByTime(1000));
    expect(hook.result.current.words).toBe('Online');
  });

  it('continues while a slow link delays the next change, until something blocks them all', () => {
    Object.assign(queue, { waiting: 2, needAttention: 0, sendingId: 'a' });
    const hook = chip();
    expect(step(hook, { waiting: 1, sendingId: undefined })).toBe('Sending 2 of 2');
    act(() => void vi.advanceTimersByTime(3000));
    expect(hook.result.current.words).toBe('Sending 2 of 2');
    expect(step(hook, { pause: { cause: 'unreachable' } })).toBe('Offline · 1 waiting');
    Object.assign(queue, { pause: undefined });
  });

  it('ends some time after its own last change, not after that of an earlier run', () => {
    Object.assign(queue, { waiting: 3, needAttention: 0, sendingId: 'a' });
    const hook = chip();
    step(hook, { waiting: 2, sendingId: undefined });
    act(() => void vi.advanceTimersByTime(4000));
    step(hook, { sendingId: 'b' });
    expect(step(hook, { waiting: 1, sendingId: undefined })).toBe('Sending 3 of 3');
    act(() => void vi.advanceTimersByTime(2000));
    expect(hook.result.current.words).toBe('Sending 3 of 3');
    act(() => void vi.advanceTimersByTime(3000));
    expect(hook.result.current.words).toBe('Online · 1 waiting');
  });

  it('shows a storage loss first', () => {
    Object.assign(queue, { waiting: 1, needAttention: 0, sendingId: undefined });
    const hook = chip();
    expect(step(hook, { lossNoticedAt: 1 })).toBe('Changes were lost · 1 waiting');
    Object.assign(queue, { lossNoticedAt: undefined });
  });

  it('shows the share of all bytes, including files being uploaded', () => {
    const MB = 1_000_000;
    Object.assign(queue, { waiting: 2, sendingId: undefined, travelling: true, progress: { sent: 0, total: 4 * MB } });
    const hook = chip();
    expect(step(hook, {})).toBe('Sending 1 of 2 · 0%');
    expect(step(hook, { progress: { sent: MB, total: 4 * MB } })).toBe('Sending 1 of 2 · 25%');
    expect(step(hook, { waiting: 1, progress: { sent: 0, total: 2 * MB } })).toBe('Sending 2 of 2 · 50%');
    expect(step(hook, { progress: { sent: MB, total: 2 * MB } })).toBe('Sending 2 of 2 · 75%');
    Object.assign(queue, { travelling: false, progress: { sent: 0, total: 0 } });
  });

  it('shows the share visibly and in the tooltip, but does not announce it', () => {
    const half = { sent: 1_000_000, total: 2_000_000 };
    Object.assign(queue, { waiting: 1, sendingId: 'a', progress: half });
    render(
      <MemoryRouter>
        <StatusChip />
      </MemoryRouter>,
    );
    const link = screen.getByRole('link', { name: 'Sending 1 of 1 · 50%' });
    expect(link.title).toBe('Sending 1 of 1 · 50%');
    expect(link.querySelector('[aria-live]')?.textContent).toBe('Sending 1 of 1');
    Object.assign(queue, { waiting: 0, sendingId: undefined, progress: { sent: 0, total: 0 } });
  });

  it('includes what is saved meanwhile', () => {
    Object.assign(queue, { waiting: 1, needAttention: 0, sendingId: 'a' });
    const hook = chip();
    expect(hook.result.current.words).toBe('Sending 1 of 1');
    expect(step(hook, { waiting: 2 })).toBe('Sending 1 of 2');
    expect(step(hook, { waiting: 1, sendingId: 'b' })).toBe('Sending 2 of 2');
  });

  it('does not count what needs attention', () => {
    Object.assign(queue, { waiting: 3, needAttention: 2, sendingId: 'a' });
    expect(chip().result.current.words).toBe('Sending 1 of 1');
  });

  it('continues between two changes, even if another needs attention', () => {
    Object.assign(queue, { waiting: 3, needAttention: 1, sendingId: 'a' });
    const hook = chip();
    expect(step(hook, { waiting: 2, sendingId: undefined })).toBe('Sending 2 of 2');
    expect(step(hook, { sendingId: 'b' })).toBe('Sending 2 of 2');
  });

  it('ends at once when its last change needs attention', () => {
    Object.assign(queue, { waiting: 1, needAttention: 0, sendingId: 'a' });
    const hook = chip();
    expect(hook.result.current.words).toBe('Sending 1 of 1');
    expect(step(hook, { needAttention: 1, sendingId: undefined })).toBe('1 needs attention');
  });
});

describe('the state of the page and the queue', () => {
  const idle = { waiting: 2, forWifi: 0, needAttention: 0, sendingId: undefined, pause: undefined };
  const words = () => renderHook(() => useStatus()).result.current.words;

  beforeEach(() => void Object.assign(queue, idle));
  afterEach(() => {
    useConnection.setState({ radio: true, answers: true, portal: false });
    useSession.setState({ ended: false });
    Object.assign(queue, idle, { waiting: 0 });
  });

  it.each([
    ['a session that has ended', () => useSession.setState({ ended: true }), 'Sign in to send'],
    [
      'a captive portal',
      () => useConnection.setState({ answers: false, portal: true }),
      'This Wi-Fi needs a sign-in · 2 waiting',
    ],
    [
      'a server that has not answered yet',
      () => useConnection.setState({ radio: true, answers: undefined } as never),
      'Connecting… · 2 waiting',
    ],
    ['changes that all wait for Wi-Fi', () => Object.assign(queue, { forWifi: 2 }), '2 waiting for Wi-Fi'],
    [
      'a device without a network, whatever was being sent',
      () => {
        Object.assign(queue, { sendingId: 'a' });
        useConnection.setState({ radio: false });
      },
      'Offline · 2 waiting',
    ],
    [
      'a sender that cannot reach the server',
      () => Object.assign(queue, { pause: { cause: 'unreachable' } }),
      'Offline · 2 waiting',
    ],
    [
      'a few bytes, of which no share is told',
      () => Object.assign(queue, { sendingId: 'a', progress: { sent: 5, total: 10 } }),
      'Sending 1 of 2',
    ],
  ])('is shown in the status: %s', (_, become, shown) => {
    become();
    expect(words()).toBe(shown);
    Object.assign(queue, { progress: { sent: 0, total: 0 } });
  });
});
