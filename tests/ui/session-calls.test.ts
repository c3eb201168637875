import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { historyPath } from '../../src/domain/history.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { soon } from '../harness/soon.ts';

const nadia = { id: 7, name: 'Nadia', email: 'nadia@example.com' };

/** The server's answers by path. Other paths are never answered. */
const wire = vi.hoisted(() => ({ answers: {} as Record<string, () => unknown> }));
const wake = vi.hoisted(() => vi.fn());

vi.mock('../../src/api/client.ts', () => {
  const ask = async (path: string) => {
    const answer = wire.answers[path];
    return answer === undefined ? new Promise(() => {}) : { body: answer() };
  };
  return { get: ask, post: ask };
});
vi.mock('../../src/api/worker-bridge.ts', () => ({ wake }));

/** Whether what this device has read can be removed. */
const copies = vi.hoisted(() => ({ areLocked: false }));
vi.mock('../../src/api/sources.ts', async (original) => {
  const sources = await original<typeof import('../../src/api/sources.ts')>();
  const forgetCopies = async () => {
    if (copies.areLocked) throw new Error('closed');
    await sources.forgetCopies();
  };
  return { ...sources, forgetCopies };
});

/** A page of Nadia, who has just signed in, for this browser session alone unless `remember`. */
async function signedIn({ remember = true, ...user }: { remember?: boolean; role?: string; owes?: string } = {}) {
  vi.resetModules();
  wire.answers = { '/api/auth/login': () => ({ user: { ...nadia, ...user }, token: 'token-1' }) };
  const auth = await import('../../src/api/auth.ts');
  const { useSession } = await import('../../src/stores/session.ts');
  const { rememberedSession } = await import('../../src/offline/storage/session.ts');
  await auth.signIn('', '', remember);
  wake.mockClear();
  return { ...auth, session: () => useSession.getState(), rememberedSession };
}

async function failing(kind: 'unreachable' | 'signed-out' | 'refused') {
  const { ApiFailure } = await import('../../src/api/failure.ts');
  return () => {
    throw new ApiFailure(kind, 'No.');
  };
}

beforeEach(() => {
  localStorage.clear();
  copies.areLocked = false;
});

describe('the stored user', () => {
  it('has the role, so that a device that opens without a connection offers nothing else', async () => {
    const { rememberedSession } = await signedIn({ role: 'viewer' });
    expect(await rememberedSession()).toMatchObject({ administrator: '7', role: 'viewer', email: nadia.email });
  });

  it.each([true, false])('is remembered as requested (%s), whatever the server says of the user', async (remember) => {
    const { refreshUser, rememberedSession } = await signedIn({ remember });
    wire.answers['/api/user'] = () => ({ ...nadia, name: 'Nadia Rahman' });
    await refreshUser();
    expect(await rememberedSession()).toMatchObject({ name: 'Nadia Rahman', rememberAcrossRestarts: remember });
  });
});

describe('a fresh sign-in', () => {
  it('requests the server’s capabilities at once, because the first screen depends on them', async () => {
    const { signIn } = await signedIn();
    const asked = vi.fn(() => ({ server: 'voltdesk', people: true }));
    wire.answers['/api/capabilities'] = asked;
    wire.answers['/api/auth/login'] = () => ({ user: nadia, token: 'token-2' });
    await signIn('', '', true);
    await soon(() => expect(asked).toHaveBeenCalledOnce());
  });

  it('has no effect if the previous user’s copies cannot be removed', async () => {
    const { signIn, rememberedSession, session } = await signedIn();
    copies.areLocked = true;
    wire.answers['/api/auth/login'] = () => ({ user: { ...nadia, id: 8 }, token: 'token-2' });
    await expect(signIn('', '', true)).rejects.toThrow('Your sign-in couldn’t be stored on this device.');
    expect((await rememberedSession())?.token).toBe('token-1');
    expect(session().token).toBe('token-1');
  });

  it('ends the session that it replaces, once its own is stored', async () => {
    const { signIn, rememberedSession } = await signedIn();
    const end = vi.fn(() => rememberedSession());
    wire.answers['/api/auth/login'] = () => ({ user: nadia, token: 'token-2', replaces: 'old' });
    wire.answers['/api/sessions/old/end'] = end;
    await signIn('', '', true);
    await soon(() => expect(end).toHaveBeenCalledOnce());
    expect(await end.mock.results[0]?.value).toMatchObject({ token: 'token-2' });
  });
});

describe('An answer that names no user', () => {
  it.each([
    ['nothing', undefined],
    ['a user without a token', { user: nadia }],
    ['a token without a user', { token: 'token-2', user: { name: 'Nadia' } }],
  ])('to a sign-in (%s) signs nobody in and is reported', async (_, answer) => {
    const { signIn, session } = await signedIn();
    wire.answers['/api/auth/login'] = () => answer;
    await expect(signIn('', '', true)).rejects.toThrow('The server’s sign-in answer couldn’t be read.');
    expect(session().token).toBe('token-1');
  });

  it('to a user request keeps the stored user and is reported', async () => {
    const { refreshUser, session } = await signedIn();
    wire.answers['/api/user'] = () => ({ id: 'seven' });
    await expect(refreshUser()).rejects.toThrow('The server’s answer about your account couldn’t be read.');
    expect(session().user).toEqual(nadia);
  });
});

describe('A sign-in with a second factor', () => {
  it('returns what to ask for, and starts no session yet', async () => {
    const { signIn, session } = await signedIn();
    const asked = { message: 'One more step.', ticket: 'ticket-1', passkey: true, code: true };
    wire.answers['/api/auth/login'] = () => asked;
    expect(await signIn('', '', true)).toEqual(asked);
    expect(session().token).toBe('token-1');
    expect(wake).not.toHaveBeenCalled();
  });
});

describe('a log-out', () => {
  it('returns the server’s message', async () => {
    const { signOut, session } = await signedIn();
    wire.answers['/api/logout'] = () => ({ message: 'Logged out successfully.' });
    expect(await signOut()).toBe('Logged out successfully.');
    expect(session().token).toBeUndefined();
  });

  it.each([
    ['is reported as local when the server cannot be reached', 'unreachable', 'Logged out on this device only'],
    ['is reported as local when the server refuses it', 'refused', 'Logged out on this device only'],
    ['is complete when the server has already ended the session', 'signed-out', 'Logged out.'],
  ] as const)('%s', async (_, kind, words) => {
    const { signOut, session, rememberedSession } = await signedIn();
    wire.answers['/api/logout'] = await failing(kind);
    expect(await signOut()).toBe(words);
    expect(session().token).toBeUndefined();
    expect(await rememberedSession()).toBeUndefined();
  });
});

describe('a password change', () => {
  it('restores the screens if it was required, and sends what waited', async () => {
    const { changePassword, session } = await signedIn({ owes: 'password' });
    expect(session().user?.owes).toBe('password');
    wire.answers['/api/change-password'] = () => ({ message: 'Password changed.' });
    wire.answers['/api/user'] = () => nadia;
    expect(await changePassword({ password: 'new' })).toBe('Password changed.');
    expect(session().user?.owes).toBeUndefined();
    expect(wake).toHaveBeenCalledOnce();
  });

  it('is reported even if the server cannot be reached afterwards, and restores the screens later', async () => {
    const { changePassword, session } = await signedIn({ owes: 'password' });
    wire.answers['/api/change-password'] = () => ({ message: 'Password changed.' });
    wire.answers['/api/user'] = await failing('unreachable');
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    expect(await changePassword({ password: 'new' })).toBe('Password changed.');
    expect([session().user?.owes, wake.mock.calls.length]).toEqual(['password', 0]);
    wire.answers['/api/user'] = () => nadia;
    vi.runOnlyPendingTimers();
    vi.useRealTimers();
    await soon(() => expect(wake).toHaveBeenCalledOnce());
    expect(session().user?.owes).toBeUndefined();
  });

  it('stops requesting the user once the session has ended', async () => {
    const { changePassword, signOut } = await signedIn({ owes: 'password' });
    wire.answers['/api/change-password'] = () => ({ message: 'Password changed.' });
    const asked = vi.fn(await failing('unreachable'));
    wire.answers['/api/user'] = asked;
    wire.answers['/api/logout'] = () => ({ message: 'Logged out.' });
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    await changePassword({ password: 'new' });
    await signOut();
    vi.runOnlyPendingTimers();
    vi.useRealTimers();
    expect(asked).toHaveBeenCalledOnce();
  });

  it('requests nothing more if it was not required', async () => {
    const { changePassword } = await signedIn();
    wire.answers['/api/change-password'] = () => ({ message: 'Password changed.' });
    expect(await changePassword({ password: 'new' })).toBe('Password changed.');
    expect(wake).not.toHaveBeenCalled();
  });
});

describe('the history of a record', () => {
  it.each([
    ['what the server lists', [{ id: 1 }]],
    ['empty where the server lists nothing', { message: 'Maintenance' }],
  ])('is %s', async (_, body) => {
    wire.answers[historyPath(partners, 7)] = () => body;
    const { readHistory } = await import('../../src/api/record-history.ts');
    expect(await readHistory(partners, 7)).toEqual(Array.isArray(body) ? body : []);
  });
});

describe('Passkeys', () => {
  it.each([
    ['desk.example.com', true],
    ['192.0.2.7', false],
    ['[2001:db8::1]', false],
  ])('need a host name, not an IP address: %s', async (hostname, work) => {
    vi.stubGlobal('PublicKeyCredential', () => {});
    vi.stubGlobal('isSecureContext', true);
    vi.stubGlobal('location', { hostname });
    const { passkeysWork } = await import('../../src/api/second-factor.ts');
    expect(passkeysWork()).toBe(work);
    vi.unstubAllGlobals();
  });
});
