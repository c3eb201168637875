import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  adoptSession,
  askForSignIn,
  closeSession,
  endSession,
  followOtherTabs,
  isRemembered,
  readUser,
  startSession,
  updateUser,
  useMay,
  useSession,
} from '../../src/stores/session.ts';
import { setUnsaved } from '../../src/stores/unsaved.ts';

const NADIA = { id: 7, name: 'Nadia' };
const OMAR = { id: 8, name: 'Omar' };

beforeEach(() => {
  localStorage.clear();
  document.cookie = 'voltdesk_visit=; max-age=0; path=/';
  useSession.setState({ ended: false, signInAsked: false }, true);
});
afterEach(cleanup);

const session = () => useSession.getState();
const keys = () => Object.keys(localStorage).toSorted();

describe('a session', () => {
  it('that starts is stored completely, and clears the end of an earlier one', () => {
    useSession.setState({ ended: true, signInAsked: true, putOff: true });
    startSession(NADIA, 'token-1', true);
    expect(session()).toEqual({ user: NADIA, token: 'token-1', ended: false, signInAsked: false });
    expect(keys()).toEqual(['access_token', 'voltdesk.user']);
    expect(isRemembered()).toBe(true);
    startSession(NADIA, 'token-2', false);
    expect(isRemembered()).toBe(false);
    startSession(NADIA, 'token-3', true);
    expect(isRemembered()).toBe(true);
  });

  it('that is closed leaves nothing behind', () => {
    startSession(NADIA, 'token-1', false);
    closeSession();
    expect([session(), keys()]).toEqual([{ ended: false, signInAsked: false }, []]);
  });

  it('is closed only if it is still the intended one, here and in other tabs', () => {
    startSession(NADIA, 'token-1', true);
    closeSession('token-0');
    expect(session().token).toBe('token-1');
    localStorage.setItem('access_token', 'token-2');
    closeSession('token-1');
    expect(localStorage.getItem('access_token')).toBe('token-2');
    localStorage.setItem('access_token', 'token-1');
    closeSession('token-1');
    expect(session().token).toBeUndefined();
  });

  it('ends when its own token is refused', () => {
    startSession(NADIA, 'token-1', true);
    endSession('token-0');
    endSession(undefined);
    expect(session().ended).toBe(false);
    endSession('token-1');
    expect(session()).toMatchObject({ ended: true, token: 'token-1', user: NADIA });
    closeSession();
    endSession(undefined);
    expect(session().ended).toBe(false);
  });

  it('keeps its postponed sign-in, and has none to postpone while it is valid', () => {
    startSession(NADIA, 'token-1', true);
    askForSignIn();
    askForSignIn(false);
    expect(session().putOff).toBeUndefined();
    endSession('token-1');
    askForSignIn();
    expect(session()).toMatchObject({ signInAsked: true });
    expect(session().putOff).toBeUndefined();
    askForSignIn(false);
    expect(session()).toMatchObject({ signInAsked: false, putOff: true });
  });
});

describe('a session stored on this device', () => {
  it('is adopted with its user', () => {
    expect(adoptSession(NADIA, 'token-1', true)).toBe(true);
    expect(session()).toMatchObject({ user: NADIA, token: 'token-1' });
    expect(adoptSession(OMAR, 'token-2', true)).toBe(true);
    expect(session()).toMatchObject({ user: OMAR, token: 'token-2' });
  });

  it('keeps the newer user data if it is the same session', () => {
    startSession({ ...NADIA, name: 'Nadia Rahman' }, 'token-1', true);
    expect(adoptSession(NADIA, 'token-1', true)).toBe(true);
    expect(session().user?.name).toBe('Nadia Rahman');
  });

  it('is dropped after the browser’s session if it was to end with that', () => {
    expect(adoptSession(NADIA, 'token-1', false)).toBe(false);
    expect(session().token).toBeUndefined();
    document.cookie = 'voltdesk_visit=1; path=/';
    expect(adoptSession(NADIA, 'token-1', false)).toBe(true);
    expect(isRemembered()).toBe(false);
  });
});

describe('what the server says about the user', () => {
  it('is stored only for the token it was requested with', () => {
    startSession(NADIA, 'token-1', true);
    expect(updateUser(OMAR, 'token-0')).toBe(false);
    localStorage.setItem('access_token', 'token-2');
    expect(updateUser(OMAR, 'token-1')).toBe(false);
    expect(session().user).toEqual(NADIA);
    localStorage.setItem('access_token', 'token-1');
    expect(updateUser({ ...NADIA, role: 'viewer' }, 'token-1')).toBe(true);
    expect(session().user).toEqual({ ...NADIA, role: 'viewer' });
    expect(JSON.parse(localStorage.getItem('voltdesk.user') ?? '')).toEqual({ ...NADIA, role: 'viewer' });
  });

  it.each([
    [{ id: '7', name: 'Nadia' }, undefined],
    [{ id: 7 }, undefined],
    [null, undefined],
    [{ id: 7, name: 'Nadia', created_at: 'x', email: null }, NADIA],
    [
      { ...NADIA, email: 'n@example.com', role: 'chief', owes: 'money' },
      { ...NADIA, email: 'n@example.com' },
    ],
    [
      { ...NADIA, role: 'editor', owes: 'password' },
      { ...NADIA, role: 'editor', owes: 'password' },
    ],
  ])('%j is read as %j', (told, user) => {
    expect(readUser(told)).toEqual(user);
  });
});

describe('another tab', () => {
  const other = (key: string | null, stored: Record<string, string>) => {
    for (const [name, text] of Object.entries(stored)) localStorage.setItem(name, text);
    window.dispatchEvent(new StorageEvent('storage', { key }));
  };

  it('that signs in a user signs them in here too', () => {
    const stop = followOtherTabs();
    other('access_token', { access_token: 'token-2', 'voltdesk.user': JSON.stringify(OMAR) });
    expect(session()).toMatchObject({ user: OMAR, token: 'token-2' });
    other('voltdesk.user', { 'voltdesk.user': JSON.stringify({ ...OMAR, name: 'Omar Faruk' }) });
    expect(session().user?.name).toBe('Omar Faruk');
    localStorage.clear();
    other(null, {});
    expect(session().token).toBeUndefined();
    stop();
    other('access_token', { access_token: 'token-3' });
    expect(session().token).toBeUndefined();
  });

  it('that signs in somebody else signs them in here too, despite unsaved work', () => {
    startSession(NADIA, 'token-1', true);
    setUnsaved('form', true);
    const stop = followOtherTabs();
    other('access_token', { access_token: 'token-2', 'voltdesk.user': JSON.stringify(OMAR) });
    expect(session()).toMatchObject({ user: OMAR, token: 'token-2', ended: false });
    setUnsaved('form', false);
    stop();
  });

  it('that changed the user is noticed when a page returns with Back', () => {
    startSession(NADIA, 'token-1', true);
    const stop = followOtherTabs();
    const comesBack = (persisted = true) => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted }));
    useSession.setState({ ended: true });
    comesBack();
    expect(session()).toMatchObject({ user: NADIA, ended: true });
    localStorage.setItem('access_token', 'token-2');
    localStorage.setItem('voltdesk.user', JSON.stringify(OMAR));
    comesBack(false);
    expect(session().user).toEqual(NADIA);
    comesBack();
    expect(session()).toMatchObject({ user: OMAR, token: 'token-2', ended: false });
    localStorage.clear();
    comesBack();
    expect(session().token).toBeUndefined();
    stop();
    localStorage.setItem('access_token', 'token-3');
    comesBack();
    expect(session().token).toBeUndefined();
  });

  it('that stores something else changes nothing here', () => {
    startSession(NADIA, 'token-1', true);
    useSession.setState({ ended: true });
    const stop = followOtherTabs();
    other('voltdesk.settings', { 'voltdesk.settings': '{}' });
    expect(session().ended).toBe(true);
    stop();
  });
});

describe('a role', () => {
  const may = (role: 'owner' | 'editor' | 'viewer' | undefined) => {
    useSession.setState({ user: { ...NADIA, ...(role && { role }) }, token: 't' });
    const { result } = renderHook(() => [useMay('owner'), useMay('editor'), useMay('viewer')]);
    cleanup();
    return result.current;
  };

  it('allows what requires it or less, and everything to everybody without roles', () => {
    expect(may('owner')).toEqual([true, true, true]);
    expect(may('editor')).toEqual([false, true, true]);
    expect(may('viewer')).toEqual([false, false, true]);
    expect(may(undefined)).toEqual([true, true, true]);
  });
});
