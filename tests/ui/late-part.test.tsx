import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LatePart } from '../../src/app/late-part.tsx';
import { PlainNotice } from '../../src/app/plain-notice.tsx';
import { catalogue as german } from '../../src/language/de.ts';
import { speak } from '../../src/language/t.ts';
import { notify, useNotifications } from '../../src/stores/notifications.ts';

const missing = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
const there = async () => ({ default: () => <p>Here</p> });

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

afterEach(() => {
  cleanup();
  useNotifications.setState({ waiting: [] });
  vi.restoreAllMocks();
  vi.useRealTimers();
});

async function renderWithoutToasts(): Promise<void> {
  await act(async () => {
    render(
      <>
        <LatePart load={missing} instead={<PlainNotice />} />
        <LatePart load={there} />
      </>,
    );
  });
}

describe('when the code of the toasts cannot be loaded', () => {
  it('shows the other parts', async () => {
    await renderWithoutToasts();
    expect(screen.getByText('Here')).toBeDefined();
  });

  it('leaves nothing in place of a missing part', async () => {
    const { container } = render(<LatePart load={missing} />);
    await act(async () => {});
    expect(container.textContent).toBe('');
  });

  it('shows only the newest message, even from before it was rendered', async () => {
    notify('Fetched', { kind: 'info' });
    notify('Saved', { kind: 'success' });
    await renderWithoutToasts();
    expect(screen.getByRole('status').textContent).toBe('Saved');
    await act(async () => notify('Refused', { kind: 'error' }));
    expect(screen.getByRole('alert').textContent).toBe('Refused');
    expect(screen.queryByRole('status')).toBeNull();
  });

  it('removes a message after six seconds', async () => {
    await renderWithoutToasts();
    await act(async () => notify('Saved', { kind: 'success' }));
    await act(() => vi.advanceTimersByTimeAsync(5000));
    await act(async () => notify('Saved again', { kind: 'success' }));
    await act(() => vi.advanceTimersByTimeAsync(5900));
    expect(screen.getByRole('status').textContent).toBe('Saved again');
    await act(() => vi.advanceTimersByTimeAsync(100));
    expect(screen.queryByRole('status')).toBeNull();
  });

  it('offers Undo', async () => {
    const run = vi.fn();
    await renderWithoutToasts();
    await act(async () => notify('Deleted', { kind: 'success', action: { label: 'Undo', run } }));
    await act(async () => screen.getByRole('button', { name: 'Undo' }).click());
    expect(run).toHaveBeenCalledOnce();
    expect(screen.queryByRole('status')).toBeNull();
  });

  it('shows a message of the server in the user’s language', async () => {
    speak(german);
    await renderWithoutToasts();
    await act(async () => notify('Logged out.', { kind: 'success' }));
    expect(screen.getByRole('status').textContent).toBe('Abgemeldet.');
    speak(undefined);
  });
});
