import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const asked: string[] = [];

/** A page whose dialogs cannot be loaded. The browser's own question gets these answers. */
async function pageWithout(...answers: boolean[]) {
  vi.stubGlobal('confirm', (text: string) => (asked.push(text), answers.shift() ?? false));
  vi.resetModules();
  vi.doMock('../../src/ui/confirm-dialog.tsx', () => {
    throw new Error('There is no server to have it from.');
  });
  const { choose, confirm, ConfirmHost } = await import('../../src/ui/confirm.tsx');
  render(<ConfirmHost />);
  return { choose, confirm };
}

beforeEach(() => {
  asked.length = 0;
});
afterEach(() => {
  cleanup();
  vi.doUnmock('../../src/ui/confirm-dialog.tsx');
  vi.unstubAllGlobals();
});

describe('a question on a page that cannot load its dialog', () => {
  it('is asked by the browser', async () => {
    const { confirm } = await pageWithout(true);
    expect(await confirm({ title: 'Delete it?', confirmLabel: 'Delete', destructive: true })).toBe(true);
    expect(asked).toEqual(['Delete it?\n\nOK: Delete']);
  });

  it('is answered with no when the browser’s is', async () => {
    const { confirm } = await pageWithout(false);
    expect(await confirm({ title: 'Delete it?', confirmLabel: 'Delete' })).toBe(false);
  });

  it('offers several choices one after the other', async () => {
    const { choose } = await pageWithout(false, true);
    const choices = [
      { key: 'stay', label: 'Stay', look: 'plain' },
      { key: 'keep', label: 'Keep', look: 'primary' },
      { key: 'discard', label: 'Discard', look: 'destructive' },
    ] as const;
    expect(await choose({ title: '2 changes wait.', text: 'What now?', choices })).toBe('discard');
    expect(asked).toEqual(['2 changes wait.\n\nWhat now?\n\nOK: Keep', '2 changes wait.\n\nWhat now?\n\nOK: Discard']);
  });
});

describe('a destructive question', () => {
  it('does not accept Enter as a yes', async () => {
    vi.resetModules();
    const { confirm, ConfirmHost } = await import('../../src/ui/confirm.tsx');
    render(<ConfirmHost />);
    const answer = confirm({ title: 'Delete it?', confirmLabel: 'Delete', destructive: true });
    const cancel = await screen.findByRole('button', { name: 'Cancel' });
    await waitFor(() => expect(document.activeElement).toBe(cancel));
    await userEvent.setup().keyboard('{Enter}');
    expect(await answer).toBe(false);
  });
});

describe('a question', () => {
  it.each([
    ['with its text', 'It is gone for good.', 'It is gone for good.'],
    ['without any text', undefined, undefined],
  ])('is read out as it opens, %s', async (_, text, read) => {
    vi.resetModules();
    const { confirm, ConfirmHost } = await import('../../src/ui/confirm.tsx');
    render(<ConfirmHost />);
    void confirm({ title: 'Delete it?', confirmLabel: 'Delete', ...(text !== undefined && { text }) });
    const dialog = await screen.findByRole('alertdialog', { name: 'Delete it?' });
    expect(document.getElementById(dialog.getAttribute('aria-describedby') ?? '')?.textContent).toBe(read);
  });
});

describe('an open question', () => {
  it('is replaced by a second one, and returns no answer', async () => {
    vi.resetModules();
    const { choose, confirm, ConfirmHost } = await import('../../src/ui/confirm.tsx');
    render(<ConfirmHost />);
    const first = choose({ title: 'Leave?', choices: [{ key: 'leave', label: 'Leave' }] });
    const second = confirm({ title: 'Delete it?', confirmLabel: 'Delete' });
    expect(await first).toBeUndefined();
    const yes = await screen.findByRole('button', { name: 'Delete' });
    expect(screen.queryByText('Leave?')).toBeNull();
    await waitFor(() => expect(document.activeElement).toBe(yes));
    await userEvent.click(yes);
    expect(await second).toBe(true);
  });

  it('is answered with no by Escape', async () => {
    vi.resetModules();
    const { confirm, ConfirmHost } = await import('../../src/ui/confirm.tsx');
    render(<ConfirmHost />);
    const answer = confirm({ title: 'Delete it?', confirmLabel: 'Delete' });
    await screen.findByRole('alertdialog', { name: 'Delete it?' });
    await userEvent.keyboard('{Escape}');
    expect(await answer).toBe(false);
  });
});
