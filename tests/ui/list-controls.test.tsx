import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { outbox } from '../../src/api/outbox.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import NothingThere from '../../src/resource/list/nothing-there.tsx';
import { useNotifications } from '../../src/stores/notifications.ts';
import { useSession } from '../../src/stores/session.ts';
import { entryOf, lamp, names, openList, press, rowOf, saved, toasts, useReading } from './open-list.tsx';

/** What the controls of a list say of themselves, and where they leave the page and the focus. */

test('the count is announced when it changes, and Refresh says that it is at work', async () => {
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

test('another order is looked at from its first row', async () => {
  await openList();
  const scrolled = vi.spyOn(window, 'scrollTo').mockReturnValue();
  await press('Brand');
  await waitFor(() => expect(names()[0]).toBe('Osram M2'));
  expect(scrolled).toHaveBeenCalledExactlyOnceWith(0, 0);
});

test('values of one filter widen it, and each counts', async () => {
  await openList();
  await press('Filter');
  await userEvent.click(await screen.findByRole('checkbox', { name: /^Osram/ }));
  await userEvent.click(await screen.findByRole('checkbox', { name: /^Philips/ }));
  await waitFor(() => expect(names()).toHaveLength(3));
  expect(screen.getByRole('button', { name: 'Filter, 2 selected' })).toBeDefined();
  const chips = within(screen.getByRole('list', { name: 'Filters' })).getAllByRole('listitem');
  expect(chips.map(({ textContent }) => textContent)).toEqual(['Brand: Osram', 'Brand: Philips']);
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('combobox', { name: 'Order' })).toBeNull();
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

test('an empty list offers nothing to someone who may only look', async () => {
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

test('Shift on a row outside of its box opens nothing and selects nothing', async () => {
  await openList();
  fireEvent.click(rowOf('Osram M3').querySelector('.col-sl') ?? document.body, { shiftKey: true });
  expect(screen.queryByText(/^went to|selected$/)).toBeNull();
});

async function openCell(field: string) {
  await waitFor(() => expect(document.querySelector('.list-body')?.hasAttribute('data-editable')).toBe(true));
  fireEvent.doubleClick(rowOf('Osram M2').querySelector(`[data-cell=${field}]`) ?? document.body);
  return screen.findByRole('form');
}

test('Enter on a value as it was closes the cell without a save, and marks nothing as saved', async () => {
  await openList();
  const form = await openCell('model');
  fireEvent.submit(form);
  await waitFor(() => expect(screen.queryByRole('form')).toBeNull());
  expect(saved()).toEqual([]);
  expect(document.querySelector('[data-arrived]')).toBeNull();
});

test('a cell of a record that is not wholly on this device says why it cannot be saved', async () => {
  await openList({ rows: [lamp(2, 'Osram', { origin: undefined })] });
  const form = within(await openCell('model'));
  await userEvent.type(form.getByRole('textbox'), '5');
  fireEvent.click(form.getByRole('button', { name: 'Save' }));
  expect(await form.findByText(/^Open the record once with a connection/)).toBeDefined();
  expect(saved()).toEqual([]);
});

test('a conflict that turns up after its cell was closed is announced, and leads nowhere by itself', async () => {
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
