import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { ActivityEntry } from '../../src/domain/activity.ts';
import type { OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import type { Resource } from '../../src/domain/resource.ts';
import { certifications } from '../../src/domain/resources/certifications.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { editing, entryOf } from '../domain/outbox/samples.ts';
import { answers, nadia, openApp } from './page.tsx';

const entry: ActivityEntry = {
  id: 3,
  at: '2026-11-20T10:00:00.000Z',
  administrator: 'Anna Kaya',
  administratorId: 9,
  action: 'update',
  resource: 'partners',
  recordId: 7,
  title: 'Acme',
  isGone: false,
};

const listed = async () => {
  const part = await screen.findByRole('region', { name: 'Recent activity' });
  return within(part).getAllByRole('listitem');
};

async function openHome(entries: readonly ActivityEntry[]) {
  const opened = await openApp('/');
  answers['GET /api/activity'] = () => entries;
  const { useServerAbilities } = await import('../../src/stores/server-abilities.ts');
  useServerAbilities.setState({ activity: true });
  return opened;
}

describe('the activity on the first page', () => {
  it('names a record of a kind that only a newer version of the app knows, without a link', async () => {
    await openHome([
      { ...entry, resource: 'batteries' as never },
      { ...entry, id: 2 },
    ]);
    const [unknown, known] = await listed();
    expect(unknown?.textContent).toContain('Anna Kaya updated Acme');
    expect([unknown, known].map((line) => within(line as HTMLElement).queryByRole('link') !== null)).toEqual([
      false,
      true,
    ]);
  });

  it('says who did what, with each line linked to its record', async () => {
    await openHome([entry]);
    const [line] = await listed();
    expect(line?.textContent).toContain('Anna Kaya updated Acme');
    expect(screen.getByRole('link', { name: 'Acme' }).getAttribute('href')).toBe('/partner-edit/7');
  });

  it('calls the current user “You”, and links to no deleted record', async () => {
    await openHome([{ ...entry, administratorId: nadia.id, action: 'delete', isGone: true }]);
    const [line] = await listed();
    expect(line?.textContent).toContain('You deleted Acme');
    expect(screen.queryByRole('link', { name: 'Acme' })).toBeNull();
  });

  it('leaves out what was done on this device, which is listed above it', async () => {
    const receipts = [entryOf(editing('7', {}, {}), { title: 'Acme', state: 'done', receipt: { at: 1, message: '' } })];
    vi.doMock('../../src/offline/outbox/queries.ts', async (original) => ({
      ...(await original<object>()),
      receipts: async () => receipts,
    }));
    await openHome([
      { ...entry, administratorId: nadia.id },
      { ...entry, id: 2, recordId: 8, title: 'Bolt' },
    ]);
    await waitFor(async () =>
      expect((await listed()).map(({ textContent }) => textContent)).toEqual([expect.stringContaining('Bolt')]),
    );
    vi.doUnmock('../../src/offline/outbox/queries.ts');
  });

  it('shows nothing, not even a heading, when everything was done on this device', async () => {
    const kept = Promise.withResolvers<readonly OutboxEntry[]>();
    vi.doMock('../../src/offline/outbox/queries.ts', async (original) => ({
      ...(await original<object>()),
      receipts: () => kept.promise,
    }));
    await openHome([{ ...entry, administratorId: nadia.id }]);
    expect(await listed()).toHaveLength(1);
    kept.resolve([entryOf(editing('7', {}, {}), { title: 'Acme', state: 'done', receipt: { at: 1, message: '' } })]);
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Recent activity' })).toBeNull());
    vi.doUnmock('../../src/offline/outbox/queries.ts');
  });

  it('is reloaded when a list has changed', async () => {
    await openHome([entry]);
    await listed();
    answers['GET /api/activity'] = () => [{ ...entry, id: 4, title: 'Bolt' }, entry];
    const { listCopy } = await import('../../src/api/sources.ts');
    listCopy(partners).adopt({ value: [{ id: 7, name: 'Acme' }], fetchedAt: Date.now() });
    expect(await screen.findByRole('link', { name: 'Bolt' })).toBeDefined();
  });

  it('stays as it was when it cannot be reloaded', async () => {
    await openHome([entry]);
    await listed();
    const { ApiFailure } = await import('../../src/api/failure.ts');
    const asked = vi.fn(() => Promise.reject(new ApiFailure('unreachable', 'Can’t reach the server.')));
    answers['GET /api/activity'] = asked;
    const { listCopy } = await import('../../src/api/sources.ts');
    listCopy(partners).adopt({ value: [{ id: 7, name: 'Acme' }], fetchedAt: Date.now() });
    await waitFor(() => expect(asked).toHaveBeenCalledOnce());
    expect(await listed()).toHaveLength(1);
  });

  it('is requested once for several list changes in a row, and never after the screen is left', async () => {
    const { unmount } = await openHome([entry]);
    await listed();
    const asked = vi.fn(() => [entry]);
    answers['GET /api/activity'] = asked;
    const { listCopy } = await import('../../src/api/sources.ts');
    const change = (resource: Resource) => listCopy(resource).adopt({ value: [], fetchedAt: Date.now() });
    vi.useFakeTimers();
    change(partners);
    await vi.advanceTimersByTimeAsync(499);
    change(certifications);
    await vi.advanceTimersByTimeAsync(499);
    expect(asked).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(asked).toHaveBeenCalledOnce();
    // found to be unchanged
    const { value = [] } = listCopy(partners).state();
    listCopy(partners).adopt({ value, fetchedAt: Date.now() });
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked).toHaveBeenCalledOnce();
    change(partners);
    unmount();
    await vi.advanceTimersByTimeAsync(1000);
    change(certifications);
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked).toHaveBeenCalledOnce();
    vi.useRealTimers();
  });
});
