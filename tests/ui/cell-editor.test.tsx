import 'fake-indexeddb/auto';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ValueField } from '../../src/domain/fields.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { streetLights } from '../../src/domain/resources/street-lights.ts';
import CellEditor from '../../src/resource/list/cell-editor.tsx';
import { editedAlone } from '../../src/resource/list/edited-fields.ts';
import { type CellResult, saveCell } from '../../src/resource/list/save-cell.ts';
import { useNotifications } from '../../src/stores/notifications.ts';
import { useSession } from '../../src/stores/session.ts';
import { hasUnsavedWork, watchUnsaved } from '../../src/stores/unsaved.ts';

vi.mock('../../src/resource/list/save-cell.ts', () => ({ saveCell: vi.fn(), hintFor: () => undefined }));

const closed = vi.fn<(saved: boolean) => void>();
const field = editedAlone(streetLights).find(({ name }) => name === 'model');

beforeEach(() => {
  closed.mockReset();
  useNotifications.getState().take();
  useSession.setState({ user: { id: 7, name: 'Nadia Rahman' }, token: 'token-1' });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const Place = () => <p>at {useLocation().pathname}</p>;

/** Opens the editor of a model over this place of the window. */
function open(place = new DOMRect(100, 100, 80, 40)) {
  if (field === undefined) throw new Error('A street light has a model.');
  const anchor = document.createElement('td');
  vi.spyOn(anchor, 'getBoundingClientRect').mockReturnValue(place);
  const row = { recordId: '1', brand: 'Osram', model: 'M1' };
  render(
    <MemoryRouter>
      <CellEditor resource={streetLights} row={row} field={field} anchor={anchor} onClose={closed} />
      <Place />
    </MemoryRouter>,
  );
  return screen.getByRole('form').style;
}

test('keeps the change queued and the screen unchanged when the editor is closed during a save', async () => {
  const saving = Promise.withResolvers<CellResult>();
  vi.mocked(saveCell).mockReturnValue(saving.promise);
  open();
  await userEvent.keyboard('M9{Enter}');
  const isOpen = vi.mocked(saveCell).mock.lastCall?.[2];
  expect(isOpen?.()).toBe(true);
  expect(screen.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true);
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(isOpen?.()).toBe(false);
  await act(async () => saving.resolve({ kind: 'conflict', entryId: 'mine' }));
  expect(screen.getByText('at /')).toBeDefined();
  expect(useNotifications.getState().take()).toMatchObject([
    { kind: 'info', message: 'Model has changed since. Compare both versions in the Outbox.' },
  ]);
  expect(closed).toHaveBeenCalledExactlyOnceWith(false);
});

test.each([
  ['over its cell', 100, '100px'],
  ['within the window at its right edge', 700, '448px'],
  ['within the window at its left edge', -20, '12px'],
])('opens the editor %s', (_, left, at) => {
  vi.spyOn(document.documentElement, 'clientWidth', 'get').mockReturnValue(800);
  expect(open(new DOMRect(left, 100, 80, 40)).left).toBe(at);
});

test('opens the editor over its cell on a scrolled page', () => {
  vi.spyOn(document.documentElement, 'clientWidth', 'get').mockReturnValue(800);
  vi.spyOn(window, 'scrollY', 'get').mockReturnValue(500);
  vi.spyOn(window, 'scrollX', 'get').mockReturnValue(30);
  const { left, top } = open(new DOMRect(100, 100, 80, 40));
  expect([left, top]).toEqual(['130px', '588px']);
});

test('a value is left to the server to refuse, not to the browser', async () => {
  vi.mocked(saveCell).mockReset().mockReturnValue(Promise.withResolvers<CellResult>().promise);
  const [link] = editedAlone(partners).filter(({ name }) => name === 'link') as [ValueField];
  const row = { recordId: '1', name: 'Acme', link: '' };
  render(
    <MemoryRouter>
      <CellEditor resource={partners} row={row} field={link} anchor={document.body} onClose={closed} />
    </MemoryRouter>,
  );
  await userEvent.keyboard('nowhere{Enter}');
  expect(screen.getByRole<HTMLInputElement>('textbox').validity.valid).toBe(false);
  expect(saveCell).toHaveBeenCalledOnce();
});

test('keeps the editor where it opened when its cell moves', async () => {
  vi.spyOn(document.documentElement, 'clientWidth', 'get').mockReturnValue(800);
  const place = new DOMRect(100, 100, 80, 40);
  const style = open(place);
  place.y = 300;
  await userEvent.keyboard('M9');
  expect(style.top).toBe('88px');
});

test('saving a cell sends no form to another page', () => {
  vi.mocked(saveCell).mockReset().mockReturnValue(Promise.withResolvers<CellResult>().promise);
  open();
  expect(fireEvent.submit(screen.getByRole('form'))).toBe(false);
  expect(saveCell).toHaveBeenCalledOnce();
});

test('keeps the editor open for the answer when the user presses beside it during a save', async () => {
  vi.mocked(saveCell).mockReset().mockReturnValue(Promise.withResolvers<CellResult>().promise);
  open();
  await userEvent.keyboard('{Enter}');
  fireEvent.pointerDown(document.body);
  expect(closed).not.toHaveBeenCalled();
});

const refused: CellResult = { kind: 'returned', message: 'Model is too long.', errors: {}, repairing: 'mine' };

test('treats the editor as closed when its list is left during a save, and reports the outcome', async () => {
  const saving = Promise.withResolvers<CellResult>();
  vi.mocked(saveCell).mockReset().mockReturnValue(saving.promise);
  open();
  await userEvent.keyboard('M9{Enter}');
  cleanup();
  const isOpen = vi.mocked(saveCell).mock.lastCall?.[2];
  expect(isOpen?.()).toBe(false);
  await act(async () => saving.resolve(refused));
  expect(useNotifications.getState().take()).toMatchObject([{ kind: 'error', message: 'Model is too long.' }]);
});

test('reports after leaving the list that the record is not on this device, and closes nothing', async () => {
  const saving = Promise.withResolvers<CellResult>();
  vi.mocked(saveCell).mockReset().mockReturnValue(saving.promise);
  open();
  await userEvent.keyboard('M9{Enter}');
  cleanup();
  await act(async () => saving.resolve({ kind: 'unknown' }));
  expect(useNotifications.getState().take()).toMatchObject([
    { kind: 'error', message: expect.stringContaining('isn’t fully on this device') },
  ]);
  expect(closed).not.toHaveBeenCalled();
});

test('reports a value that the storage could not save, and allows another try', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  vi.mocked(saveCell).mockReset().mockRejectedValue(new Error('locked'));
  open();
  await userEvent.keyboard('M9{Enter}');
  await act(async () => {});
  expect(useNotifications.getState().take()).toMatchObject([
    { kind: 'error', message: expect.stringContaining('Nothing was changed. Try again. (locked)') },
  ]);
  expect(screen.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', false);
  expect(screen.getByRole('textbox')).toHaveProperty('value', 'M9');
});

test('a typed value counts as unsaved work until it is cancelled or on its way', async () => {
  const saving = Promise.withResolvers<CellResult>();
  vi.mocked(saveCell).mockReset().mockReturnValue(saving.promise);
  closed.mockImplementation(cleanup);
  open();
  expect(hasUnsavedWork()).toBe(false);
  await userEvent.keyboard('M9');
  expect(hasUnsavedWork()).toBe(true);
  await userEvent.keyboard('{Escape}');
  expect(hasUnsavedWork()).toBe(false);
  open();
  await userEvent.keyboard('M9{Enter}');
  expect(hasUnsavedWork()).toBe(false);
  await act(async () => saving.resolve(refused));
  expect(hasUnsavedWork()).toBe(true);
});

test('a value that is in conflict leads to the comparison, and keeps nobody on the list', async () => {
  vi.mocked(saveCell).mockReset().mockResolvedValue({ kind: 'conflict', entryId: 'mine' });
  open();
  const asked: boolean[] = [];
  await userEvent.keyboard('M9');
  expect(hasUnsavedWork()).toBe(true);
  const unwatch = watchUnsaved(() => asked.push(hasUnsavedWork()));
  await userEvent.keyboard('{Enter}');
  unwatch();
  expect(await screen.findByText('at /outbox/conflict/mine')).toBeDefined();
  expect(asked).not.toContain(true);
});
