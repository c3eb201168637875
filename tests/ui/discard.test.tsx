import { apply } from '../../src/domain/outbox/lifecycle.ts';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, Route, Routes } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { outbox } from '../../src/api/outbox.ts';
import ConflictScreen from '../../src/features/outbox/conflict-screen.tsx';
import { notify } from '../../src/stores/notifications.ts';
import { ConfirmHost } from '../../src/ui/confirm.tsx';
import { editing, entryOf, NOW, partner } from '../domain/outbox/samples.ts';

const world = vi.hoisted(() => ({ entries: [] as unknown[] }));
vi.mock('../../src/api/live.ts', () => ({ useEntries: () => world.entries }));
vi.mock('../../src/api/outbox.ts', () => ({
  StorageFullError: class extends Error {},
  FileUnreadableError: class extends Error {},
  outbox: { discardedWith: vi.fn(), discard: vi.fn(), entry: vi.fn() },
}));
vi.mock('../../src/stores/notifications.ts', () => ({ notify: vi.fn() }));

const theirs = { values: partner('Theirs'), imageIds: [] };
const conflict = entryOf(editing('7', partner('Acme'), partner('Mine')), {
  state: 'attention',
  reason: { code: 'conflict', message: '' },
  conflict: { theirs, foundAt: NOW },
});

beforeEach(() => {
  world.entries = [conflict];
  vi.mocked(outbox.discardedWith).mockResolvedValue([]);
  vi.mocked(outbox.discard).mockResolvedValue();
  vi.mocked(outbox.entry).mockResolvedValue(undefined);
  render(
    <MemoryRouter initialEntries={[`/outbox/conflict/${conflict.id}`]}>
      <Routes>
        <Route path="/outbox/conflict/:entryId" element={<ConflictScreen />} />
        <Route path="/outbox" element={<p>The outbox</p>} />
      </Routes>
      <ConfirmHost />
    </MemoryRouter>,
  );
});
afterEach(() => {
  cleanup();
  vi.clearAllMocks();
});

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

test('returns to the outbox after a discard, and stays after Cancel', async () => {
  await press('Discard my change');
  await press('Cancel');
  expect(outbox.discard).not.toHaveBeenCalled();
  await press('Discard my change');
  await press('Discard');
  await screen.findByText('The outbox');
  expect(notify).not.toHaveBeenCalled();
});
test('does not claim that a change was delivered while it is still here', async () => {
  vi.mocked(outbox.entry).mockResolvedValue(conflict);
  await press('Discard my change');
  await press('Discard');
  await screen.findByText('The outbox');
  expect(notify).not.toHaveBeenCalled();
});

test('reports a change that reached the server while the dialog was open', async () => {
  vi.mocked(outbox.entry).mockResolvedValue(apply(conflict, { event: 'delivered', receipt: { at: NOW, message: '' } }));
  await press('Discard my change');
  await act(() => press('Discard'));
  await screen.findByText('The outbox');
  const words = 'Nothing was discarded: it has already reached the server.';
  expect(notify).toHaveBeenCalledExactlyOnceWith(words, { kind: 'info' });
});
