import { act, cleanup, fireEvent, render, renderHook, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { outbox } from '../../src/api/outbox.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { streetLights } from '../../src/domain/resources/street-lights.ts';
import { useListPlace } from '../../src/resource/list/list-order.ts';
import NothingThere from '../../src/resource/list/nothing-there.tsx';
import { useNotifications } from '../../src/stores/notifications.ts';
import { useSession } from '../../src/stores/session.ts';
import { useServerAbilities } from '../../src/stores/server-abilities.ts';
import {
  entryOf,
  lamp,
  names,
  onNarrowScreen,
  openList,
  press,
  refresh,
  rowOf,
  saved,
  toasts,
  useReading,
} from './open-list.tsx';

/** How the controls of a list describe themselves, and where they leave the page and the focus. */

test('announces a changed count, and marks Refresh as busy while it is', async () => {
  await openList();
  expect(document.querySelector('.list-count')?.getAttribute('aria-live')).toBe('polite');
  expect(screen.getByRole('button', { name: 'Refresh' }).ariaDisabled).toBe('false');
  act(() => useReading.setState({ refreshing: true }));
  expect(screen.getByRole('button', { name: 'Refresh' }).getAttribute('aria-disabled')).toBe('true');
});

test('More says that it opens a menu, and whether that is open', async () => {
  await openList();
  const more = screen.getByRole('button', { name: 'More' });
  const expanded = () => more.getAttribute('aria-expanded');
  expect([more.getAttribute('aria-haspopup'), expanded()]).toEqual(['menu', 'false']);
  await press('More');
  await screen.findByRole('menu');
  expect(expanded()).toBe('true');
  await userEvent.keyboard('{Escape}');
  expect([expanded(), document.activeElement]).toEqual(['false', more]);
});

test('scrolls to the first row when the order changes', async () => {
  await openList();
  const scrolled = vi.spyOn(window, 'scrollTo').mockReturnValue();
  await press('Brand');
  await waitFor(() => expect(names()[0]).toBe('Osram M2'));
  expect(scrolled).toHaveBeenCalledExactlyOnceWith(0, 0);
});

test('combines values of one filter, counts each, and the button says whether the filter is open', async () => {
  await openList();
  const expanded = () => screen.getByRole('button', { name: /^Filter/ }).getAttribute('aria-expanded');
  expect(expanded()).toBe('false');
  await press('Filter');
  expect(expanded()).toBe('true');
  await userEvent.click(await screen.findByRole('checkbox', { name: /^Osram/ }));
  await userEvent.click(await screen.findByRole('checkbox', { name: /^Philips/ }));
  await waitFor(() => expect(names()).toHaveLength(3));
  expect(screen.getByRole('button', { name: 'Filter, 2 selected' })).toBeDefined();
  const chips = within(screen.getByRole('list', { name: 'Filters' })).getAllByRole('listitem');
  expect(chips.map(({ textContent }) => textContent)).toEqual(['Brand: Osram', 'Brand: Philips']);
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('combobox', { name: 'Order' })).toBeNull();
  expect(expanded()).toBe('false');
});

test('Escape in the search clears only the search', async () => {
  await openList();
  await press('Filter');
  await userEvent.click(await screen.findByRole('checkbox', { name: /^Osram/ }));
  await userEvent.type(screen.getByRole('searchbox'), 'italy');
  await waitFor(() => expect(names()).toEqual(['Osram M2']));
  fireEvent.keyDown(screen.getByRole('searchbox'), { key: 'Escape' });
  await waitFor(() => expect(names()).toEqual(['Osram M2', 'Osram M3']));
});

test('filters that leave nothing are named as the reason', async () => {
  await openList();
  await press('Filter');
  await userEvent.click(await screen.findByRole('checkbox', { name: /^Philips/ }));
  await userEvent.click(await screen.findByRole('checkbox', { name: /^Italy/ }));
  expect(await screen.findByText('Nothing found with these filters')).toBeDefined();
  await press('Show all');
  await waitFor(() => expect(names()).toHaveLength(3));
});

test('offers a viewer no actions for an empty list', async () => {
  useSession.setState({ user: { id: 7, name: 'Nadia Rahman', role: 'viewer' } });
  await openList({ rows: [] });
  expect(await screen.findByRole('heading', { name: 'No Street Light yet' })).toBeDefined();
  expect(screen.queryByText(/Add the first one/)).toBeNull();
  expect(screen.queryByRole('link', { name: 'Create New' })).toBeNull();
  cleanup();
  render(<NothingThere resource={resourceOf('partners')} onImport={vi.fn()} />);
  expect(screen.getByRole('heading', { name: 'No Partners yet' })).toBeDefined();
});

test('the arrow keys reach a row with fewer controls, and the first row from the search', async () => {
  await openList({ rows: [lamp(1, 'Philips'), lamp(2, 'Osram', { pending: 'delete', entryId: 'e' })] });
  fireEvent.keyDown(screen.getByRole('searchbox'), { key: 'ArrowDown' });
  expect(document.activeElement?.textContent).toBe('Philips');
  const remove = screen.getByRole('button', { name: 'Delete Philips M1' });
  act(() => remove.focus());
  fireEvent.keyDown(remove, { key: 'ArrowDown' });
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Undo the deletion of Osram M2' }));
});

test('Shift-click on a row outside its box opens and selects nothing', async () => {
  await openList();
  fireEvent.click(rowOf('Osram M3').querySelector('.col-sl') ?? document.body, { shiftKey: true });
  expect(screen.queryByText(/^went to|selected$/)).toBeNull();
});

async function openCell(field: string) {
  await waitFor(() => expect(document.querySelector('.list-body')?.hasAttribute('data-editable')).toBe(true));
  fireEvent.doubleClick(rowOf('Osram M2').querySelector(`[data-cell=${field}]`) ?? document.body);
  return screen.findByRole('form');
}

test('Enter on an unchanged value closes the cell without saving', async () => {
  await openList();
  const form = await openCell('model');
  fireEvent.submit(form);
  await waitFor(() => expect(screen.queryByRole('form')).toBeNull());
  expect(saved()).toEqual([]);
  expect(document.querySelector('[data-arrived]')).toBeNull();
});

test('explains why a cell of a record that is not fully on this device cannot be saved', async () => {
  await openList({ rows: [lamp(2, 'Osram', { origin: undefined })] });
  const form = within(await openCell('model'));
  await userEvent.type(form.getByRole('textbox'), '5');
  fireEvent.click(form.getByRole('button', { name: 'Save' }));
  expect(await form.findByText(/^Open the record once with a connection/)).toBeDefined();
  expect(saved()).toEqual([]);
});

test('reports a conflict found after its cell was closed, without navigating', async () => {
  await openList();
  const answered = Promise.withResolvers<never>();
  vi.mocked(outbox.follow).mockReturnValue(answered.promise);
  const form = within(await openCell('model'));
  await userEvent.type(form.getByRole('textbox'), '5');
  fireEvent.click(form.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(saved()).toHaveLength(1));
  fireEvent.click(form.getByRole('button', { name: 'Cancel' }));
  answered.resolve({ ...entryOf({} as never, ''), state: 'attention', conflict: {} } as never);
  await waitFor(() => expect(useNotifications.getState().waiting).toHaveLength(1));
  expect(toasts()).toMatchObject([
    { kind: 'info', message: 'Model has changed since. Compare both versions in the Outbox.' },
  ]);
  expect(screen.queryByText(/^went to/)).toBeNull();
  cleanup();
});

test('a cell at the edge of the window is edited within the window', async () => {
  await openList();
  vi.spyOn(document.documentElement, 'clientWidth', 'get').mockReturnValue(1000);
  const box = vi.spyOn(Element.prototype, 'getBoundingClientRect');
  for (const [x, left] of [
    [900, '648px'],
    [300, '300px'],
    [0, '12px'],
  ] as const) {
    box.mockReturnValue(new DOMRect(x, 200, 80, 56));
    const { style } = await openCell('model');
    expect([style.left, style.top]).toEqual([left, '188px']);
    fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Escape' });
    await waitFor(() => expect(screen.queryByRole('form')).toBeNull());
  }
  // on a scrolled page, still over the cell
  vi.stubGlobal('scrollX', 40);
  vi.stubGlobal('scrollY', 1000);
  const { style } = await openCell('model');
  expect([style.left, style.top]).toEqual(['52px', '1188px']);
  vi.unstubAllGlobals();
});

test('keeps a cell that could not be stored open with its text', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  await openList();
  const form = within(await openCell('model'));
  vi.mocked(outbox.enqueue).mockRejectedValue(new Error('The disk is full.'));
  await userEvent.type(form.getByRole('textbox'), '5');
  fireEvent.click(form.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(useNotifications.getState().waiting).toHaveLength(1));
  expect(toasts()[0]?.kind).toBe('error');
  expect(form.getByRole<HTMLInputElement>('textbox').value).toMatch(/5$/);
  expect(document.querySelector('[data-arrived]')).toBeNull();
});

test('shows labels of the selected records', async () => {
  await openList({ rows: [lamp(1, 'Philips', { id: 1 }), lamp(2, 'Osram', { id: 2 })] });
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all' }));
  await press('Labels');
  const dialog = within(await screen.findByRole('dialog', { name: '2 labels' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByText('2 selected')).toBeDefined();
});

test('a viewer cannot edit a cell', async () => {
  await import('../../src/resource/list/cell-editing.tsx');
  useSession.setState({ user: { id: 7, name: 'Nadia Rahman', role: 'viewer' } });
  await openList();
  await vi.dynamicImportSettled();
  const cell = screen.getAllByRole('cell', { name: 'M2' })[0] ?? document.body;
  fireEvent.doubleClick(cell);
  fireEvent.keyDown(cell, { key: 'Enter' });
  await vi.dynamicImportSettled();
  expect(screen.queryByRole('form')).toBeNull();
  expect(document.querySelector('[data-editable]')).toBeNull();
});

test.each([
  ['a table', '.col-select', () => {}],
  ['a narrow list', '.row-lead', onNarrowScreen],
])('a viewer cannot select a row of %s', async (_, place, prepare) => {
  prepare();
  useSession.setState({ user: { id: 7, name: 'Nadia Rahman', role: 'viewer' } });
  await openList();
  fireEvent.click(document.querySelector(`[data-row="2"] ${place}`) ?? document.body);
  expect(screen.queryByText('1 selected')).toBeNull();
  act(() => useSession.setState({ user: { id: 7, name: 'Nadia Rahman', role: 'editor' } }));
  fireEvent.click(document.querySelector(`[data-row="2"] ${place}`) ?? document.body);
  expect(screen.getByText('1 selected')).toBeDefined();
});

const menuItems = async () => {
  await press('More');
  return (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
};

test.each([
  ['an editor', ['Change the order', 'Export as CSV', 'Import CSV']],
  ['a viewer', ['Export as CSV']],
])('the menu of slides for %s has: %j', async (role, items) => {
  useSession.setState({ user: { id: 7, name: 'Nadia Rahman', role: role.endsWith('viewer') ? 'viewer' : 'editor' } });
  await openList({ rows: [] }, resourceOf('sliders'));
  expect(await menuItems()).toEqual(items);
});

test('on a phone Refresh is in the menu', async () => {
  refresh.mockReset();
  onNarrowScreen();
  await openList();
  expect(await menuItems()).toEqual(['Refresh', 'Export as CSV', 'Import CSV']);
  await userEvent.click(screen.getByRole('menuitem', { name: 'Refresh' }));
  expect(refresh).toHaveBeenCalledOnce();
});

test('catalogues can be kept if the server has whole lists and a worker serves them', async () => {
  const item = 'Keep catalogues offline';
  useServerAbilities.setState({ fullLists: true });
  await openList();
  expect(await menuItems()).not.toContain(item);
  cleanup();
  Object.assign(navigator, { serviceWorker: { controller: {} } });
  try {
    useServerAbilities.setState({ fullLists: false });
    await openList();
    expect(await menuItems()).not.toContain(item);
    cleanup();
    useServerAbilities.setState({ fullLists: true });
    await openList({}, resourceOf('sliders'));
    expect(await menuItems()).not.toContain(item);
    cleanup();
    await openList();
    expect(await menuItems()).toEqual([item, 'Export as CSV', 'Import CSV']);
    await userEvent.click(screen.getByRole('menuitem', { name: item }));
    expect(await screen.findByRole('dialog', { name: 'Catalogues offline' })).toBeDefined();
  } finally {
    cleanup();
    Reflect.deleteProperty(navigator, 'serviceWorker');
    useServerAbilities.setState({}, true);
  }
});

test('the neighbours of a record are those of the list as it is shown', async () => {
  await openList();
  const place = () => renderHook(() => useListPlace(streetLights, '2')).result.current;
  expect(place()).toEqual({ place: 2, total: 3, previous: '1', next: '3' });
  await press('Brand');
  await waitFor(() => expect(names()[0]).toBe('Osram M2'));
  expect(place()).toEqual({ place: 1, total: 3, next: '3' });
});

test('a fact that the server’s list leaves out cannot be sorted by', async () => {
  await openList({ rows: [lamp(1, 'Philips', { capacity: undefined }), lamp(2, 'Osram', { capacity: undefined })] });
  await press('Filter');
  const order = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Order' });
  expect([...order.options].map(({ value }) => value.split(' ')[0])).toEqual([
    '',
    'brand',
    'brand',
    'model',
    'model',
    'origin',
    'origin',
  ]);
});

test('focuses the row that replaces a removed one', async () => {
  const rows = [lamp(1, 'Philips'), lamp(2, 'Osram'), lamp(3, 'Osram')];
  await openList({ rows });
  act(() => screen.getByRole('button', { name: 'Delete Osram M2' }).focus());
  act(() => useReading.setState({ rows: rows.filter(({ recordId }) => recordId !== '2') }));
  await waitFor(() => expect(document.activeElement?.closest('[data-row]')).toBe(rowOf('Osram M3')));
});

test('on a narrow screen a long press opens the menu of a row', async () => {
  onNarrowScreen();
  await openList();
  await waitFor(() => expect(document.querySelector('.list-body')?.hasAttribute('data-editable')).toBe(true));
  const down = Object.assign(new Event('pointerdown', { bubbles: true }), { pointerType: 'touch', isPrimary: true });
  vi.useFakeTimers();
  screen.getByText('Philips').dispatchEvent(Object.assign(down, { clientX: 5, clientY: 5 }));
  act(() => void vi.advanceTimersByTime(500));
  vi.useRealTimers();
  await screen.findByRole('menu');
  expect(screen.getAllByRole('menuitem').at(-1)?.textContent).toBe('Delete');
});
