import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import { dropSession, recoverSession, shareSession } from '../../src/api/auth.ts';
import { startSession, useSession } from '../../src/stores/session.ts';

const user = { id: 7, name: 'Nadia' };

/** What a killed browser leaves: local storage without its last seconds, IndexedDB as it was. */
function loseLocalStorage(): void {
  localStorage.clear();
  useSession.setState({ ended: false, signInAsked: false }, true);
}

beforeEach(() => dropSession());

describe('a session that local storage has lost', () => {
  it('is taken from the sender’s copy', async () => {
    startSession(user, 'token-1', true);
    await shareSession();
    loseLocalStorage();
    await recoverSession();
    expect(useSession.getState()).toMatchObject({ user, token: 'token-1' });
    expect(localStorage.getItem('access_token')).toBe('token-1');
  });

  it('stays lost where it was to end with the browser’s session', async () => {
    startSession(user, 'token-1', false);
    await shareSession();
    loseLocalStorage();
    await recoverSession();
    expect(useSession.getState().token).toBeUndefined();
  });

  it('does not come back after a log-out', async () => {
    startSession(user, 'token-1', true);
    await shareSession();
    await dropSession();
    await recoverSession();
    expect(useSession.getState().token).toBeUndefined();
  });

  it('does not take the place of one that is there', async () => {
    startSession(user, 'token-1', true);
    await shareSession();
    startSession(user, 'token-2', true);
    await recoverSession();
    expect(useSession.getState().token).toBe('token-2');
  });
});
