import 'fake-indexeddb/auto';
import { cleanup, fireEvent, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PendingRow } from '../../src/domain/outbox/optimistic-view.ts';
import { streetLights } from '../../src/domain/resources/street-lights.ts';
import CellEditing from '../../src/resource/list/cell-editing.tsx';

/** How the editor of a cell and the menu of a row are opened. */

const row = (recordId: string, more: object = {}) => ({ recordId, brand: 'Osram', model: 'M', ...more }) as PendingRow;
const ROWS = [row('1'), row('2', { pending: 'delete' })];
const TABLE = `<table><tbody>
  <tr data-row="1"><td class="sl">1</td><td data-cell="model" tabindex="-1">M</td><td><a href="/st-edit/1">Edit</a></td></tr>
  <tr data-row="2"><td data-cell="model" tabindex="-1">M</td></tr>
</tbody></table>`;
const COMPACT = `<ul><li><div data-row="1"><b>Osram</b></div></li><li><div data-row="2"><b>Osram</b></div></li></ul>`;

const onEdit = vi.fn();
const onRest = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  onEdit.mockReset();
  onRest.mockReset();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  document.body.replaceChildren();
});

/** Opens rows of this kind. Returns how to find their elements and how to close them. */
function open(content: string) {
  const body = document.createElement('div');
  body.innerHTML = content;
  document.body.append(body);
  const props = { resource: streetLights, rows: ROWS, body, edited: undefined, onEdit, onRest, onSaved: vi.fn() };
  const { unmount } = render(<CellEditing {...props} />);
  return { body, unmount, find: (selector: string) => body.querySelector<HTMLElement>(selector) ?? document.body };
}

/** Rests a finger on an element. */
function rest(target: HTMLElement): void {
  const down = new Event('pointerdown', { bubbles: true });
  target.dispatchEvent(Object.assign(down, { pointerType: 'touch', isPrimary: true, clientX: 5, clientY: 5 }));
  vi.advanceTimersByTime(500);
}

test.each([
  ['a double click', (cell: HTMLElement) => void fireEvent.doubleClick(cell)],
  ['Enter', (cell: HTMLElement) => void fireEvent.keyDown(cell, { key: 'Enter' })],
  ['a long press', rest],
])('%s edits a cell, but not that of a record that is being deleted', (_, edit) => {
  const { find } = open(TABLE);
  edit(find('[data-row="2"] [data-cell]'));
  expect(onEdit).not.toHaveBeenCalled();
  const anchor = find('[data-row="1"] [data-cell]');
  edit(anchor);
  expect(onEdit).toHaveBeenCalledExactlyOnceWith({ row: ROWS[0], field: 'model', anchor });
  expect(onRest).not.toHaveBeenCalled();
});

test('outside a cell, a double click or long press does nothing in a table, and Enter follows the link', () => {
  const { find } = open(TABLE);
  fireEvent.doubleClick(find('.sl'));
  rest(find('.sl'));
  expect(fireEvent.keyDown(find('a'), { key: 'Enter' })).toBe(true);
  expect(fireEvent.keyDown(find('[data-cell]'), { key: 'a' })).toBe(true);
  expect([onEdit, onRest].flatMap(({ mock }) => mock.calls)).toEqual([]);
});

test('a long press on a row without columns opens the menu of the row, but not of one that is being deleted', () => {
  const { find } = open(COMPACT);
  rest(find('[data-row="2"] b'));
  expect(onRest).not.toHaveBeenCalled();
  rest(find('[data-row="1"] b'));
  expect(onRest).toHaveBeenCalledExactlyOnceWith(ROWS[0], find('[data-row="1"]'));
  expect(onEdit).not.toHaveBeenCalled();
});

test('the click that ends a long press follows no link, and the next one does', () => {
  const { body, find } = open(TABLE);
  const link = find('a');
  const followed = vi.fn((event: Event) => event.preventDefault());
  body.addEventListener('click', followed);
  rest(link);
  expect(fireEvent.click(link)).toBe(false);
  expect(followed).not.toHaveBeenCalled();
  fireEvent.click(link);
  expect(followed).toHaveBeenCalledOnce();
});

test('rows are marked as editable only while they are', () => {
  const { body, find, unmount } = open(TABLE);
  expect(body.hasAttribute('data-editable')).toBe(true);
  unmount();
  expect(body.hasAttribute('data-editable')).toBe(false);
  const cell = find('[data-cell]');
  fireEvent.doubleClick(cell);
  fireEvent.keyDown(cell, { key: 'Enter' });
  rest(cell);
  expect(onEdit).not.toHaveBeenCalled();
});

test('a long press on rows that are removed meanwhile edits nothing', () => {
  const { find, unmount } = open(TABLE);
  const down = new Event('pointerdown', { bubbles: true });
  find('[data-cell]').dispatchEvent(Object.assign(down, { pointerType: 'touch', isPrimary: true }));
  unmount();
  vi.advanceTimersByTime(500);
  expect(onEdit).not.toHaveBeenCalled();
});
