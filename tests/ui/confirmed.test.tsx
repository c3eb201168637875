import { apply } from '../../src/domain/outbox/lifecycle.ts';
import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Change, OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import { creating, deleting, editing, entryOf, partner } from '../domain/outbox/samples.ts';
import { answers, nadia, openApp } from './page.tsx';
import { stubResizeObserver } from './unmeasured.ts';

const LIST = 'GET /api/get-partners';
const ACME = { id: 7, ...partner('Acme') };
const BOLT = { id: 8, ...partner('Bolt') };

beforeEach(stubResizeObserver);
afterEach(() => vi.restoreAllMocks());

const rows = async () => (await screen.findAllByRole('link', { name: /^Edit / })).map(({ ariaLabel }) => ariaLabel);

async function databases() {
  const { device } = await import('../../src/api/device.ts');
  return device();
}

/** Puts a confirmed change where the sender leaves it. */
async function confirm(change: Change, at: number, serverId?: number): Promise<OutboxEntry> {
  const { browserEnvironment } = await databases();
  const receipt = { at, message: '', ...(serverId !== undefined && { serverId }) };
  const entry = entryOf(change, { administrator: String(nadia.id), state: 'done', receipt });
  await browserEnvironment().outbox.entries.put(entry);
  return entry;
}

/** The list of partners on a device that read it ten minutes before this page was loaded, and cannot read it now. */
async function openList(): Promise<number> {
  const readAt = performance.timeOrigin - 600_000;
  await openApp('/about');
  const offline = await databases();
  const { outbox } = offline.browserEnvironment();
  await outbox.entries.clear();
  await offline.cache.writeList('partners', { rows: [ACME, BOLT], fetchedAt: readAt });
  await unreachable();
  return readAt;
}

async function unreachable(): Promise<void> {
  const { ApiFailure } = await import('../../src/api/failure.ts');
  answers[LIST] = () => {
    throw new ApiFailure('unreachable', 'Can’t reach the server.');
  };
}

/** Opens the list in a page that follows confirmed changes. */
async function look(): Promise<void> {
  const { followConfirmed } = await import('../../src/api/revalidation.ts');
  followConfirmed();
  act(() => screen.getByRole('button', { name: 'Partners' }).click());
  act(() => screen.getByRole('link', { name: 'All Partners' }).click());
  await screen.findByText(/^Can’t reach the server./);
}

// The pages of the other tests follow no waiting changes, so they request nothing during the next test.
test('keeps changes in the list that are confirmed one by one while it cannot be read', async () => {
  await openList();
  await look();
  expect(await rows()).toEqual(['Edit Acme', 'Edit Bolt']);
  const { browserEnvironment } = await databases();
  const { outbox } = browserEnvironment();
  const administrator = String(nadia.id);
  const edits = [
    entryOf(editing('7', partner('Acme'), partner('Acme Ltd')), { administrator }),
    entryOf(editing('8', partner('Bolt'), partner('Bolt Ltd')), { administrator }),
  ];
  await outbox.meta.put({ key: 'session', value: { administrator } });
  await outbox.entries.bulkPut(edits);
  await waitFor(() => expect(screen.queryAllByText('Changed, waiting')).toHaveLength(2));
  for (const [at, waiting] of edits.entries()) {
    await outbox.entries.put(apply(waiting, { event: 'delivered', receipt: { at: Date.now(), message: '' } }));
    await waitFor(() => expect(screen.queryAllByText('Changed, waiting')).toHaveLength(1 - at));
  }
  expect(await rows()).toEqual(['Edit Acme Ltd', 'Edit Bolt Ltd']);
});

test('removes a discarded change from its list immediately', async () => {
  await openList();
  await look();
  const { browserEnvironment, discard } = await databases();
  const { outbox } = browserEnvironment();
  const administrator = String(nadia.id);
  const entry = entryOf(editing('7', partner('Acme'), partner('Acme Ltd')), { administrator });
  await outbox.meta.put({ key: 'session', value: { administrator } });
  await outbox.entries.put(entry);
  await waitFor(async () => expect(await rows()).toEqual(['Edit Acme Ltd', 'Edit Bolt']));
  await discard(browserEnvironment(), entry.id);
  await waitFor(async () => expect(await rows()).toEqual(['Edit Acme', 'Edit Bolt']));
});

test('keeps a change in the list that was confirmed before it was ever seen waiting', async () => {
  await openList();
  await look();
  const { expectSettling } = await import('../../src/api/confirmed-overlay.ts');
  const { browserEnvironment } = await databases();
  const { outbox } = browserEnvironment();
  const administrator = String(nadia.id);
  await outbox.meta.put({ key: 'session', value: { administrator } });
  const entry = expectSettling(entryOf(editing('7', partner('Acme'), partner('Acme Ltd')), { administrator }));
  const receipt = { at: Date.now(), message: '' };
  await outbox.transaction('rw', outbox.entries, async () => {
    await outbox.entries.put(entry);
    await outbox.entries.put(apply(entry, { event: 'delivered', receipt }));
  });
  await waitFor(async () => expect(await rows()).toEqual(['Edit Acme Ltd', 'Edit Bolt']));
});

test('keeps a change in the list that is confirmed while earlier confirmed ones are being read', async () => {
  await openList();
  const offline = await databases();
  const earlier = Promise.withResolvers<OutboxEntry[]>();
  vi.spyOn(offline, 'confirmedChanges').mockReturnValueOnce(earlier.promise);
  await look();
  const { expectSettling } = await import('../../src/api/confirmed-overlay.ts');
  const { outbox } = offline.browserEnvironment();
  const administrator = String(nadia.id);
  await outbox.meta.put({ key: 'session', value: { administrator } });
  const entry = expectSettling(entryOf(editing('7', partner('Acme'), partner('Acme Ltd')), { administrator }));
  const answered = vi.fn(answers[LIST]);
  answers[LIST] = answered;
  await outbox.entries.put(apply(entry, { event: 'delivered', receipt: { at: Date.now(), message: '' } }));
  const other = entryOf(editing('8', partner('Bolt'), partner('Bolt Ltd')), { administrator });
  await outbox.entries.put(other);
  // the list is requested again once the change is known to be confirmed
  await waitFor(() => expect(answered).toHaveBeenCalled());
  earlier.resolve([]);
  await waitFor(async () => expect(await rows()).toEqual(['Edit Acme Ltd', 'Edit Bolt Ltd']));
});

test('shows changes confirmed since a list was read until it is read again', async () => {
  const readAt = await openList();
  await confirm(editing('8', partner('Bolt'), partner('Older than the list')), readAt - 1);
  await confirm(editing('7', partner('Acme'), partner('Acme Ltd')), readAt + 1);
  await confirm(deleting('8'), readAt + 2);
  await confirm(creating('local-1', partner('Colt')), readAt + 3, 9);
  await look();
  await waitFor(async () => expect(await rows()).toEqual(['Edit Acme Ltd', 'Edit Colt']));
  expect(screen.queryByText(/waiting|Sending/)).toBeNull();

  answers[LIST] = () => [{ ...ACME, name: 'Changed by somebody else since' }];
  act(() => screen.getByRole('button', { name: 'Refresh' }).click());
  await waitFor(async () => expect(await rows()).toEqual(['Edit Changed by somebody else since']));
});

test('overlays what was confirmed after a copy was requested, or since the page loaded if never read', async () => {
  await openApp('/about');
  const { notIn } = await import('../../src/api/confirmed-overlay.ts');
  const loadedAt = performance.timeOrigin;
  const at = (time: number) =>
    entryOf(editing('7', partner('Acme'), partner('Acme Ltd')), {
      id: `${time}`,
      state: 'done',
      receipt: { at: loadedAt + time, message: '' },
    });
  const entries = [
    at(-2),
    at(-1),
    at(0),
    at(1),
    entryOf(editing('8', partner('Bolt'), partner('Bolt Ltd')), { id: 'waits' }),
  ];
  const lacks = (fetchedAt?: number) => notIn(entries, fetchedAt).map(({ id }) => id);
  expect(lacks()).toEqual(['1', 'waits']);
  expect(lacks(loadedAt - 2)).toEqual(['-1', '0', '1', 'waits']);
  expect(lacks(loadedAt + 1)).toEqual(['waits']);
});

test('an edit that still waits is shown on top of one that was confirmed before it', async () => {
  const readAt = await openList();
  await confirm(editing('7', partner('Acme'), partner('Acme Ltd')), readAt + 1);
  const { browserEnvironment } = await databases();
  const { outbox } = browserEnvironment();
  const administrator = String(nadia.id);
  await outbox.meta.put({ key: 'session', value: { administrator } });
  await outbox.entries.put(entryOf(editing('7', partner('Acme Ltd'), partner('Acme Group')), { administrator }));
  await look();
  await waitFor(async () => expect(await rows()).toEqual(['Edit Acme Group', 'Edit Bolt']));
});

test('does not overlay a change confirmed in the future by a clock that was set back since', async () => {
  await openList();
  await confirm(editing('7', partner('Acme'), partner('Of tomorrow')), Date.now() + 86_400_000);
  await look();
  expect(await rows()).toEqual(['Edit Acme', 'Edit Bolt']);
});

test('opens a record created here without the server, even if it was never read', async () => {
  await openList();
  const { ApiFailure } = await import('../../src/api/failure.ts');
  answers['GET /api/get-single-partner/9'] = () => {
    throw new ApiFailure('unreachable', 'Can’t reach the server.');
  };
  await confirm(creating('local-1', partner('Colt')), performance.timeOrigin - 2_000, 9);
  await look();
  const made = await screen.findByRole('link', { name: 'Edit Colt' });
  act(() => made.click());
  expect(await screen.findByDisplayValue('Colt')).toBeDefined();
});
