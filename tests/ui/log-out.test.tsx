import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { answers, openApp } from './page.tsx';

/** Opens a page on which so many changes of the signed-in administrator wait, and presses Logout. */
async function pressLogout(waiting: number, { unsaved = false } = {}) {
  const { user } = await openApp('/about');
  const { hasUnsavedWork, setUnsaved } = await import('../../src/stores/unsaved.ts');
  setUnsaved('form', unsaved);
  answers['POST /api/logout'] = () => ({ message: 'Successfully Logged Out' });
  const { outbox } = await import('../../src/api/outbox.ts');
  const left = { waiting };
  const leave = vi.spyOn(outbox, 'leave').mockResolvedValue();
  vi.spyOn(outbox, 'waitingFor').mockImplementation(async () => left.waiting);
  const sendNow = vi.spyOn(outbox, 'sendNow').mockResolvedValue();
  await user.click(await screen.findByRole('button', { name: 'Logout' }));
  return { user, leave, sendNow, left, hasUnsavedWork };
}

const question = (name: string) => screen.findByRole('alertdialog', { name });
const signedOut = async () => {
  await screen.findByRole('heading', { name: 'Sign in' });
  expect(localStorage.getItem('access_token')).toBeNull();
};

describe('logging out', () => {
  it('shows the server’s message and asks nothing when nothing waits', async () => {
    await pressLogout(0);
    await signedOut();
    expect(await screen.findByText('Successfully Logged Out')).toBeDefined();
  });

  it('leaves neither the page nor a way back to it for the next user', async () => {
    await pressLogout(0);
    await signedOut();
    await waitFor(() => expect(window.history.state?.usr?.from).toBeUndefined());
    expect(window.history.state.idx).toBe(0);
  });

  it('asks what to do with waiting changes', async () => {
    await pressLogout(3);
    const dialog = within(await question('3 changes not sent yet'));
    expect(dialog.getAllByRole('button').map((button) => button.textContent)).toEqual([
      'Cancel',
      'Discard',
      'Keep until I sign in',
      'Send now',
    ]);
    expect(dialog.getByRole('button', { name: 'Send now' }).className).toContain('contained');
    expect(dialog.getByRole('button', { name: 'Keep until I sign in' }).className).not.toContain('contained');
  });

  it('asks once, however often Logout is pressed', async () => {
    await pressLogout(3);
    await question('3 changes not sent yet');
    const { logOut } = await import('../../src/app/log-out/log-out.ts');
    expect(logOut()).toBe(logOut());
    expect(screen.getAllByRole('alertdialog')).toHaveLength(1);
  });

  it('keeps them for their administrator', async () => {
    const { user, leave } = await pressLogout(1);
    await user.click(
      within(await question('1 change not sent yet')).getByRole('button', { name: 'Keep until I sign in' }),
    );
    await signedOut();
    expect(leave).toHaveBeenCalledWith('7', 'keep');
  });

  it('sends them first', async () => {
    const { user, sendNow, leave, left } = await pressLogout(2);
    sendNow.mockImplementation(async () => {
      left.waiting = 0;
    });
    await user.click(within(await question('2 changes not sent yet')).getByRole('button', { name: 'Send now' }));
    await signedOut();
    expect(sendNow).toHaveBeenCalled();
    expect(leave).toHaveBeenCalledWith('7', 'keep');
  });

  it('asks again, and says so, when not everything could be sent in time', async () => {
    const { user, sendNow, leave } = await pressLogout(2);
    sendNow.mockImplementation(async () => {
      const now = Date.now();
      let asked = 0;
      vi.spyOn(Date, 'now').mockImplementation(() => now + 25_000 * asked++);
    });
    const dialog = await question('2 changes not sent yet');
    await user.click(within(dialog).getByRole('button', { name: 'Send now' }));
    expect(await screen.findByText('Not everything could be sent.')).toBeDefined();
    vi.mocked(Date.now).mockRestore();
    expect(within(await question('2 changes not sent yet')).getByRole('button', { name: 'Send now' })).toBeDefined();
    expect(leave).not.toHaveBeenCalled();
  });

  it('stays signed in and keeps the changes when the second question is declined', async () => {
    const { user, leave } = await pressLogout(2);
    await user.click(within(await question('2 changes not sent yet')).getByRole('button', { name: 'Discard' }));
    await user.click(within(await question('Discard 2 changes?')).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(screen.getByRole('heading', { name: 'About' })).toBeDefined();
    expect(leave).not.toHaveBeenCalled();
    expect(localStorage.getItem('access_token')).not.toBeNull();
  });

  it('discards them only after a second question', async () => {
    const { user, leave } = await pressLogout(2);
    await user.click(within(await question('2 changes not sent yet')).getByRole('button', { name: 'Discard' }));
    const sure = within(await question('Discard 2 changes?'));
    expect(leave).not.toHaveBeenCalled();
    await user.click(sure.getByRole('button', { name: 'Discard' }));
    await signedOut();
    expect(leave).toHaveBeenCalledWith('7', 'discard');
  });

  it('stays signed in after Escape', async () => {
    const { user, leave } = await pressLogout(2);
    await question('2 changes not sent yet');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(leave).not.toHaveBeenCalled();
    expect(localStorage.getItem('access_token')).toBe('token-1');
  });

  it('asks about unsaved work first, and stays to keep it', async () => {
    const { user } = await openApp('/about');
    const { setUnsaved } = await import('../../src/stores/unsaved.ts');
    setUnsaved('form', true);
    await user.click(await screen.findByRole('button', { name: 'Logout' }));
    await user.click(within(await question('Leave without saving?')).getByRole('button', { name: 'Stay' }));
    expect(await screen.findByRole('heading', { name: 'About' })).toBeDefined();
    expect(localStorage.getItem('access_token')).toBe('token-1');
  });

  it('discards unsaved work only when the session ends', async () => {
    const { user, hasUnsavedWork } = await pressLogout(1, { unsaved: true });
    await user.click(within(await question('Leave without saving?')).getByRole('button', { name: 'Leave' }));
    await question('1 change not sent yet');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(hasUnsavedWork()).toBe(true);
  });

  it('asks first without a connection, as nobody can sign in again without one', async () => {
    const { user } = await openApp('/about');
    const { noteAnswer } = await import('../../src/stores/connection.ts');
    noteAnswer(false);
    await user.click(await screen.findByRole('button', { name: 'Logout' }));
    const dialog = within(await question('Log out without a connection?'));
    await user.click(dialog.getByRole('button', { name: 'Stay signed in' }));
    expect(localStorage.getItem('access_token')).toBe('token-1');
    await user.click(screen.getByRole('button', { name: 'Logout' }));
    await user.click(within(await question('Log out without a connection?')).getByRole('button', { name: 'Log out' }));
    await signedOut();
  });

  it('works without a connection and says what it could not do', async () => {
    const { user } = await openApp('/about');
    const { ApiFailure } = await import('../../src/api/failure.ts');
    answers['POST /api/logout'] = () => {
      throw new ApiFailure('unreachable', 'No answer.');
    };
    await user.click(await screen.findByRole('button', { name: 'Logout' }));
    await signedOut();
    expect(await screen.findByText('Logged out on this device only')).toBeDefined();
  });

  it('waits only a few seconds for a silent server', async () => {
    const { user } = await openApp('/about');
    await user.click(await screen.findByRole('button', { name: 'Logout' }));
    await signedOut();
    expect(await screen.findByText('Logged out on this device only')).toBeDefined();
  });

  it('does not touch a session that another tab began meanwhile', async () => {
    const { user } = await openApp('/about');
    answers['POST /api/logout'] = () => {
      startSession({ id: 8, name: 'Omar Faruk' }, 'token-2', true);
      return { message: 'Successfully Logged Out' };
    };
    const { startSession } = await import('../../src/stores/session.ts');
    await user.click(await screen.findByRole('button', { name: 'Logout' }));
    expect(await screen.findByText('Successfully Logged Out')).toBeDefined();
    expect(localStorage.getItem('access_token')).toBe('token-2');
  });
});
