import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SYNC_TAG } from '../../src/offline/sender/worker-messages.ts';
import { soon } from '../harness/soon.ts';
import { openApp } from './page.tsx';

const storage = {
  estimate: async () => ({ usage: 3 * 1024 * 1024, quota: 10 * 1024 * 1024 }),
  persisted: vi.fn(async () => false),
  persist: vi.fn(async () => true),
};

beforeEach(() => void Object.defineProperty(navigator, 'storage', { value: storage, configurable: true }));
afterEach(() => {
  Reflect.deleteProperty(navigator, 'storage');
  Reflect.deleteProperty(navigator, 'serviceWorker');
  vi.unstubAllGlobals();
  vi.doUnmock('../../src/offline/outbox/queries.ts');
});

const valueOf = async (name: string) => (await screen.findByText(name)).nextElementSibling?.textContent;

describe('the self-check', () => {
  it('is linked from About, and shows what affects whether changes are kept and sent', async () => {
    const { user } = await openApp('/about');
    await user.click(await screen.findByRole('link', { name: 'Check this device' }));
    expect(await screen.findByRole('heading', { name: 'Check this device' })).toBeDefined();
    expect(await valueOf('Storage')).toBe('3.0 of 10.0 MB used (browser’s estimate)');
    expect(await valueOf('Persistent storage')).toMatch(/^not granted: /);
    expect(await valueOf('Worker')).toBe('none: this page sends');
    expect(await valueOf('Sends in the background')).toBe('no: keep Voltdesk open until it says Online');
    expect(await valueOf('Queue')).toBe('0 waiting, 0 need attention, 0 from others');
    expect(await valueOf('Last confirmed change')).toBe('never');
  });

  it('distinguishes an installing worker from none', async () => {
    const getRegistration = async () => ({ installing: { state: 'installing' }, active: null });
    Object.defineProperty(navigator, 'serviceWorker', { value: { getRegistration }, configurable: true });
    await openApp('/self-check');
    expect(await valueOf('Worker')).toBe('installing: this page sends');
  });

  it('shows the facts of an installed app whose worker sends', async () => {
    const registration = { active: { state: 'activated' }, waiting: {}, sync: { getTags: async () => [SYNC_TAG] } };
    const serviceWorker = { getRegistration: async () => registration };
    Object.defineProperty(navigator, 'serviceWorker', { value: serviceWorker, configurable: true });
    vi.stubGlobal('SyncManager', {});
    document.cookie = 'XSRF-TOKEN=value; path=/';
    await openApp('/self-check');
    expect(await valueOf('Worker')).toBe('activated, a new version is waiting, a sync is registered');
    expect(await valueOf('Sends in the background')).toBe('yes');
    expect(await valueOf('Anti-forgery cookie')).toBe('there');
    expect(await valueOf('Opened as')).toBe('browser tab');
    expect(await valueOf('Files are stored as')).toBe('bytes (this browser has lost Blobs)');
    expect(await valueOf('Browser')).toBe(navigator.userAgent);
    cleanup();
    document.cookie = 'XSRF-TOKEN=; max-age=0; path=/';
    registration.sync.getTags = async () => [];
    await openApp('/self-check');
    expect(await valueOf('Worker')).toBe('activated, a new version is waiting');
    expect(await valueOf('Anti-forgery cookie')).toBe('none');
  });

  it('shows what the queue holds, why it is paused, and when it last sent and confirmed something', async () => {
    const [attempted, confirmed] = [Date.UTC(2026, 10, 20, 9), Date.UTC(2026, 10, 19, 8)];
    const state = { waiting: 2, needAttention: 1, otherAdministratorsWaiting: 3, pause: { cause: 'busy' } };
    vi.doMock('../../src/offline/outbox/queries.ts', () => ({
      queueState: async () => ({ ...state, lossNoticedAt: 5, lastAttemptAt: attempted }),
      pendingEntries: async () => [],
      receipts: async () => [{ receipt: { at: confirmed, message: '' } }, { receipt: { at: 1, message: '' } }],
      identities: async () => new Map(),
    }));
    await openApp('/self-check');
    expect(await valueOf('Queue')).toBe(
      '2 waiting, 1 need attention, 3 from others, paused: the server is busy, changes were lost',
    );
    expect(await valueOf('Last attempt')).toBe(new Date(attempted).toLocaleString('en-GB'));
    expect(await valueOf('Last confirmed change')).toBe(new Date(confirmed).toLocaleString('en-GB'));
  });

  it('requests persistent storage, and shows the answer', async () => {
    const { user } = await openApp('/self-check');
    storage.persist.mockImplementationOnce(async () => {
      storage.persisted.mockResolvedValue(true);
      return true;
    });
    await user.click(await screen.findByRole('button', { name: 'Ask to keep my changes' }));
    expect(await screen.findByText('granted by the browser')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Ask to keep my changes' })).toBeNull();
    storage.persisted.mockResolvedValue(false);
  });

  it('gives one verdict with its reasons, and says what is left when the browser declines', async () => {
    const { user } = await openApp('/self-check');
    const name = 'This device is not ready for a week offline yet';
    const verdict = within(await screen.findByRole('region', { name }));
    expect(verdict.getAllByRole('listitem')).toHaveLength(3);
    storage.persist.mockResolvedValueOnce(false);
    await user.click(verdict.getByRole('button', { name: 'Ask to keep my changes' }));
    expect(await screen.findByText(/^The browser declined\./)).toBeDefined();
  });

  it('says which fact cannot be read, and shows the others', async () => {
    vi.spyOn(storage, 'estimate').mockRejectedValueOnce(new TypeError('Not here.'));
    await openApp('/self-check');
    expect(await valueOf('Storage')).toBe('unavailable (Not here.)');
    expect(await valueOf('Last attempt')).toBe('never');
  });
});

describe('the dashboard, while changes wait without persistent storage', () => {
  /** Opens it with one change that waits. */
  async function openWaiting() {
    vi.doMock('../../src/offline/outbox/queries.ts', () => ({
      queueState: async () => ({ waiting: 1, needAttention: 0, otherAdministratorsWaiting: 0 }),
      pendingEntries: async () => [],
      receipts: async () => [],
      identities: async () => new Map(),
    }));
    const { user } = await openApp('/');
    const hint = await screen.findByText('This browser may delete what is saved here');
    return { user, card: within(hint.closest('aside') ?? document.body) };
  }

  it('requests persistent storage, and is silent once it is granted', async () => {
    const { user, card } = await openWaiting();
    await user.click(card.getByRole('button', { name: 'Keep my changes' }));
    await soon(() => expect(screen.queryByText('This browser may delete what is saved here')).toBeNull());
  });

  it('says what to do when the browser refuses', async () => {
    storage.persist.mockResolvedValueOnce(false);
    const { user, card } = await openWaiting();
    await user.click(card.getByRole('button', { name: 'Keep my changes' }));
    expect(await card.findByText(/Send your changes soon, or install Voltdesk/)).toBeDefined();
    expect(card.queryByRole('button')).toBeNull();
  });

  it('says that the app has to stay open when nothing can wake the worker', async () => {
    await openWaiting();
    expect(screen.getByText(/Keep Voltdesk open until it says Online/)).toBeDefined();
  });
});
