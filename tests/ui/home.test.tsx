import { act, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { QueueState } from '../../src/offline/outbox/queries.ts';
import type { OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import { editing, entryOf } from '../domain/outbox/samples.ts';
import { openApp } from './page.tsx';

afterEach(() => vi.doUnmock('../../src/offline/outbox/queries.ts'));

/** Opens the dashboard with this queue. */
async function openHome(
  queue: Partial<QueueState> | undefined,
  receipts: readonly OutboxEntry[] = [],
  entries: readonly OutboxEntry[] = [],
) {
  const state = { waiting: 0, needAttention: 0, otherAdministratorsWaiting: 0, ...queue };
  vi.doMock('../../src/offline/outbox/queries.ts', () => ({
    queueState: async () => (queue === undefined ? new Promise(() => {}) : state),
    pendingEntries: async () => entries,
    receipts: async () => receipts,
    identities: async () => new Map(),
  }));
  return openApp('/');
}

/** The browser's offer to install, as Chromium makes it. */
function offerInstalling(outcome: 'accepted' | 'dismissed') {
  const prompt = vi.fn<() => Promise<{ outcome: string }>>().mockResolvedValue({ outcome });
  act(() => {
    window.dispatchEvent(Object.assign(new Event('beforeinstallprompt'), { prompt }));
  });
  return prompt;
}

describe('the dashboard', () => {
  it('says that all changes are sent', async () => {
    await openHome({});
    expect(await screen.findByText('All changes sent')).toBeDefined();
  });

  it('says how many changes wait, and those of others', async () => {
    await openHome({ waiting: 3, otherAdministratorsWaiting: 1 });
    expect(await screen.findByText('3 changes wait to be sent')).toBeDefined();
    expect(screen.getByText(/1 change of other administrators/)).toBeDefined();
  });

  it('does not say that nothing waits while changes of others do', async () => {
    await openHome({ otherAdministratorsWaiting: 2 });
    const words = 'Nothing of yours is waiting on this device. 2 changes of other administrators wait here too.';
    expect(await screen.findByText(words)).toBeDefined();
  });

  it('shows changes that need attention before waiting ones', async () => {
    await openHome({ waiting: 3, needAttention: 1 });
    expect(await screen.findByText('1 change needs your attention')).toBeDefined();
    expect(screen.getByText(/2 more changes wait to be sent/)).toBeDefined();
  });

  it('names waiting changes, those that need attention first, and counts the rest', async () => {
    const waiting = ['One', 'Two', 'Three', 'Four', 'Five'].map((title, at) =>
      entryOf(editing(String(at), {}, {}), { title, id: title, sequence: at + 1 }),
    );
    const reason = { code: 'refused', message: 'No.' } as const;
    const refused = entryOf(editing('9', {}, {}), {
      title: 'Refused',
      id: 'r',
      sequence: 9,
      state: 'attention',
      reason,
    });
    await openHome({ waiting: 6, needAttention: 1 }, [], [...waiting, refused]);
    const first = await screen.findByRole('link', { name: 'Refused' });
    const named = within(first.closest('ul') ?? document.body).getAllByRole('listitem');
    expect(named.map((item) => item.textContent)).toEqual([
      expect.stringContaining('Refused'),
      ...['One', 'Two', 'Three'].map((title) => expect.stringContaining(title)),
      'and 2 more',
    ]);
  });

  it('calls nothing sent before the outbox has been read', async () => {
    await openHome(undefined);
    expect(await screen.findByRole('heading', { name: 'Dashboard' })).toBeDefined();
    expect(screen.queryByText('All changes sent')).toBeNull();
  });

  it('reports a storage loss until it is acknowledged, and calls nothing sent that was lost', async () => {
    const { user } = await openHome({ lossNoticedAt: Date.now() });
    expect(await screen.findByText('This browser has deleted what was saved on this device.')).toBeDefined();
    expect(screen.getByText(/^Nothing waiting on this device/)).toBeDefined();
    expect(screen.queryByText('All changes sent')).toBeNull();
    const { outbox } = await import('../../src/api/outbox.ts');
    const acknowledged = vi.spyOn(outbox, 'acknowledgeLoss').mockResolvedValue();
    await user.click(screen.getByRole('button', { name: 'I’ve checked' }));
    expect(acknowledged).toHaveBeenCalledOnce();
  });

  it('links the records that were edited last, each once', async () => {
    const done = (recordId: string, title: string) =>
      entryOf(editing(recordId, {}, {}), { title, state: 'done', receipt: { at: Date.now(), message: '' } });
    await openHome({}, [done('7', 'Acme'), done('7', 'Acme'), done('8', 'Bolt')]);
    expect(await screen.findByText('3 changes sent today')).toBeDefined();
    const links = screen.getAllByRole('link', { name: /Updated partner/ });
    expect(links.map((link) => link.getAttribute('href'))).toEqual(['/partner-edit/7', '/partner-edit/8']);
  });

  it('links every kind of record, and a new one of it', async () => {
    await openHome({});
    const main = within(await screen.findByRole('main'));
    await main.findByRole('link', { name: 'Generators' });
    expect(main.getAllByRole('listitem')).toHaveLength(10);
    expect(main.getByRole('link', { name: 'Generators' }).getAttribute('href')).toBe('/generator-all');
    expect(main.getByRole('link', { name: 'New Generator' }).getAttribute('href')).toBe('/generator-create');
  });
});

describe('the hint to install', () => {
  it('appears with the browser’s offer, and prompts when it is accepted', async () => {
    const { user } = await openHome({});
    const { followInstallOffer } = await import('../../src/stores/install.ts');
    followInstallOffer();
    expect(screen.queryByText('Keep Voltdesk on this device')).toBeNull();
    const prompt = offerInstalling('accepted');
    await user.click(await screen.findByRole('button', { name: 'Install' }));
    expect(prompt).toHaveBeenCalledOnce();
    expect(screen.queryByText('Keep Voltdesk on this device')).toBeNull();
  });

  it('stays away after Not now', async () => {
    const { user } = await openHome({});
    const { followInstallOffer } = await import('../../src/stores/install.ts');
    followInstallOffer();
    const prompt = offerInstalling('dismissed');
    await user.click(await screen.findByRole('button', { name: 'Not now' }));
    expect(prompt).not.toHaveBeenCalled();
    offerInstalling('dismissed');
    expect(screen.queryByText('Keep Voltdesk on this device')).toBeNull();
  });

  it('explains how to install on an iPad', async () => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X)');
    await openHome({});
    expect(await screen.findByText(/Add to Home Screen/)).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Install' })).toBeNull();
    vi.restoreAllMocks();
  });
});
