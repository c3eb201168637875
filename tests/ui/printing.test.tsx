import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { lamp, openList } from './open-list.tsx';

/** More rows than a window shows. */
const MANY = Array.from({ length: 48 }, (_, at) => lamp(at + 1, at % 2 === 0 ? 'Osram' : 'Philips'));

const print = () => act(() => window.dispatchEvent(new Event('beforeprint')));
const printed = () => document.querySelector<HTMLElement>('.print-sheet');
const lines = () =>
  within(printed() ?? document.createElement('div'))
    .getAllByRole('row', { hidden: true })
    .map((row) => [...row.children].map(({ textContent }) => textContent));

test('prints every row of a list with its heading, and takes the sheet away afterwards', async () => {
  await openList({ rows: MANY });
  await vi.dynamicImportSettled();
  print();
  expect(lines()).toHaveLength(49);
  expect(lines()[0]).toEqual(['Sl', 'Brand', 'Model', 'Capacity', 'Origin']);
  expect(lines()[48]).toEqual(['48', 'Philips', 'M48', '480 W', 'Japan']);
  expect(printed()?.querySelector('h1')?.textContent).toBe('Street Light');
  expect(printed()?.textContent).toContain(`48 records · ${new Date().getDate()} `);
  act(() => window.dispatchEvent(new Event('afterprint')));
  expect(printed()).toBeNull();
});

test('prints the rows of the search in their order, and what waits', async () => {
  await openList({ rows: [lamp(1, 'Osram'), lamp(2, 'Philips', { pending: 'update' }), lamp(3, 'Osram')] });
  await vi.dynamicImportSettled();
  fireEvent.click(screen.getByRole('button', { name: 'Model' }));
  fireEvent.click(screen.getByRole('button', { name: 'Model' }));
  await userEvent.type(screen.getByRole('searchbox'), 'M');
  print();
  expect(lines().map((cells) => [cells[0], cells[2], cells[5]])).toEqual([
    ['Sl', 'Model', 'Waiting to be sent'],
    ['1', 'M3', ''],
    ['2', 'M2', 'Changed, waiting'],
    ['3', 'M1', ''],
  ]);
  await userEvent.type(screen.getByRole('searchbox'), '2');
  print();
  expect(lines()).toHaveLength(2);
  expect(printed()?.textContent).toContain('1 of 3');
});

test('leaves the page to a dialog that prints itself, and nothing behind when the list is left', async () => {
  await openList({ rows: MANY });
  await vi.dynamicImportSettled();
  const dialog = document.body.appendChild(document.createElement('div'));
  dialog.setAttribute('role', 'dialog');
  print();
  expect(printed()).toBeNull();
  dialog.remove();
  print();
  expect(printed()).not.toBeNull();
  cleanup();
  expect(printed()).toBeNull();
});
