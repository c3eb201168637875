import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { SIGNED_IN } from '../../src/domain/messages.ts';
import { answers, nadia, openApp, refuse } from './page.tsx';

const path = () => window.location.pathname;

async function signIn(user: Awaited<ReturnType<typeof openApp>>['user']) {
  answers['POST /api/auth/login'] = () => ({ user: nadia, token: 'token-2' });
  await user.type(await screen.findByLabelText('Email'), nadia.email);
  await user.type(screen.getByLabelText('Password'), 'secret-enough');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
}

describe('without a signed-in user', () => {
  it.each(['/', '/sete-meta-update', '/generator-edit/3', '/outbox', '/no-such-page'])(
    '%s leads to /login',
    async (address) => {
      await openApp(address, { signedIn: false });
      expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeDefined();
      expect(path()).toBe('/login');
      expect(screen.queryByRole('navigation')).toBeNull();
      expect(screen.queryByRole('banner')).toBeNull();
    },
  );

  it('returns to the requested page, and shows the specified message', async () => {
    const { user } = await openApp('/pass-change', { signedIn: false });
    await signIn(user);
    expect(await screen.findByRole('heading', { name: 'Change Password' })).toBeDefined();
    expect(path()).toBe('/pass-change');
    expect(await screen.findByText(SIGNED_IN)).toBeDefined();
    expect(localStorage.getItem('access_token')).toBe('token-2');
  });

  it('returns to a list with its search', async () => {
    const { user } = await openApp('/partner-all?q=helios', { signedIn: false });
    await signIn(user);
    expect(await screen.findByRole('heading', { name: 'Partners' })).toBeDefined();
    expect(path() + window.location.search).toBe('/partner-all?q=helios');
  });

  it('says what waits on this device, and that signing in needs a connection', async () => {
    const { outboxDatabase } = await import('../../src/offline/storage/outbox-database.ts');
    const entry = {
      id: 'kept',
      administrator: '7',
      state: 'pending',
      delivery: [],
      change: { op: 'create', recordId: 'local-1' },
    };
    await outboxDatabase().entries.add(entry as never);
    await openApp('/login', { signedIn: false });
    expect(
      await screen.findByText(/1 change waits on this device and will be sent when the administrator/),
    ).toBeDefined();
    const { noteAnswer } = await import('../../src/stores/connection.ts');
    act(() => noteAnswer(false));
    expect(screen.getByText(/You’re offline\. Signing in needs a connection\./)).toBeDefined();
    await outboxDatabase().entries.clear();
  });

  it('goes to the dashboard after signing in directly', async () => {
    const { user } = await openApp('/login', { signedIn: false });
    await signIn(user);
    expect(await screen.findByRole('heading', { name: 'Dashboard' })).toBeDefined();
    expect(path()).toBe('/');
  });

  it('shows the first error of each field, and keeps what was typed', async () => {
    const { user } = await openApp('/login', { signedIn: false });
    const texts = ['These credentials do not match our records.', 'Second.'];
    answers['POST /api/auth/login'] = await refuse({ email: texts });
    const email = await screen.findByLabelText('Email');
    await user.type(email, 'someone@example.com');
    await user.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(await screen.findByText('These credentials do not match our records.')).toBeDefined();
    expect(email).toHaveProperty('value', 'someone@example.com');
    expect(email.getAttribute('aria-invalid')).toBe('true');
  });
});

describe('with a stored session', () => {
  it('opens without a connection', async () => {
    await openApp('/about');
    expect(await screen.findByRole('heading', { name: 'About' })).toBeDefined();
    expect(screen.getByText(nadia.name)).toBeDefined();
  });

  it('goes from /login to the dashboard', async () => {
    await openApp('/login');
    await waitFor(() => expect(path()).toBe('/'));
  });

  it('goes to /login when the server ends the session', async () => {
    await openApp('/about');
    await screen.findByRole('heading', { name: 'About' });
    const { endSession } = await import('../../src/stores/session.ts');
    endSession('token-1');
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeDefined();
    expect(localStorage.getItem('access_token')).toBeNull();
  });

  it('returns to a list with its search after the server ended the session', async () => {
    const { user } = await openApp('/partner-all?q=helios');
    await screen.findByRole('heading', { name: 'Partners' });
    const { endSession } = await import('../../src/stores/session.ts');
    endSession('token-1');
    await signIn(user);
    expect(await screen.findByRole('heading', { name: 'Partners' })).toBeDefined();
    expect(path() + window.location.search).toBe('/partner-all?q=helios');
  });

  it('opens the sign-in over a form with unsaved work, and keeps the form', async () => {
    await openApp('/about');
    const heading = await screen.findByRole('heading', { name: 'About' });
    const { setUnsaved } = await import('../../src/stores/unsaved.ts');
    const { endSession } = await import('../../src/stores/session.ts');
    setUnsaved('form', true);
    endSession('token-1');
    expect(await screen.findByRole('dialog', { name: 'Sign in to continue' })).toBeDefined();
    expect(heading.isConnected).toBe(true);
    expect(path()).toBe('/about');
  });

  it('respects "Later": no screen after the form goes to /login', async () => {
    const { user } = await openApp('/about');
    await screen.findByRole('heading', { name: 'About' });
    const { setUnsaved } = await import('../../src/stores/unsaved.ts');
    const { endSession } = await import('../../src/stores/session.ts');
    setUnsaved('form', true);
    endSession('token-1');
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Later' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    setUnsaved('form', false);
    await user.click(screen.getByRole('link', { name: 'Dashboard' }));
    expect(await screen.findByRole('heading', { name: 'Dashboard' })).toBeDefined();
    expect(screen.getByRole('link', { name: 'Sign in to send' })).toBeDefined();
    // a redirect would happen within a moment
    await expect(waitFor(() => expect(path()).not.toBe('/'), { timeout: 500 })).rejects.toThrow();
  });

  it('waits for the server to identify an unknown token', async () => {
    await openApp('/about', { signedIn: 'token-only' });
    answers['GET /api/user'] = () => nadia;
    expect(await screen.findByRole('heading', { name: 'About' })).toBeDefined();
    expect(screen.getByText(nadia.name)).toBeDefined();
  });

  it('shows no frame until the user is known', async () => {
    await openApp('/about', { signedIn: 'token-only' });
    await vi.dynamicImportSettled();
    expect(document.body.textContent).toBe('');
  });
});
