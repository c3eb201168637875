import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { useSession } from '../../src/stores/session.ts';
import { exportList } from '../../src/resource/csv/export-list.ts';
import { count, lamp, names, openList, press, refresh, toasts, useReading } from './open-list.tsx';

vi.mock('../../src/resource/csv/export-list.ts', () => ({ exportList: vi.fn() }));

test('counts rows, and a search keeps the matching ones', async () => {
  await openList();
  expect(count()).toBe('3 records');
  const search = screen.getByRole('searchbox', { name: 'Search Street Light' });
  await userEvent.type(search, 'osram');
  await waitFor(() => expect(names()).toEqual(['Osram M2', 'Osram M3']));
  expect(count()).toBe('2 of 3');
  await userEvent.type(search, ' italy');
  await waitFor(() => expect(names()).toEqual(['Osram M2']));
  fireEvent.keyDown(search, { key: 'Escape' });
  await waitFor(() => expect(names()).toHaveLength(3));
});

test('Enter in the search opens the only hit, and none of several', async () => {
  await openList();
  const search = screen.getByRole('searchbox');
  await userEvent.type(search, 'osram{Enter}');
  await waitFor(() => expect(count()).toBe('2 of 3'));
  fireEvent.keyDown(search, { key: 'Enter' });
  expect(screen.queryByText(/^went to/)).toBeNull();
  await userEvent.type(search, ' italy');
  await waitFor(() => expect(count()).toBe('1 of 3'));
  fireEvent.keyDown(search, { key: 'Enter' });
  expect(await screen.findByText('went to /st-edit/2')).toBeDefined();
});

test('Enter uses the current search, not the rows still shown', async () => {
  await openList();
  const search = screen.getByRole('searchbox');
  await userEvent.type(search, 'M2');
  await waitFor(() => expect(count()).toBe('1 of 3'));
  // the rows follow later than the search
  act(() => {
    fireEvent.change(search, { target: { value: 'M3' } });
    fireEvent.keyDown(search, { key: 'Enter' });
  });
  expect(await screen.findByText('went to /st-edit/3')).toBeDefined();
});

test('a search without results quotes the query, and Show all restores the rows', async () => {
  await openList();
  await userEvent.type(screen.getByRole('searchbox'), 'nothing');
  expect(await screen.findByText('Nothing found for “nothing”')).toBeDefined();
  await press('Show all');
  await waitFor(() => expect(names()).toHaveLength(3));
  expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('');
});

test('a heading sorts ascending, descending, then not at all, and says so', async () => {
  await openList();
  const heading = () => screen.getByRole('columnheader', { name: 'Brand' });
  await press('Brand');
  await waitFor(() => expect(names()).toEqual(['Osram M2', 'Osram M3', 'Philips M1']));
  expect(heading().getAttribute('aria-sort')).toBe('ascending');
  await press('Brand');
  await waitFor(() => expect(names()[0]).toBe('Philips M1'));
  expect(heading().getAttribute('aria-sort')).toBe('descending');
  await press('Brand');
  await waitFor(() => expect(names()).toEqual(['Philips M1', 'Osram M2', 'Osram M3']));
  expect(heading().getAttribute('aria-sort')).toBe('none');
});

test('filters show counts, are listed above the list, and are removed one by one or all at once', async () => {
  await openList();
  await press('Filter');
  const option = async (name: RegExp) => screen.findByRole<HTMLInputElement>('checkbox', { name });
  expect((await option(/^Osram/)).closest('label')?.textContent).toBe('Osram 2');
  await userEvent.click(await option(/^Osram/));
  await waitFor(() => expect(names()).toEqual(['Osram M2', 'Osram M3']));
  expect((await option(/^Osram/)).checked).toBe(true);
  await userEvent.click(await option(/^Italy/));
  await waitFor(() => expect(names()).toEqual(['Osram M2']));
  expect(screen.getByRole('button', { name: 'Filter, 2 selected' })).toBeDefined();
  await press('Remove Brand: Osram');
  await waitFor(() => expect(count()).toBe('1 of 3'));
  expect(screen.getByRole('button', { name: 'Filter, 1 selected' })).toBeDefined();
  await press('Filter, 1 selected');
  await press('Clear filters');
  await waitFor(() => expect(count()).toBe('3 records'));
  expect(screen.queryByRole('button', { name: 'Clear filters' })).toBeNull();
  expect(screen.getByRole('combobox', { name: 'Order' })).toBeDefined();
});

test('shows the eight most frequent values of a filter, the chosen ones, and the others on request', async () => {
  const frequent = Array.from({ length: 16 }, (_, at) => lamp(at + 1, `Often ${(at % 8) + 1}`));
  await openList({ rows: [...frequent, lamp(20, 'Seldom'), lamp(21, 'Rare')] });
  await press('Filter');
  const brands = () =>
    within(screen.getByRole('group', { name: 'Brand' }))
      .getAllByRole('checkbox')
      .map((box) => box.closest('label')?.textContent ?? '');
  await waitFor(() => expect(brands()).toEqual(frequent.slice(0, 8).map((row) => `${String(row['brand'])} 2`)));
  await press('2 more');
  expect(brands()).toHaveLength(10);
  expect(screen.queryByRole('button', { name: /more$/ })).toBeNull();
  expect(document.activeElement?.closest('label')?.textContent).toBe(brands()[8]);
  await userEvent.click(screen.getByRole('checkbox', { name: /^Seldom/ }));
  await waitFor(() => expect(count()).toBe('1 of 18'));
  await press('Filter, 1 selected');
  await press('Filter, 1 selected');
  await waitFor(() => expect(brands().some((brand) => brand.startsWith('Seldom'))).toBe(true));
  expect(screen.getByRole('button', { name: '1 more' })).toBeDefined();
});

test('offers the order in the filter too, by columns and facts', async () => {
  await openList();
  await press('Filter');
  const order = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Order' });
  expect([...order.options].map(({ textContent }) => textContent)).toEqual([
    'Default order',
    ...['Brand', 'Model'].flatMap((label) => [`${label}, A to Z`, `${label}, Z to A`]),
    'Capacity, lowest first',
    'Capacity, highest first',
    'Origin, A to Z',
    'Origin, Z to A',
  ]);
  await userEvent.selectOptions(order, 'Capacity, highest first');
  await waitFor(() => expect(names()).toEqual(['Osram M3', 'Osram M2', 'Philips M1']));
  expect(order.value).toBe('capacity descending');
  await userEvent.selectOptions(order, 'Default order');
  await waitFor(() => expect(names()[0]).toBe('Philips M1'));
});

test('lets a viewer open and export records, and nothing more', async () => {
  useSession.setState({ user: { id: 7, name: 'Nadia Rahman', role: 'viewer' } });
  await openList();
  expect(screen.getByRole('link', { name: 'Open Osram M2' }).getAttribute('href')).toBe('/st-edit/2');
  expect(screen.queryByRole('checkbox')).toBeNull();
  expect(screen.queryByRole('link', { name: 'Create New' })).toBeNull();
  fireEvent.click(document.querySelector('.col-select') ?? document.body);
  await press('More');
  const items = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
  expect(items).toEqual(['Export as CSV']);
});

test('an export that fails says so', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  vi.mocked(exportList).mockRejectedValueOnce(new Error('locked'));
  await openList();
  await press('More');
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Export as CSV' }));
  await waitFor(() =>
    expect(toasts()).toMatchObject([{ kind: 'error', message: expect.stringContaining('Nothing was exported.') }]),
  );
});

test('says that a saved copy could not be refreshed', async () => {
  await openList({ failure: 'Can’t reach the server.' });
  expect(document.querySelector('.list-failure')?.textContent).toBe('Can’t reach the server. Showing the saved copy.');
  expect(screen.getByText(/couldn’t refresh$/)).toBeDefined();
  await press('Refresh');
  expect(refresh).toHaveBeenCalledOnce();
  act(() => useReading.setState({ fetchedAt: undefined } as never));
  expect(document.querySelector('.list-failure')?.textContent).toContain('This list is not on this device yet.');
  act(() => useReading.setState({ partial: true }));
  expect(count()).toBe('Loading more rows…');
  expect(document.querySelector('.list-failure')?.textContent).toContain('Only the first rows have loaded.');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'More' }).disabled).toBe(true);
});

test('does not reload a list that is being refreshed', async () => {
  refresh.mockReset();
  await openList({ refreshing: true });
  await press('Refresh');
  expect(refresh).not.toHaveBeenCalled();
});

test('reports a list that was never read, and offers the first record of an empty one', async () => {
  await openList({ rows: undefined as never, fetchedAt: undefined as never, failure: 'Can’t reach the server.' });
  expect(screen.getByText('This list is not on this device yet.')).toBeDefined();
  expect(screen.getAllByText(/Can’t reach the server/)).toHaveLength(1);
  await press('Retry');
  cleanup();
  await openList({ rows: [] });
  expect(await screen.findByText('No Street Light yet')).toBeDefined();
  const offers = screen.getAllByRole('link', { name: 'Create New' });
  expect(offers.map((link) => link.getAttribute('href'))).toEqual(['/st-create', '/st-create']);
  await press('import a CSV file');
  expect(await screen.findByRole('dialog')).toBeDefined();
});

test('does not call a list empty that is loading or unavailable', async () => {
  await import('../../src/resource/list/nothing-there.tsx');
  for (const reading of [{ refreshing: true }, { failure: 'Can’t reach the server.' }]) {
    await openList({ rows: undefined as never, fetchedAt: undefined as never, ...reading });
    await act(async () => new Promise((resolve) => setTimeout(resolve)));
    expect(screen.queryByText('No Street Light yet')).toBeNull();
    cleanup();
  }
});

test('shows placeholder rows only while the first rows are loading', async () => {
  await openList({ refreshing: true });
  expect(screen.queryByText('Loading')).toBeNull();
  act(() => useReading.setState({ rows: undefined, refreshing: true } as never));
  expect(screen.getByText('Loading')).toBeDefined();
  act(() => useReading.setState({ rows: undefined, refreshing: false, failure: 'The server is away.' } as never));
  expect(screen.queryByText('Loading')).toBeNull();
});
