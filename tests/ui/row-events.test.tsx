import 'fake-indexeddb/auto';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PendingRow } from '../../src/domain/outbox/optimistic-view.ts';
import { streetLights } from '../../src/domain/resources/street-lights.ts';
import { ListTable } from '../../src/resource/list/list-table.tsx';
import { useRowEvents } from '../../src/resource/list/use-row-events.ts';
import { onRowKeys } from '../../src/resource/list/use-row-keys.ts';
import { stubResizeObserver } from './unmeasured.ts';

/** What a press or a key on a row of a list does. */

const lamp = (id: number) =>
  ({ recordId: String(id), brand: 'Osram', model: `M${id}`, capacity: '9 W', origin: 'Italy' }) as PendingRow;
const ROWS = [lamp(1), lamp(2)];
const heard = {
  onSelect: vi.fn<(recordId: string, range: boolean) => void>(),
  onDelete: vi.fn<(row: PendingRow) => void>(),
  onUndo: vi.fn<(row: PendingRow) => void>(),
  onMenu: vi.fn<(row: PendingRow, button: HTMLElement) => void>(),
};

beforeEach(() => {
  vi.useFakeTimers();
  stubResizeObserver();
  for (const listener of Object.values(heard)) listener.mockReset();
});
afterEach(() => {
  window.getSelection()?.removeAllRanges();
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function List({ selecting = false }) {
  const onClick = useRowEvents(streetLights, ROWS, { ...heard, selecting });
  return (
    <main>
      <div role="presentation" onClick={onClick} onKeyDown={onRowKeys}>
        <ListTable
          resource={streetLights}
          rows={ROWS}
          selected={new Set()}
          allSelected={false}
          sort={undefined}
          onSort={() => {}}
          onSelectAll={() => {}}
        />
      </div>
      <output>{useLocation().pathname}</output>
    </main>
  );
}

const open = (selecting?: boolean) =>
  render(
    <MemoryRouter initialEntries={['/st-all']}>
      <List {...(selecting && { selecting })} />
    </MemoryRouter>,
  );
const at = () => screen.getByRole('status').textContent;
const cell = (name: string) => screen.getByRole('cell', { name });
const pass = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds));

test('opens the record after a click on an editable cell unless a second one follows, which edits it', () => {
  open();
  fireEvent.click(cell('M1'), { detail: 1 });
  pass(200);
  fireEvent.click(cell('M1'), { detail: 2 });
  pass(1000);
  expect(at()).toBe('/st-all');
  fireEvent.click(cell('M1'), { detail: 1 });
  pass(249);
  expect(at()).toBe('/st-all');
  pass(1);
  expect(at()).toBe('/st-edit/1');
});

test('a tap opens the record at once, and so does a click on a cell that is not edited in place', () => {
  open();
  fireEvent(cell('M2'), Object.assign(new MouseEvent('click', { bubbles: true, detail: 1 }), { pointerType: 'touch' }));
  expect(at()).toBe('/st-edit/2');
  fireEvent.click(cell('1'), { detail: 1 });
  expect(at()).toBe('/st-edit/1');
});

test('while rows are selected, a tap on a row or its name selects too, and a click still opens it', () => {
  open(true);
  const tap = () =>
    Object.assign(new MouseEvent('click', { bubbles: true, cancelable: true }), { pointerType: 'touch' });
  fireEvent(cell('M2'), tap());
  fireEvent(screen.getAllByRole('link', { name: 'Osram' })[0] ?? document.body, tap());
  expect(heard.onSelect.mock.calls).toEqual([
    ['2', false],
    ['1', false],
  ]);
  fireEvent(screen.getByRole('button', { name: 'Delete Osram M2' }), tap());
  expect(heard.onDelete).toHaveBeenCalledOnce();
  expect(at()).toBe('/st-all');
  fireEvent.click(cell('1'), { detail: 1 });
  expect(at()).toBe('/st-edit/1');
});

test('a list that is left opens nothing afterwards', () => {
  const { unmount } = open();
  fireEvent.click(cell('M1'), { detail: 1 });
  unmount();
  expect(vi.getTimerCount()).toBe(0);
});

test('text that is selected with the mouse opens nothing', () => {
  open();
  window.getSelection()?.selectAllChildren(cell('M1'));
  fireEvent.click(cell('1'));
  pass(1000);
  expect(at()).toBe('/st-all');
});

test('opens a link in the page, unless a key or button asks the browser for a new tab', () => {
  open();
  const link = screen.getByRole('link', { name: 'Edit Osram M2' });
  const leave = (event: Event) => event.preventDefault();
  for (const held of [{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { button: 1 }]) {
    let isLeft: boolean | undefined;
    const watch = (event: Event) => {
      isLeft = !event.defaultPrevented;
      leave(event);
    };
    document.addEventListener('click', watch, { once: true });
    fireEvent.click(link, held);
    expect([isLeft, at()]).toEqual([true, '/st-all']);
  }
  expect(fireEvent.click(link)).toBe(false);
  expect(at()).toBe('/st-edit/2');
});

test('a Shift-click on a box selects a range, and leaves no text selected', () => {
  open();
  window.getSelection()?.selectAllChildren(cell('M1'));
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Osram M2' }), { shiftKey: true });
  expect(heard.onSelect).toHaveBeenCalledExactlyOnceWith('2', true);
  expect(window.getSelection()?.toString()).toBe('');
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Osram M1' }));
  expect(heard.onSelect).toHaveBeenLastCalledWith('1', false);
});

test('selects a row by the cell around its box, and reports Delete with its row', () => {
  open();
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Osram M1' }).closest('td') ?? document.body);
  expect(heard.onSelect).toHaveBeenCalledExactlyOnceWith('1', false);
  fireEvent.click(screen.getByRole('button', { name: 'Delete Osram M2' }));
  expect(heard.onDelete).toHaveBeenCalledExactlyOnceWith(ROWS[1]);
  expect(at()).toBe('/st-all');
});

test('left and right arrows move along the cells, but do nothing with a modifier', () => {
  open();
  const link = screen.getByRole('link', { name: 'Edit Osram M1' });
  link.focus();
  for (const held of [{ altKey: true }, { ctrlKey: true }, { metaKey: true }]) {
    expect(fireEvent.keyDown(link, { key: 'ArrowLeft', ...held })).toBe(true);
    expect(document.activeElement).toBe(link);
  }
  expect(fireEvent.keyDown(link, { key: 'ArrowLeft' })).toBe(false);
  const before = document.activeElement as HTMLElement;
  expect(before.dataset['cell']).toBe('capacity');
  fireEvent.keyDown(before, { key: 'ArrowRight' });
  expect(document.activeElement).toBe(link);
});
