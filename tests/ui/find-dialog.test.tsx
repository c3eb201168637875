import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import FindDialog from '../../src/app/find/find-dialog.tsx';
import { actionFind, recordFinds } from '../../src/app/find/finds.ts';
import { useFinds } from '../../src/app/find/use-finds.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { show } from './open-screen.tsx';

vi.mock('../../src/app/find/use-finds.ts', () => ({ useFinds: vi.fn() }));

const RECORDS = recordFinds(resourceOf('street-lights'), [
  { id: 4, brand: 'Osram', model: 'SL 20', capacity: '20 W', origin: 'China' },
  { id: 5, brand: 'Osram', model: 'SL 30', capacity: '', origin: 'Norway' },
]);

/** Opens Find over two records and one action; answers what is told to it. */
function openFind(begin = '') {
  const run = vi.fn<() => void>();
  const close = vi.fn<() => void>();
  vi.mocked(useFinds).mockReturnValue([...RECORDS, actionFind('Send now', run, 'sync')]);
  show(<FindDialog begin={begin} onClose={close} />);
  return { run, close, field: screen.getByRole<HTMLInputElement>('searchbox') };
}

test('searches for a scanned text immediately, and shows the number of results', async () => {
  const { field } = openFind('sl 30');
  expect(field.value).toBe('sl 30');
  expect(screen.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Osram SL 30 NorwayStreet Light']);
  await screen.findByText('1 result');
  await userEvent.clear(field);
  await userEvent.type(field, 'osram');
  await screen.findByText('2 results');
});

test('no number of results is announced before a search', async () => {
  const { field } = openFind();
  expect(screen.queryByText(/results?$/)).toBeNull();
  await userEvent.type(field, 'osram');
  await screen.findByText('2 results');
});

test('quotes the query when nothing matches', async () => {
  const { field } = openFind();
  expect(screen.getAllByRole('listitem')).toHaveLength(3);
  await userEvent.type(field, 'zebra');
  await screen.findByText('Nothing on this device matches “zebra”.');
});

test('Enter in the field runs the first result, and closes', async () => {
  const { run, close, field } = openFind();
  await userEvent.type(field, 'sync{Enter}');
  expect([run, close].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
});

test('Enter uses what was typed even before the results show it', () => {
  const { run, close, field } = openFind();
  act(() => {
    fireEvent.change(field, { target: { value: 'sync' } });
    fireEvent.keyDown(field, { key: 'Enter' });
  });
  expect([run, close].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
});

test('Enter on a result opens that one, not the first', async () => {
  const { close, field } = openFind();
  await userEvent.type(field, 'osram');
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await screen.findByText(/^went to \/st-edit\/5/);
  expect(close).toHaveBeenCalledOnce();
});

test('runs a pressed action, and closes', async () => {
  const { run, close } = openFind();
  await userEvent.click(screen.getByRole('button', { name: /Send now/ }));
  expect([run, close].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
});

test('the arrow keys stop at the last result', async () => {
  openFind();
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}');
  await waitFor(() => expect(document.activeElement?.textContent).toContain('Send now'));
});

test('Down moves to the only result, and Up returns to the field', async () => {
  const { field } = openFind('sl 30');
  await userEvent.keyboard('{ArrowDown}');
  expect(document.activeElement).toBe(screen.getByRole('link', { name: /SL 30/ }));
  await userEvent.keyboard('{ArrowUp}{ArrowUp}');
  expect(document.activeElement).toBe(field);
});
