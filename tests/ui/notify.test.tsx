import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { dismiss, notify } from '../../src/stores/notifications.ts';
import { useSession } from '../../src/stores/session.ts';
import { colour } from '../../src/ui/tokens.ts';

beforeEach(async () => {
  vi.useFakeTimers();
  const { default: NotifyHost } = await import('../../src/app/notify.tsx');
  render(<NotifyHost />);
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
const say = (message: string, kind: 'success' | 'error') => act(async () => notify(message, { kind }));

/** This is enough to slide away, in several steps that each wait for a rendering. Milliseconds. */
const SLIDE = 800;

const isShown = (message: string) => screen.queryByText(message) !== null;

const gone = async (message: string) => {
  for (let step = 0; step < SLIDE / 50; step += 1) await pass(50);
  return !isShown(message);
};

describe('a toast', () => {
  it('closes after three seconds', async () => {
    await say('Saved', 'success');
    await pass(2900);
    expect(screen.getByText('Saved')).toBeDefined();
    await pass(100);
    expect(await gone('Saved')).toBe(true);
  });

  it('closes at once when it is no longer true', async () => {
    let id = 0;
    await act(async () => {
      id = notify('“Osram M2” will be deleted', { kind: 'info', action: { label: 'Undo', run: () => undefined } });
    });
    expect(isShown('“Osram M2” will be deleted')).toBe(true);
    await act(async () => dismiss(id));
    expect(await gone('“Osram M2” will be deleted')).toBe(true);
  });

  it('stays while the pointer is over it, and then for its remaining time', async () => {
    await say('Saved', 'success');
    await pass(2000);
    const toast = screen.getByRole('status');
    fireEvent.pointerEnter(toast);
    await pass(60_000);
    expect(screen.getByText('Saved')).toBeDefined();
    const stands = () => toast.querySelector('[data-paused]') !== null;
    expect(stands()).toBe(true);
    fireEvent.pointerLeave(toast);
    expect(stands()).toBe(false);
    await pass(900);
    expect(screen.getByText('Saved')).toBeDefined();
    await pass(100);
    expect(await gone('Saved')).toBe(true);
  });

  it('is an alert for a failure, and a status for a success', async () => {
    await say('Saved', 'success');
    await say('Refused', 'error');
    expect(screen.getByRole('alert').textContent).toContain('Refused');
    expect(screen.getByRole('status').textContent).toContain('Saved');
  });

  it('has the colour of its kind', async () => {
    await say('Saved', 'success');
    await say('Refused', 'error');
    const toneOf = (role: string) => screen.getByRole(role).style.getPropertyValue('--tone');
    expect([toneOf('status'), toneOf('alert')]).toEqual([colour.good, colour.bad]);
  });

  it('is merged with others when many come', async () => {
    for (const name of ['One', 'Two', 'Three']) await say(`${name} saved`, 'success');
    expect(screen.getAllByRole('status')).toHaveLength(3);
    for (const name of ['Four', 'Five']) await say(`${name} saved`, 'success');
    expect(await gone('Three saved')).toBe(true);
    expect(screen.getByRole('status').textContent).toContain('5 changes sent');
    await pass(3000);
    expect(await gone('5 changes sent')).toBe(true);
    await say('One more', 'success');
    expect(screen.getByRole('status').textContent).toContain('One more');
  });

  it('merges neither failures nor messages with Undo', async () => {
    for (const name of ['One', 'Two', 'Three']) await say(`${name} saved`, 'success');
    await act(async () => notify('Deleted', { kind: 'success', action: { label: 'Undo', run: () => {} } }));
    expect(isShown('Deleted')).toBe(true);
    expect(screen.getByRole('button', { name: 'Undo' })).toBeDefined();
    expect(isShown('One saved')).toBe(true);
  });

  it('says that deletions were sent, and not that they were saved', async () => {
    for (let at = 0; at < 5; at += 1) await say('Partner Deleted Successfully', 'success');
    expect(await gone('Partner Deleted Successfully')).toBe(true);
    expect(screen.getByText('5 changes sent')).toBeDefined();
  });

  it('never counts anything but confirmed changes', async () => {
    for (const name of ['One', 'Two', 'Three']) await say(`${name} saved`, 'success');
    await act(async () => notify('Successfully Logged Out', { kind: 'done' }));
    expect(['One saved', 'Two saved', 'Three saved', 'Successfully Logged Out'].filter((one) => !isShown(one))).toEqual(
      [],
    );
  });

  it('counts each change of a message that tells of several', async () => {
    for (const name of ['One', 'Two', 'Three']) await say(`${name} saved`, 'success');
    await act(async () => notify('5 partners deleted', { kind: 'success', changes: 5 }));
    expect(screen.getByText('8 changes sent')).toBeDefined();
  });

  it('withdraws an Undo with the user who could have used it', async () => {
    useSession.setState({ user: { id: 7, name: 'Nadia' }, token: 'token-1' });
    await act(async () => notify('Deleted', { kind: 'info', action: { label: 'Undo', run: () => {} } }));
    expect(isShown('Deleted')).toBe(true);
    await act(async () => useSession.setState({ user: { id: 8, name: 'Omar' }, token: 'token-2' }));
    expect(await gone('Deleted')).toBe(true);
    useSession.setState({ ended: false, signInAsked: false }, true);
  });

  it('closes one without an action to make room for a fifth', async () => {
    await say('Refused', 'error');
    await act(async () => notify('Deleted', { kind: 'info', action: { label: 'Undo', run: () => {} } }));
    for (const message of ['One', 'Two', 'Three', 'Four']) await act(async () => notify(message, { kind: 'info' }));
    expect(await gone('One')).toBe(true);
    expect(isShown('Refused')).toBe(true);
    expect(screen.getByRole('button', { name: 'Undo' })).toBeDefined();
  });

  it('merges from the fourth on, replacing the others', async () => {
    for (const name of ['One', 'Two', 'Three', 'Four']) await say(`${name} saved`, 'success');
    expect(screen.getByText('4 changes sent')).toBeDefined();
    expect(await gone('Three saved')).toBe(true);
    expect(isShown('4 changes sent')).toBe(true);
  });

  it.each([
    ['a failure', () => notify('Refused', { kind: 'error' }), 'Refused'],
    ['a message with Undo', () => notify('Gone', { kind: 'info', action: { label: 'Undo', run: () => {} } }), 'Gone'],
  ])('that merges others keeps %s', async (_, tell, message) => {
    await act(async () => tell());
    for (const name of ['One', 'Two', 'Three', 'Four']) await say(`${name} saved`, 'success');
    expect(await gone('Three saved')).toBe(true);
    expect([message, '4 changes sent'].filter(isShown)).toEqual([message, '4 changes sent']);
  });

  it('keeps its remaining time, however often the pointer returns', async () => {
    await say('Saved', 'success');
    const toast = screen.getByRole('status');
    for (const hold of [fireEvent.pointerEnter, fireEvent.focus]) {
      await pass(1000);
      hold(toast);
      await pass(10_000);
      expect(await gone('Saved')).toBe(false);
      fireEvent.blur(toast);
      fireEvent.pointerLeave(toast);
    }
    await pass(900);
    expect(isShown('Saved')).toBe(true);
    await pass(100);
    expect(await gone('Saved')).toBe(true);
  });

  it('is not shown for an empty message', async () => {
    await say('  ', 'error');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('closes by its button without running its action', async () => {
    const run = vi.fn<() => void>();
    await act(async () => notify('Deleted', { kind: 'info', action: { label: 'Undo', run } }));
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(await gone('Deleted')).toBe(true);
    expect(run).not.toHaveBeenCalled();
  });

  it('offers one action, and closes when it is done', async () => {
    const run = vi.fn<() => void>();
    await act(async () => notify('Deleted', { kind: 'info', action: { label: 'Undo', run } }));
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(run).toHaveBeenCalledOnce();
    expect(await gone('Deleted')).toBe(true);
  });
});
