import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, Route, Routes } from 'react-router-dom';
import { afterEach, beforeEach, vi } from 'vitest';
import { create } from 'zustand';
import { outbox as played } from '../../src/api/outbox.ts';
import type { OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import ConflictScreen from '../../src/features/outbox/conflict-screen.tsx';
import OutboxScreen from '../../src/features/outbox/outbox-screen.tsx';
import type { QueueState } from '../../src/offline/outbox/queries.ts';
import { useConnection } from '../../src/stores/connection.ts';
import { useNotifications } from '../../src/stores/notifications.ts';
import { useSession } from '../../src/stores/session.ts';
import { ConfirmHost } from '../../src/ui/confirm.tsx';
import { NOW } from '../domain/outbox/samples.ts';

/** The outbox and the comparison on a fake device. Its pending changes are given, and its commands are recorded. */

interface Device {
  readonly entries: readonly OutboxEntry[] | undefined;
  readonly receipts: readonly OutboxEntry[];
  readonly queue: QueueState | undefined;
}

vi.mock('../../src/api/live.ts', () => ({
  useEntries: () => useDevice(({ entries }) => entries),
  useReceipts: () => useDevice(({ receipts }) => receipts),
  useQueueState: () => useDevice(({ queue }) => queue),
}));
const listed = vi.hoisted(() => ({ rows: new Map<number, { readonly photo: string }>() }));
vi.mock('../../src/api/reads.ts', () => ({
  useListedRow: (_resource: unknown, id: number) => listed.rows.get(id),
}));
vi.mock('../../src/api/outbox.ts', async () => {
  const { QueueFileError } = await import('../../src/offline/storage/errors.ts');
  const names = ['retry', 'haltFiles', 'sendOverAnyLink', 'undo', 'discardedWith', 'discard', 'discardAll', 'adopt'];
  const more = ['entry', 'file', 'resolve', 'sendNow', 'exportQueue', 'importQueue', 'acknowledgeLoss'];
  return {
    QueueFileError,
    StorageFullError: class extends Error {},
    FileUnreadableError: class extends Error {},
    outbox: Object.fromEntries([...names, ...more].map((name) => [name, vi.fn<() => Promise<unknown>>()])),
  };
});

export const outbox = played;

/** Photos known from this device's lists, by server id. */
export const photos = listed.rows;

const IDLE: QueueState = {
  travelling: false,
  progress: { sent: 0, total: 0 },
  otherAdministratorsWaiting: 0,
  waiting: 0,
  needAttention: 0,
  forWifi: 0,
};

const useDevice = create<Device>()(() => ({ entries: [], receipts: [], queue: IDLE }));

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
  for (const work of Object.values(outbox)) vi.mocked(work as () => Promise<unknown>).mockResolvedValue(undefined);
  vi.mocked(outbox.file).mockRejectedValue(new Error('There are no bytes.'));
  vi.mocked(outbox.discardedWith).mockResolvedValue([]);
  useConnection.setState({ radio: true, answers: true, portal: false });
  useSession.setState({ user: { id: 1, name: 'Nadia Rahman' }, token: 'token-1', ended: false });
  useNotifications.getState().take();
  photos.clear();
});

afterEach(async () => {
  cleanup();
  vi.clearAllMocks();
  vi.useRealTimers();
  await vi.dynamicImportSettled();
});

/** Opens the outbox, or the comparison of one change, on a device with these changes. */
export function openOutbox(
  entries: readonly OutboxEntry[] | undefined,
  queue: Partial<QueueState> | undefined = {},
  { receipts = [], address = '/outbox' }: { receipts?: readonly OutboxEntry[]; address?: string } = {},
): void {
  useDevice.setState({ entries, receipts, queue: queue && { ...IDLE, ...queue } });
  render(
    <MemoryRouter initialEntries={[address]}>
      <main>
        <Routes>
          <Route path="/outbox/conflict/:entryId" element={<ConflictScreen />} />
          <Route path="/outbox" element={<OutboxScreen />} />
        </Routes>
      </main>
      <ConfirmHost />
    </MemoryRouter>,
  );
}

/** Replaces the pending changes, and the state of the queue if it is given, while the screen is open. */
export function becomes(entries: readonly OutboxEntry[], queue?: Partial<QueueState>): void {
  act(() => useDevice.setState({ entries, ...(queue && { queue: { ...IDLE, ...queue } }) }));
}

/** Presses the button with this name. */
export async function press(name: string): Promise<void> {
  await userEvent.click(await screen.findByRole('button', { name }));
}

/** The toasts since the last call. */
export function toasts(): readonly string[] {
  return useNotifications
    .getState()
    .take()
    .map(({ kind, message }) => `${kind}: ${message}`);
}

/** The names of a card's buttons and links, in order. */
export function offered(card: HTMLElement): string[] {
  return [...card.querySelectorAll('.entry-actions > *')].map(({ textContent }) => textContent);
}

/** The cards, in order. */
export const cards = () => [...document.querySelectorAll<HTMLElement>('li.entry')];
