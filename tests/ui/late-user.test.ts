import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';

const nadia = { id: 7, name: 'Nadia' };
const omar = { id: 8, name: 'Omar' };

/** The request for the user, and the way to answer it. */
const asked = vi.hoisted(() => ({ answer: (_body: unknown) => {}, times: 0 }));

vi.mock('../../src/api/client.ts', () => ({
  get: () => {
    asked.times += 1;
    return new Promise((resolve) => {
      asked.answer = (body) => resolve({ body });
    });
  },
}));

/** What a sign-in writes. */
async function signsIn({ id, name }: typeof nadia, token: string): Promise<void> {
  const { startSession } = await import('../../src/stores/session.ts');
  const { rememberSession } = await import('../../src/offline/storage/session.ts');
  await rememberSession({ administrator: String(id), name, token, rememberAcrossRestarts: true });
  startSession({ id, name }, token, true);
}

/** A page of Nadia's that has asked the server who she is, and has no answer yet. */
async function askForNadia() {
  localStorage.clear();
  vi.resetModules();
  asked.times = 0;
  const auth = await import('../../src/api/auth.ts');
  const session = await import('../../src/stores/session.ts');
  const { forgetSession, rememberedSession } = await import('../../src/offline/storage/session.ts');
  await forgetSession();
  await signsIn(nadia, 'token-of-nadia');
  const refreshed = auth.refreshUser();
  await expect.poll(() => asked.times).toBe(1);
  return { ...auth, ...session, rememberedSession, refreshed };
}

beforeEach(() => localStorage.clear());

describe('the server’s answer about the user', () => {
  it('is stored, for the sender too', async () => {
    const { refreshed, useSession, rememberedSession } = await askForNadia();
    asked.answer({ ...nadia, name: 'Nadia Rahman' });
    await refreshed;
    expect(useSession.getState().user?.name).toBe('Nadia Rahman');
    expect(await rememberedSession()).toMatchObject({ name: 'Nadia Rahman', token: 'token-of-nadia' });
  });

  it('leaves a refused queue alone while a requirement is open, as it would be refused again', async () => {
    const { refreshed, useSession } = await askForNadia();
    const { outboxDatabase } = await import('../../src/offline/storage/outbox-database.ts');
    const pause = { cause: 'signed-out', since: 1 };
    await outboxDatabase().meta.put({ key: 'pause', value: pause });
    asked.answer({ ...nadia, owes: 'second-factor' });
    await refreshed;
    expect(useSession.getState().user?.owes).toBe('second-factor');
    expect(await outboxDatabase().meta.get('pause')).toEqual({ key: 'pause', value: pause });
  });

  it('changes nothing when somebody else has signed in before it arrives', async () => {
    const { refreshed, dropSession, useSession, rememberedSession } = await askForNadia();
    await dropSession();
    await signsIn(omar, 'token-of-omar');
    asked.answer(nadia);
    await refreshed;
    expect(useSession.getState()).toMatchObject({ user: omar, token: 'token-of-omar' });
    expect(JSON.parse(localStorage.getItem('voltdesk.user') ?? '')).toEqual(omar);
    expect(await rememberedSession()).toMatchObject({ administrator: '8', token: 'token-of-omar' });
  });

  it('changes nothing when somebody else has just signed in in another tab', async () => {
    const { refreshed, rememberedSession } = await askForNadia();
    const { rememberSession } = await import('../../src/offline/storage/session.ts');
    localStorage.setItem('access_token', 'token-of-omar');
    localStorage.setItem('voltdesk.user', JSON.stringify(omar));
    await rememberSession({ administrator: '8', name: 'Omar', token: 'token-of-omar', rememberAcrossRestarts: true });
    asked.answer(nadia);
    await refreshed;
    expect(JSON.parse(localStorage.getItem('voltdesk.user') ?? '')).toEqual(omar);
    expect(await rememberedSession()).toMatchObject({ administrator: '8', token: 'token-of-omar' });
  });

  it('restores no session after a log-out', async () => {
    const { refreshed, dropSession, useSession, rememberedSession } = await askForNadia();
    await dropSession();
    asked.answer(nadia);
    await refreshed;
    expect(useSession.getState()).toEqual({ ended: false, signInAsked: false });
    expect(localStorage.getItem('voltdesk.user')).toBeNull();
    expect(await rememberedSession()).toBeUndefined();
  });
});
