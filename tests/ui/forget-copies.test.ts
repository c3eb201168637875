import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { partners } from '../../src/domain/resources/partners.ts';
import { CATALOGUE_CACHE, IMAGE_CACHE } from '../../src/offline/storage/file-caches.ts';
import { cacheDatabase } from '../../src/offline/storage/cache-database.ts';

const ROWS = [{ id: 3, name: 'Volt Brothers' }];
const LISTED = partners.endpoints.list;

/** The server: what it answers to a sign-in, and when it answers with the list. */
const server = vi.hoisted(() => ({ user: { id: 7, name: 'Nadia' }, list: Promise.resolve(), unreachable: false }));
const files = {
  has: async () => true,
  open: async () => ({ keys: async () => [] }),
  delete: vi.fn(async (_name: string) => true),
};

vi.mock('../../src/api/client.ts', () => ({
  post: async (path: string) => {
    if (path.endsWith('login')) return { body: { user: server.user, token: `token-${server.user.id}` } };
    if (server.unreachable) return new Promise(() => {});
    return { body: { message: 'Successfully Logged Out' } };
  },
  get: async (path: string) => {
    if (path !== LISTED) return new Promise(() => {});
    await server.list;
    return { body: ROWS };
  },
}));
vi.mock('../../src/api/worker-bridge.ts', () => ({ wake: () => {} }));

/** A page on which Nadia is signed in and has read the list of partners. */
async function pageWithList() {
  vi.resetModules();
  server.user = { id: 7, name: 'Nadia' };
  const auth = await import('../../src/api/auth.ts');
  const { listCopy } = await import('../../src/api/sources.ts');
  await auth.signIn('', '', true);
  await listCopy(partners).refresh();
  await expect.poll(onDevice).toEqual([`list/${partners.name}`]);
  return { ...auth, listCopy };
}

async function onDevice(): Promise<string[]> {
  return (await cacheDatabase().values.toCollection().primaryKeys()) as string[];
}

/** Another tab changes who is signed in while this one reads a list: nothing of it is shown or kept. */
async function expectForgotten(key: string, change: () => void): Promise<void> {
  const { listCopy } = await pageWithList();
  const { followOtherTabs } = await import('../../src/stores/session.ts');
  const stop = followOtherTabs();
  let arrive = () => {};
  server.list = new Promise((resolve) => {
    arrive = resolve;
  });
  const refreshed = listCopy(partners).refresh();
  await cacheDatabase().values.clear();
  change();
  window.dispatchEvent(new StorageEvent('storage', { key }));
  expect(listCopy(partners).state().value).toBeUndefined();
  arrive();
  await refreshed;
  await vi.advanceTimersByTimeAsync(100);
  expect(await onDevice()).toEqual([]);
  stop();
}

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  vi.stubGlobal('caches', files);
  localStorage.clear();
  server.list = Promise.resolve();
  server.unreachable = false;
  await cacheDatabase().values.clear();
  vi.clearAllMocks();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('what was read for an administrator', () => {
  it('is removed when they log out: lists, records, pictures and catalogues', async () => {
    const { signOut, listCopy } = await pageWithList();
    expect(await signOut()).toBe('Successfully Logged Out');
    expect(await onDevice()).toEqual([]);
    expect(files.delete.mock.calls.flat()).toEqual([IMAGE_CACHE, CATALOGUE_CACHE]);
    expect(listCopy(partners).state().value).toBeUndefined();
  });

  it('is removed even if the server cannot be reached', async () => {
    const { signOut } = await pageWithList();
    server.unreachable = true;
    const told = signOut();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await told).toBe('Logged out on this device only');
    expect(await onDevice()).toEqual([]);
  });

  it('is not restored by a late answer', async () => {
    const { signOut, listCopy } = await pageWithList();
    let arrive = () => {};
    server.list = new Promise((resolve) => {
      arrive = resolve;
    });
    const refreshed = listCopy(partners).refresh();
    await signOut();
    arrive();
    await refreshed;
    await vi.advanceTimersByTimeAsync(100);
    expect(await onDevice()).toEqual([]);
  });

  it('is not shown to another administrator who signs in after the session has ended', async () => {
    const { dropSession, signIn } = await pageWithList();
    await dropSession();
    expect(await onDevice()).toHaveLength(1);
    server.user = { id: 8, name: 'Omar' };
    await signIn('', '', true);
    expect(await onDevice()).toEqual([]);
  });

  it('is not shown to the next user of another tab, nor restored by an earlier answer', async () => {
    await expectForgotten('voltdesk.user', () => {
      localStorage.setItem('access_token', 'token-8');
      localStorage.setItem('voltdesk.user', JSON.stringify({ id: 8, name: 'Omar' }));
    });
  });

  it('is not stored by a tab that was reading it when another one logged out', async () => {
    await expectForgotten('access_token', () => localStorage.clear());
  });

  it('is still there for the same user', async () => {
    const { dropSession, signIn } = await pageWithList();
    await dropSession();
    await signIn('', '', true);
    expect(await onDevice()).toHaveLength(1);
  });

  it('is reported as still there if it cannot be removed', async () => {
    const { signOut } = await pageWithList();
    files.delete.mockRejectedValueOnce(new Error('It is locked.'));
    vi.spyOn(console, 'error').mockImplementation(() => {});
    expect(await signOut()).toMatch(/^Successfully Logged Out\. Lists you opened are still on this device\./);
  });

  it('is reported as still there in the user’s language', async () => {
    const { signOut } = await pageWithList();
    const { speak } = await import('../../src/language/t.ts');
    const { catalogue } = await import('../../src/language/de.ts');
    speak(catalogue);
    files.delete.mockRejectedValueOnce(new Error('It is locked.'));
    vi.spyOn(console, 'error').mockImplementation(() => {});
    expect(await signOut()).toMatch(/^Abgemeldet\. Von Ihnen geöffnete Listen liegen noch auf diesem Gerät\./);
    speak(undefined);
  });
});
