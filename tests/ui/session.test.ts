import { beforeEach, describe, expect, it, vi } from 'vitest';

const user = { id: 7, name: 'Nadia', email: 'nadia@example.com' };

/** The store of a new page, which knows only what is stored. */
async function openPage() {
  vi.resetModules();
  return import('../../src/stores/session.ts');
}

function endBrowserSession(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no cookie store
  document.cookie = 'voltdesk_visit=; max-age=0; path=/';
}

beforeEach(() => {
  localStorage.clear();
  endBrowserSession();
});

describe('the session', () => {
  it('is stored under access_token, and known immediately on the next start', async () => {
    const { startSession } = await openPage();
    startSession(user, 'token-1', true);
    expect(localStorage.getItem('access_token')).toBe('token-1');
    endBrowserSession();
    const { useSession } = await openPage();
    expect(useSession.getState()).toMatchObject({ user, token: 'token-1', ended: false });
  });

  it('ends with the browser’s session unless it was to be remembered', async () => {
    const { startSession } = await openPage();
    startSession(user, 'token-1', false);
    expect((await openPage()).useSession.getState().token).toBe('token-1');
    endBrowserSession();
    expect((await openPage()).useSession.getState()).toEqual({ ended: false, signInAsked: false });
    expect(localStorage).toHaveLength(0);
  });

  it('is valid on every page of the app, whichever it began on', async () => {
    window.history.replaceState(null, '', '/partner-edit/7');
    const { startSession } = await openPage();
    startSession(user, 'token-1', false);
    window.history.replaceState(null, '', '/');
    expect((await openPage()).useSession.getState().token).toBe('token-1');
  });

  it('ends only for an answer to its own token', async () => {
    const { startSession, endSession, useSession } = await openPage();
    startSession(user, 'token-2', true);
    endSession('token-1');
    expect(useSession.getState().ended).toBe(false);
    endSession('token-2');
    expect(useSession.getState()).toMatchObject({ ended: true, user });
  });

  it('follows a log-out in another tab', async () => {
    const { startSession, followOtherTabs, useSession } = await openPage();
    startSession(user, 'token-1', true);
    followOtherTabs();
    localStorage.clear();
    window.dispatchEvent(new StorageEvent('storage', { key: 'access_token' }));
    expect(useSession.getState().token).toBeUndefined();
  });

  it('keeps a form with unsaved work open when another tab logs out', async () => {
    const { startSession, followOtherTabs, useSession } = await openPage();
    const { setUnsaved } = await import('../../src/stores/unsaved.ts');
    startSession(user, 'token-1', true);
    followOtherTabs();
    setUnsaved('form', true);
    localStorage.clear();
    window.dispatchEvent(new StorageEvent('storage', { key: 'access_token' }));
    expect(useSession.getState()).toMatchObject({ user, ended: true });
  });

  it('is over for a form of a user who has logged out in another tab, until they sign in again', async () => {
    const { startSession, followOtherTabs, useSession } = await openPage();
    const { setUnsaved } = await import('../../src/stores/unsaved.ts');
    startSession(user, 'token-1', true);
    followOtherTabs();
    setUnsaved('form', true);
    localStorage.clear();
    window.dispatchEvent(new StorageEvent('storage', { key: 'access_token' }));
    expect(useSession.getState()).toMatchObject({ user, left: true });
    expect(useSession.getState().token).toBeUndefined();
    startSession(user, 'token-2', true);
    expect(useSession.getState()).toEqual({ user, token: 'token-2', ended: false, signInAsked: false });
  });

  it('that has expired in another tab leaves a form for later', async () => {
    const { startSession, closeSession, followOtherTabs, useSession } = await openPage();
    const { setUnsaved } = await import('../../src/stores/unsaved.ts');
    startSession(user, 'token-1', true);
    const before = useSession.getState();
    closeSession('token-1', true);
    useSession.setState(before, true);
    followOtherTabs();
    setUnsaved('form', true);
    window.dispatchEvent(new StorageEvent('storage', { key: 'access_token' }));
    expect(useSession.getState()).toMatchObject({ user, token: 'token-1', ended: true });
    expect(useSession.getState().left).toBeUndefined();
  });

  it('survives a stored user that cannot be read', async () => {
    localStorage.setItem('access_token', 'token-1');
    localStorage.setItem('voltdesk.user', '{"id"');
    const { useSession } = await openPage();
    expect(useSession.getState()).toEqual({ token: 'token-1', ended: false, signInAsked: false });
  });
});
