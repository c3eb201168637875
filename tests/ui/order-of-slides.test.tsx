import 'fake-indexeddb/auto';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ChangeDraft, outbox } from '../../src/api/outbox.ts';
import type { PendingRow } from '../../src/domain/outbox/optimistic-view.ts';
import type { OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import { sliders } from '../../src/domain/resources/sliders.ts';
import SliderOrder from '../../src/resource/sliders/slider-order.tsx';
import { useNotifications } from '../../src/stores/notifications.ts';
import { useSession } from '../../src/stores/session.ts';
import { hasUnsavedWork } from '../../src/stores/unsaved.ts';
import { stubResizeObserver } from './unmeasured.ts';

vi.mock('../../src/api/sources.ts', async (original) => ({
  ...(await original<typeof import('../../src/api/sources.ts')>()),
  recordCopy: () => ({ refresh: async () => undefined, state: () => ({ value: undefined }) }),
}));

const slide = (id: number, text: string, serial: string) =>
  ({ recordId: String(id), text, serial, image: '', version: 'v1' }) as unknown as PendingRow;
const ROWS = [slide(1, 'One', '1'), slide(2, 'Two', '2'), slide(3, 'Three', '3')];
const closed = vi.fn<() => void>();

let ends: OutboxEntry['state'] = 'done';

beforeEach(() => {
  stubResizeObserver();
  ends = 'done';
  closed.mockReset();
  useSession.setState({ user: { id: 7, name: 'Nadia Rahman' }, token: 'token-1' });
  useNotifications.getState().take();
  vi.spyOn(outbox, 'enqueue').mockImplementation(async (change) => ({ id: 'e', change }) as unknown as OutboxEntry);
  vi.spyOn(outbox, 'follow').mockImplementation(async () => ({ state: ends }) as OutboxEntry);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const open = (rows = ROWS) => render(<SliderOrder resource={sliders} rows={rows} onClose={closed} />);
const order = () => screen.getAllByRole('listitem').map((item) => item.querySelector('.slide-text')?.textContent);
const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save order' });
const saved = () =>
  vi.mocked(outbox.enqueue).mock.calls.map(([draft]: readonly [ChangeDraft, unknown]) => {
    if (draft.op !== 'update') throw new Error('Only edits are saved.');
    return [draft.recordId, draft.values['serial'], draft.base.version];
  });
const toasts = () =>
  useNotifications
    .getState()
    .take()
    .map(({ kind, message }) => `${kind}: ${message}`);

/** Types a serial for a slide. */
async function put(text: string, serial: string): Promise<void> {
  const input = await screen.findByLabelText(`Serial of ${text}`);
  await userEvent.clear(input);
  await userEvent.type(input, `${serial}{Enter}`);
}

test('orders slides by serial, and enables Save only for a changed order', async () => {
  open([slide(3, 'Three', '3'), slide(1, 'One', '1'), slide(2, 'Two', '2')]);
  await screen.findByText('One');
  expect(order()).toEqual(['One', 'Two', 'Three']);
  expect(save().disabled).toBe(true);
  await put('Three', '1');
  expect(order()).toEqual(['Three', 'One', 'Two']);
  expect(save().disabled).toBe(false);
  await put('Three', '99');
  expect(order()).toEqual(['One', 'Two', 'Three']);
  await put('Three', '99');
  expect(screen.getByLabelText('Serial of Three')).toHaveProperty('value', '3');
  expect(save().disabled).toBe(true);
});

test('saves only slides with a new serial, each based on its version, and reports when all are done', async () => {
  open();
  await put('Two', '1');
  await userEvent.click(save());
  await waitFor(() => expect(closed).toHaveBeenCalledOnce());
  expect(saved()).toEqual([
    ['2', '1', 'v1'],
    ['1', '2', 'v1'],
  ]);
  expect(toasts()).toEqual(['success: The slides are in their new order.']);
});

test('says that a new order waits, and counts refused slides', async () => {
  ends = 'pending';
  const { unmount } = open();
  await put('Two', '1');
  await userEvent.click(save());
  await waitFor(() => expect(closed).toHaveBeenCalledOnce());
  expect(toasts()).toEqual(['info: Saved on this device. It will be sent when the connection returns.']);
  unmount();
  ends = 'attention';
  open();
  await put('Two', '1');
  await userEvent.click(save());
  await waitFor(() => expect(closed).toHaveBeenCalledTimes(2));
  expect(toasts()).toEqual(['error: 2 of 2 slides couldn’t be moved. See the Outbox.']);
});

test('keeps the dialog open to save again when the order could not be stored', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  vi.mocked(outbox.enqueue).mockRejectedValue(new Error('full'));
  open();
  await put('Two', '1');
  await userEvent.click(save());
  await waitFor(() => expect(toasts()).toEqual([expect.stringContaining('Nothing was saved.')]));
  await waitFor(() => expect(save().disabled).toBe(false));
  expect(closed).not.toHaveBeenCalled();
});

test('restores a serial that is not a number, and Cancel saves nothing', async () => {
  open();
  const input = await screen.findByLabelText<HTMLInputElement>('Serial of Two');
  await userEvent.clear(input);
  fireEvent.blur(input);
  expect(input.value).toBe('2');
  expect(order()).toEqual(['One', 'Two', 'Three']);
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(closed).toHaveBeenCalledOnce();
  expect(saved()).toEqual([]);
});

test('an order that is stored in part leaves the dialog open, and says how much was saved', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  vi.mocked(outbox.enqueue)
    .mockResolvedValueOnce({ id: 'e' } as OutboxEntry)
    .mockRejectedValueOnce(new Error('full'));
  open();
  await put('Two', '1');
  await userEvent.click(save());
  await waitFor(() => expect(toasts()).toEqual([expect.stringContaining('Only 1 of 2 changes were saved.')]));
  await waitFor(() => expect(save().disabled).toBe(false));
  expect(closed).not.toHaveBeenCalled();
});

test('a second Save stores only the slides that the first one could not store', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  vi.mocked(outbox.enqueue)
    .mockResolvedValueOnce({ id: 'e' } as OutboxEntry)
    .mockRejectedValueOnce(new Error('full'));
  open();
  await put('Two', '1');
  await userEvent.click(save());
  await waitFor(() => expect(save().disabled).toBe(false));
  vi.mocked(outbox.enqueue).mockClear();
  await userEvent.click(save());
  await waitFor(() => expect(closed).toHaveBeenCalledOnce());
  expect(saved()).toEqual([['1', '2', 'v1']]);
});

test('bases a slide that was stored and moved again on what was stored', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  vi.mocked(outbox.enqueue)
    .mockResolvedValueOnce({ id: 'e' } as OutboxEntry)
    .mockRejectedValueOnce(new Error('full'));
  open();
  await put('Two', '1');
  await userEvent.click(save());
  await waitFor(() => expect(save().disabled).toBe(false));
  vi.mocked(outbox.enqueue).mockClear();
  await put('Two', '3');
  await userEvent.click(save());
  await waitFor(() => expect(closed).toHaveBeenCalledOnce());
  const sent = vi.mocked(outbox.enqueue).mock.calls.map(([draft]) => draft);
  expect(sent.find((draft) => 'recordId' in draft && draft.recordId === '2')).toMatchObject({
    values: { serial: '3' },
    base: { values: { serial: '1' } },
  });
});

test('names the handle of a slide by the slide and its current position', async () => {
  open();
  expect(await screen.findByRole('button', { name: 'Move Two, now 2 of 3' })).toBeDefined();
  await put('Two', '3');
  expect(screen.getByRole('button', { name: 'Move Two, now 3 of 3' })).toBeDefined();
});

test('Escape puts a lifted slide back, and closes the dialog only when none is lifted', async () => {
  // jsdom does not scroll
  Element.prototype.scrollIntoView = () => {};
  open();
  const handle = await screen.findByRole('button', { name: 'Move Two, now 2 of 3' });
  const isLifted = () => handle.closest('li')?.dataset['lifted'];
  handle.focus();
  fireEvent.keyDown(handle, { key: ' ', code: 'Space' });
  await waitFor(() => expect(isLifted()).toBe('true'));
  await new Promise((resolve) => setTimeout(resolve));
  fireEvent.keyDown(handle, { key: 'Escape', code: 'Escape' });
  await waitFor(() => expect(isLifted()).toBe('false'));
  expect(closed).not.toHaveBeenCalled();
  expect(order()).toEqual(['One', 'Two', 'Three']);
  fireEvent.keyDown(handle, { key: 'Escape', code: 'Escape' });
  expect(closed).toHaveBeenCalledOnce();
});

test('slides cannot be reordered if one of them cannot be read, and the dialog says why', async () => {
  open([slide(1, 'One', '1'), slide(2, 'Two', '')]);
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Some slides are not on this device, so their order cannot be changed now.',
  );
  expect(screen.queryByRole('listitem')).toBeNull();
  expect(screen.queryByText('Loading')).toBeNull();
  expect(save().disabled).toBe(true);
});

test('the dialog is named, and a slide shows its picture', async () => {
  open([{ ...slide(1, 'One', '1'), image: 'one.webp' }, slide(2, 'Two', '2')]);
  expect(screen.getByRole('dialog', { name: 'Order of the slides' })).toBeDefined();
  await screen.findByText('One');
  const pictures = screen.getAllByRole('listitem').map((item) => item.querySelector('img')?.getAttribute('src'));
  expect(pictures).toEqual([expect.stringContaining('one.webp'), undefined]);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('moved slides count as unsaved work until their order is being saved', async () => {
  open();
  await put('Two', '1');
  expect(hasUnsavedWork()).toBe(true);
  await put('Two', '2');
  expect(hasUnsavedWork()).toBe(false);
  await put('Two', '1');
  await userEvent.click(save());
  expect(hasUnsavedWork()).toBe(false);
  await waitFor(() => expect(closed).toHaveBeenCalledOnce());
});

test('while an order is being saved, nothing moves or closes', async () => {
  const end = Promise.withResolvers<OutboxEntry>();
  vi.mocked(outbox.follow).mockReturnValue(end.promise);
  open();
  await put('Two', '1');
  await userEvent.click(save());
  expect(screen.getByRole('button', { name: 'Cancel' })).toHaveProperty('disabled', true);
  expect(screen.getByRole('list').closest('[inert]')).not.toBeNull();
  await userEvent.keyboard('{Escape}');
  expect(closed).not.toHaveBeenCalled();
  await act(async () => end.resolve({ state: 'done' } as OutboxEntry));
  expect(closed).toHaveBeenCalledOnce();
});
