import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { outbox } from '../../src/api/outbox.ts';
import { useConnection } from '../../src/stores/connection.ts';
import { useNotifications } from '../../src/stores/notifications.ts';
import { answer, entryOf, lamp, onNarrowScreen, openList, press, rowOf, saved, toasts } from './open-list.tsx';

test('asks before a deletion, bases it on the shown version, and Undo reverts it', async () => {
  await openList();
  await press('Delete Osram M2');
  // Enter must not delete
  const cancel = within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Cancel' });
  await waitFor(() => expect(document.activeElement).toBe(cancel));
  await answer('Are you sure? You want to delete this Street Light?', 'Cancel');
  expect(saved()).toEqual([]);
  await press('Delete Osram M2');
  await answer('Are you sure? You want to delete this Street Light?', 'Delete');
  await waitFor(() => expect(saved()).toHaveLength(1));
  expect(saved()[0]).toMatchObject({ op: 'delete', resource: 'street-lights', recordId: '2', base: { version: 'v1' } });
  expect(vi.mocked(outbox.enqueue).mock.calls[0]?.[1]).toEqual({
    administrator: '7',
    title: 'Osram M2',
    undoFor: 6000,
  });
  await waitFor(() => expect(useNotifications.getState().waiting).toHaveLength(1));
  const [toast] = toasts();
  expect(toast).toMatchObject({ kind: 'info', message: '“Osram M2” will be deleted', action: { label: 'Undo' } });
  toast?.action?.run();
  await waitFor(() => expect(outbox.undo).toHaveBeenCalledOnce());
});

test('keeps rows selected when some deletions could not be stored, and reports a failed undo', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  await openList();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all' }));
  vi.mocked(outbox.enqueue)
    .mockResolvedValueOnce(entryOf({ op: 'delete' } as never, 'Philips M1'))
    .mockRejectedValueOnce(new Error('full'));
  await press('Delete selected');
  await answer('Are you sure? You want to delete these 3 street lights?', 'Delete');
  await waitFor(() => expect(useNotifications.getState().waiting).toHaveLength(2));
  const [failed, told] = toasts();
  expect(failed?.message).toContain('Only 1 of 3 changes were saved.');
  expect(told?.message).toBe('“Philips M1” will be deleted');
  expect(screen.getByText('3 selected')).toBeDefined();
  vi.mocked(outbox.undo).mockRejectedValue(new Error('locked'));
  told?.action?.run();
  await waitFor(() => expect(toasts()[0]?.message).toContain('Not all deletions were undone.'));
});

test('the box of all rows is checked once all are selected that are not being deleted', async () => {
  await openList({ rows: [lamp(1, 'Philips'), lamp(2, 'Osram', { pending: 'delete', entryId: 'e' })] });
  const all = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select all' });
  await userEvent.click(all);
  expect(screen.getByText('1 selected')).toBeDefined();
  expect(all.checked).toBe(true);
});

test('selects, counts and deletes several rows together, and keeps the selection on Cancel', async () => {
  await openList();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all' }));
  expect(screen.getByText('3 selected')).toBeDefined();
  expect(rowOf('Osram M2').dataset['selected']).toBe('true');
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select Philips M1' }));
  expect(screen.getByText('2 selected')).toBeDefined();
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select all' }).checked).toBe(false);
  expect(screen.queryByRole('button', { name: 'Duplicate' })).toBeNull();
  await press('Delete selected');
  await answer('Are you sure? You want to delete these 2 street lights?', 'Cancel');
  expect(screen.getByText('2 selected')).toBeDefined();
  await press('Delete selected');
  await answer('Are you sure? You want to delete these 2 street lights?', 'Delete');
  await waitFor(() => expect(saved().map((draft) => 'recordId' in draft && draft.recordId)).toEqual(['2', '3']));
  await waitFor(() => expect(screen.queryByText('2 selected')).toBeNull());
  expect(toasts()).toMatchObject([{ message: '2 street lights will be deleted' }]);
});

test('duplicates a selected row; a search hides the selection, and Clear removes it', async () => {
  await openList();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select Philips M1' }));
  await userEvent.type(screen.getByRole('searchbox'), 'osram');
  await waitFor(() => expect(screen.queryByText('1 selected')).toBeNull());
  await userEvent.clear(screen.getByRole('searchbox'));
  await screen.findByText('1 selected');
  await press('Clear');
  expect(screen.queryByText('1 selected')).toBeNull();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select Philips M1' }));
  await press('Duplicate');
  expect(await screen.findByText('went to /st-create?from=1')).toBeDefined();
});

test('selected rows are edited together, after which none is selected', async () => {
  await openList();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all' }));
  await press('Edit 3');
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit 3 street lights' }));
  expect(dialog.getByRole<HTMLSelectElement>('combobox', { name: 'Field' }).value).toBe('capacity');
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true);
  await userEvent.type(dialog.getByLabelText('Capacity'), '20 W');
  expect(dialog.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Philips M110 W 20 W',
    'Osram M330 W 20 W',
  ]);
  fireEvent.click(dialog.getByRole('button', { name: 'Save 2' }));
  await waitFor(() => expect(screen.queryByText('3 selected')).toBeNull());
  expect(saved()).toMatchObject([
    { recordId: '1', values: { brand: 'Philips', capacity: '20 W' }, base: { values: { capacity: '10 W' } } },
    { recordId: '3', values: { capacity: '20 W' } },
  ]);
  const [toast] = toasts();
  expect(toast).toMatchObject({ message: '2 street lights edited', action: { label: 'Undo' } });
  toast?.action?.run();
  await waitFor(() => expect(saved()).toHaveLength(4));
  expect(saved()[2]).toMatchObject({
    recordId: '1',
    values: { capacity: '10 W' },
    base: { values: { capacity: '20 W' } },
  });
});

test('keeps the selection when a bulk edit is cancelled', async () => {
  await openList();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all' }));
  await press('Edit 3');
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByText('3 selected')).toBeDefined();
  expect(saved()).toEqual([]);
});

/** Opens the editor of one cell. */
async function editCell(name: string, field: string, label: string) {
  await waitFor(() => expect(document.querySelector('.list-body')?.hasAttribute('data-editable')).toBe(true));
  const cell = rowOf(name).querySelector<HTMLElement>(`[data-cell=${field}]`) ?? document.body;
  fireEvent.doubleClick(cell);
  const form = await screen.findByRole('form', { name: `${label} of ${name}` });
  const input = within(form).getByRole<HTMLInputElement>('textbox');
  await waitFor(() => expect(document.activeElement).toBe(input));
  return { cell, input, form: within(form) };
}

test('edits a cell in place: Enter saves it based on its row’s version, and the focus returns', async () => {
  await openList();
  vi.mocked(outbox.follow).mockImplementation(async () => entryOf({ op: 'update' } as never, ''));
  const { cell, input } = await editCell('Osram M2', 'model', 'Model');
  expect([input.value, input.selectionStart, input.selectionEnd]).toEqual(['M2', 0, 2]);
  await userEvent.keyboard('M9{Enter}');
  await waitFor(() => expect(screen.queryByRole('form')).toBeNull());
  expect(saved()).toMatchObject([{ op: 'update', recordId: '2', values: { model: 'M9' }, base: { version: 'v1' } }]);
  expect(document.activeElement).toBe(cell);
  await waitFor(() => expect(document.querySelector('[data-arrived]')?.textContent).toContain('Osram'));
  expect(toasts().map(({ message }) => message)).toEqual([
    'Saved on this device. It will be sent when the connection returns.',
  ]);
});

test('replaces the open cell editor by another one with its own value', async () => {
  await openList();
  const { input } = await editCell('Osram M2', 'model', 'Model');
  await userEvent.type(input, 'M9');
  const other = await editCell('Osram M3', 'model', 'Model');
  expect(other.input.value).toBe('M3');
  await userEvent.type(other.input, '{Control>}a{/Control}M8');
  const beside = await editCell('Osram M3', 'capacity', 'Capacity');
  expect(beside.input.value).toBe('30 W');
  expect(screen.getAllByRole('form')).toHaveLength(1);
  expect(saved()).toEqual([]);
});

test('keeps keys pressed in a cell from the page’s shortcuts', async () => {
  await openList();
  const heard = vi.fn();
  document.addEventListener('keydown', heard);
  const { input } = await editCell('Osram M2', 'model', 'Model');
  fireEvent.keyDown(input, { key: 'k', ctrlKey: true });
  expect(heard).not.toHaveBeenCalled();
  document.removeEventListener('keydown', heard);
});

test('Escape discards a cell edit, and a press elsewhere closes it only if nothing was typed', async () => {
  await openList();
  const { input } = await editCell('Osram M2', 'model', 'Model');
  await userEvent.type(input, 'M9');
  fireEvent.pointerDown(document.body);
  expect(screen.getByRole('form')).toBeDefined();
  fireEvent.keyDown(input, { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('form')).toBeNull());
  await editCell('Osram M2', 'model', 'Model');
  fireEvent.pointerDown(document.body);
  await waitFor(() => expect(screen.queryByRole('form')).toBeNull());
  expect(saved()).toEqual([]);
  expect(document.querySelector('[data-arrived]')).toBeNull();
});

test('shows the refusal of a cell beside it until it is edited', async () => {
  await openList();
  const { form, input } = await editCell('Osram M2', 'model', 'Model');
  const reason = { code: 'refused', message: 'No.', errors: { model: ['The model is taken.'] } };
  vi.mocked(outbox.follow).mockResolvedValue({ ...entryOf({} as never, ''), state: 'attention', reason } as never);
  vi.spyOn(outbox, 'withdraw').mockResolvedValue(true);
  await userEvent.type(input, 'M9');
  fireEvent.click(form.getByRole('button', { name: 'Save' }));
  expect(await form.findByText('The model is taken.')).toBeDefined();
  expect(outbox.withdraw).toHaveBeenCalledOnce();
  expect(form.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(false);
  await userEvent.type(input, '0');
  expect(form.queryByText('The model is taken.')).toBeNull();
});

test('offline, does not save a cell that the server would refuse', async () => {
  useConnection.setState({ answers: false });
  await openList();
  const { form, input } = await editCell('Osram M2', 'model', 'Model');
  await userEvent.clear(input);
  fireEvent.click(form.getByRole('button', { name: 'Save' }));
  expect(await form.findByText('The model field is required.')).toBeDefined();
  expect(saved()).toEqual([]);
});

test('opens the comparison when a cell conflicts with someone else’s change', async () => {
  await openList();
  await editCell('Osram M2', 'model', 'Model');
  vi.mocked(outbox.follow).mockResolvedValue({
    ...entryOf({} as never, ''),
    id: 'mine',
    state: 'attention',
    conflict: {},
  } as never);
  await userEvent.keyboard('M9{Enter}');
  expect(await screen.findByText('went to /outbox/conflict/mine')).toBeDefined();
});

test('on a narrow screen a row’s menu edits, selects, duplicates and deletes', async () => {
  onNarrowScreen();
  await openList();
  const items = async () => {
    await press('More for Osram M2');
    return (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
  };
  expect(await items()).toEqual(['Edit capacity', 'Edit model', 'Edit origin', 'Select', 'Duplicate', 'Delete']);
  await userEvent.click(screen.getByRole('menuitem', { name: 'Select' }));
  expect(screen.getByText('1 selected')).toBeDefined();
  await press('Clear');
  await items();
  await userEvent.click(screen.getByRole('menuitem', { name: 'Delete' }));
  await answer('Are you sure? You want to delete this Street Light?', 'Cancel');
  await items();
  await userEvent.click(screen.getByRole('menuitem', { name: 'Edit origin' }));
  const form = within(await screen.findByRole('form', { name: 'Origin of Osram M2' }));
  expect(form.getByRole<HTMLInputElement>('textbox').value).toBe('Italy');
  fireEvent.click(form.getByRole('button', { name: 'Cancel' }));
  await items();
  await userEvent.click(screen.getByRole('menuitem', { name: 'Duplicate' }));
  expect(await screen.findByText('went to /st-create?from=2')).toBeDefined();
});

test('a press on a row opens its record, one on its box selects it, and Shift selects all between', async () => {
  await openList();
  const box = (name: string) => screen.getByRole('checkbox', { name: `Select ${name}` });
  fireEvent.click(box('Philips M1'));
  fireEvent.click(box('Osram M3'), { shiftKey: true });
  expect(await screen.findByText('3 selected')).toBeDefined();
  fireEvent.click(rowOf('Osram M3').querySelector('.col-sl') ?? document.body, { ctrlKey: true });
  expect(screen.queryByText(/^went to/)).toBeNull();
  fireEvent.click(rowOf('Osram M3').querySelector('.col-sl') ?? document.body);
  expect(await screen.findByText('went to /st-edit/3')).toBeDefined();
});

test('the arrow keys move between rows on the same control, and along a row', async () => {
  await openList();
  const edit = (name: string) => screen.getByRole('link', { name: `Edit ${name}` });
  act(() => edit('Osram M2').focus());
  fireEvent.keyDown(edit('Osram M2'), { key: 'ArrowDown' });
  expect(document.activeElement).toBe(edit('Osram M3'));
  fireEvent.keyDown(edit('Osram M3'), { key: 'ArrowDown' });
  expect(document.activeElement).toBe(edit('Osram M3'));
  fireEvent.keyDown(edit('Osram M3'), { key: 'ArrowRight' });
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Delete Osram M3' }));
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'ArrowUp' });
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Delete Osram M2' }));
});

test('undoes a waiting deletion on its row, and says when it is too late', async () => {
  await openList({ rows: [lamp(1, 'Philips', { pending: 'delete', status: 'waiting', entryId: 'e-9' })] });
  await press('Undo the deletion of Philips M1');
  expect(outbox.undo).toHaveBeenCalledExactlyOnceWith('e-9');
  expect(toasts()).toEqual([]);
  vi.mocked(outbox.undo).mockResolvedValue(false);
  await press('Undo the deletion of Philips M1');
  await waitFor(() =>
    expect(useNotifications.getState().waiting).toMatchObject([
      { message: 'Too late to undo the deletion. See the Outbox.' },
    ]),
  );
});
