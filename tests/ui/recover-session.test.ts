import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { outboxDatabase } from '../../src/offline/storage/outbox-database.ts';

const nadia = { id: 7, name: 'Nadia', email: 'nadia@example.com' };
const omar = { id: 8, name: 'Omar' };
const TOKENS = new Map([
  [nadia.id, 'token-of-nadia'],
  [omar.id, 'token-of-omar'],
]);

/** The user whose sign-in the server accepts next. */
const next = vi.hoisted(() => ({ user: undefined as { id: number; name: string } | undefined }));

vi.mock('../../src/api/client.ts', () => ({
  post: async (path: string) => ({
    body: path.endsWith('login') ? { user: next.user, token: TOKENS.get(next.user?.id ?? 0) } : { message: 'Bye' },
  }),
  get: () => new Promise(() => {}),
}));

const wake = vi.hoisted(() => vi.fn());

vi.mock('../../src/api/worker-bridge.ts', () => ({ wake }));

/** Opens a new page, which knows only what is stored. */
async function openPage() {
  vi.resetModules();
  const auth = await import('../../src/api/auth.ts');
  const { useSession } = await import('../../src/stores/session.ts');
  if (!(await auth.recoverSession())) await auth.keepStoredSession();
  return {
    ...auth,
    session: () => useSession.getState(),
    signInAs: (user: typeof omar, remember = true) => {
      next.user = user;
      return auth.signIn('', '', remember);
    },
  };
}

/** Copies local storage. Returns a function that restores the copy, as a killed browser does. */
function storageNow(): () => void {
  const held = { ...localStorage } as Record<string, string>;
  return () => {
    localStorage.clear();
    for (const [key, value] of Object.entries(held)) localStorage.setItem(key, value);
  };
}

beforeEach(async () => {
  localStorage.clear();
  await outboxDatabase().meta.clear();
});

describe('after the browser was killed and local storage has lost its last seconds, the app opens', () => {
  it('as the user who signed in', async () => {
    const page = await openPage();
    const kill = storageNow();
    await page.signInAs(nadia);
    kill();
    expect((await openPage()).session()).toMatchObject({ user: nadia, token: 'token-of-nadia' });
    expect(localStorage.getItem('access_token')).toBe('token-of-nadia');
  });

  it('with the role of the user', async () => {
    const page = await openPage();
    const kill = storageNow();
    await page.signInAs({ ...nadia, role: 'viewer' } as typeof nadia);
    kill();
    expect((await openPage()).session().user).toEqual({ ...nadia, role: 'viewer' });
  });

  it('as the user who signed in after another one logged out', async () => {
    const page = await openPage();
    await page.signInAs(nadia);
    const kill = storageNow();
    await page.signOut();
    await page.signInAs(omar);
    kill();
    expect((await openPage()).session()).toMatchObject({ user: omar, token: 'token-of-omar' });
  });

  it('as nobody after a log-out', async () => {
    const page = await openPage();
    await page.signInAs(nadia);
    const kill = storageNow();
    await page.signOut();
    kill();
    expect((await openPage()).session().token).toBeUndefined();
    expect(localStorage.getItem('access_token')).toBeNull();
  });

  it('as nobody if the session was to end with the browser’s', async () => {
    const page = await openPage();
    const kill = storageNow();
    await page.signInAs(nadia, false);
    kill();
    // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no cookie store
    document.cookie = 'voltdesk_visit=; max-age=0; path=/';
    expect((await openPage()).session().token).toBeUndefined();
    const { rememberedSession } = await import('../../src/offline/storage/session.ts');
    expect(await rememberedSession()).toBeUndefined();
  });
});

describe('who is signed in', () => {
  it('is on the device before a screen says so', async () => {
    const page = await openPage();
    const { useSession } = await import('../../src/stores/session.ts');
    const { rememberedSession } = await import('../../src/offline/storage/session.ts');
    const kept: Promise<unknown>[] = [];
    useSession.subscribe(() => kept.push(rememberedSession()));
    await page.signInAs(nadia);
    expect(await kept[0]).toMatchObject({ token: 'token-of-nadia' });
    await page.signOut();
    expect(await kept.at(-1)).toBeUndefined();
  });

  it('has their waiting changes sent at once', async () => {
    const page = await openPage();
    const { useSession } = await import('../../src/stores/session.ts');
    wake.mockImplementation(() => expect(useSession.getState().token).toBe('token-of-nadia'));
    wake.mockClear();
    await page.signInAs(nadia);
    expect(wake).toHaveBeenCalledOnce();
    wake.mockReset();
  });

  it('is read from local storage if the device has never stored it', async () => {
    localStorage.setItem('access_token', 'token-of-omar');
    localStorage.setItem('voltdesk.user', JSON.stringify(omar));
    expect((await openPage()).session()).toMatchObject({ user: omar, token: 'token-of-omar' });
    localStorage.clear();
    expect((await openPage()).session()).toMatchObject({ user: omar, token: 'token-of-omar' });
  });

  it('is known on an unused device before its database code is loaded', async () => {
    localStorage.setItem('access_token', 'token-of-omar');
    localStorage.setItem('voltdesk.user', JSON.stringify(omar));
    vi.spyOn(indexedDB, 'databases').mockResolvedValue([]);
    vi.resetModules();
    const asked = vi.fn(() => new Promise<never>(() => {}));
    vi.doMock('../../src/api/device.ts', async (original) => ({ ...(await original<object>()), device: asked }));
    const { recoverSession } = await import('../../src/api/auth.ts');
    const { useSession } = await import('../../src/stores/session.ts');
    expect(await recoverSession()).toBe(false);
    expect(useSession.getState()).toMatchObject({ user: omar, token: 'token-of-omar' });
    expect(asked).not.toHaveBeenCalled();
    vi.doUnmock('../../src/api/device.ts');
    vi.restoreAllMocks();
  });

  it('stays unchanged, with a reason, if the device cannot store the sign-in', async () => {
    const page = await openPage();
    await page.signInAs(nadia);
    const { device } = await import('../../src/api/device.ts');
    const { browserEnvironment } = await device();
    vi.spyOn(browserEnvironment().outbox, 'transaction').mockImplementation(() => {
      throw new Error('It is locked.');
    });
    await expect(page.signInAs(omar)).rejects.toThrow('Your sign-in couldn’t be stored on this device. It is locked.');
    expect(page.session()).toMatchObject({ user: nadia, token: 'token-of-nadia' });
    expect(localStorage.getItem('access_token')).toBe('token-of-nadia');
  });
});
