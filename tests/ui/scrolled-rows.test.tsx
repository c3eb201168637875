import 'fake-indexeddb/auto';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PendingRow } from '../../src/domain/outbox/optimistic-view.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { ListRows } from '../../src/resource/list/list-rows.tsx';
import { ListTable } from '../../src/resource/list/list-table.tsx';
import { stubResizeObserver } from './unmeasured.ts';

const generators = resourceOf('generators');

beforeEach(stubResizeObserver);
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Rows, and a mock that is called when the model of the eleventh is read. */
function watchedRows() {
  const read = vi.fn();
  const rows = Array.from({ length: 1000 }, (_, at): PendingRow => {
    const row = { recordId: String(at + 1), brand: `Brand ${at + 1}` };
    const reads = { enumerable: true, get: () => (at === 10 && read(), `Model ${at + 1}`) };
    return Object.defineProperty(row, 'generator_model', reads);
  });
  return { rows, read };
}

/** Scrolls the page this far beyond the list's first row. CSS pixels. */
function scrollTo(top: number): void {
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(DOMRect.fromRect({ y: -top }));
  act(() => void fireEvent.scroll(window));
}

test.each([
  ['a table', ListTable],
  ['rows for narrow screens', ListRows],
])('draws only newly visible rows while scrolling, as %s', async (_, List) => {
  const { rows, read } = watchedRows();
  const selection = { selected: new Set<string>(), allSelected: false, onSelectAll: vi.fn() };
  render(<List resource={generators} rows={rows} sort={undefined} onSort={vi.fn()} {...selection} />);
  expect(screen.queryByRole('link', { name: 'Brand 29' })).toBeNull();
  read.mockClear();
  scrollTo(900);
  expect(await screen.findByRole('link', { name: 'Brand 29' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Brand 11' })).toBeTruthy();
  expect(read).not.toHaveBeenCalled();
});

test.each([
  ['a table', ListTable],
  ['rows for narrow screens', ListRows],
])('redraws only the row that is selected, as %s', (_, List) => {
  const { rows, read } = watchedRows();
  const props = {
    resource: generators,
    rows,
    sort: undefined,
    onSort: vi.fn(),
    onSelectAll: vi.fn(),
    allSelected: false,
  };
  const { rerender } = render(<List {...props} selected={new Set()} />);
  read.mockClear();
  rerender(<List {...props} selected={new Set(['3'])} />);
  expect(screen.getByRole('checkbox', { name: /^Select Brand 3 / })).toHaveProperty('checked', true);
  expect(read).not.toHaveBeenCalled();
  rerender(<List {...props} selected={new Set(['11'])} />);
  expect(read).toHaveBeenCalled();
});

test('shows whatever a narrow row cuts off in its tooltip', () => {
  const row = { recordId: '1', category: 'Grid Tie Inverters', name: 'IEC 62109-2 Safety of converters', image: '' };
  const selection = { selected: new Set<string>(), allSelected: false, onSelectAll: vi.fn() };
  const certifications = resourceOf('certifications');
  render(<ListRows resource={certifications} rows={[row]} sort={undefined} onSort={vi.fn()} {...selection} />);
  expect(screen.getByText('Grid Tie Inverters').title).toBe('Grid Tie Inverters');
  expect(screen.getByRole('link', { name: row.name }).title).toBe(row.name);
});

test.each([
  ['a table', ListTable, 'row'],
  ['rows for narrow screens', ListRows, 'listitem'],
] as const)('as %s a scrolled list is as long as all its rows together', (_, List, role) => {
  const rows = Array.from({ length: 1000 }, (_row, at): PendingRow => ({ recordId: String(at + 1), brand: 'B' }));
  const selection = { selected: new Set<string>(), allSelected: false, onSelectAll: vi.fn() };
  const { container } = render(
    <List resource={generators} rows={rows} sort={undefined} onSort={vi.fn()} {...selection} />,
  );
  scrollTo(9000);
  const shape = container.querySelector<HTMLElement>('[data-rows]')?.style.getPropertyValue('--row');
  const drawn = screen.getAllByRole(role).filter(({ style }) => style.height !== '');
  const body = container.querySelector<HTMLElement>('[style*=padding]')?.style;
  const heights = drawn.map(({ style }) => Number.parseFloat(style.height));
  const length = heights.reduce((sum, height) => sum + height, 0);
  expect(Number.parseFloat(body?.paddingTop ?? '')).toBeGreaterThan(0);
  expect(shape).toBe(`${heights[0]}px`);
  expect(length + Number.parseFloat(body?.paddingTop ?? '') + Number.parseFloat(body?.paddingBottom ?? '')).toBe(
    1000 * (heights[0] ?? 0),
  );
});

test.each([
  ['a table', ListTable],
  ['rows for narrow screens', ListRows],
])('as %s a scrolled list that gets shorter draws its last rows', (_, List) => {
  const { rows } = watchedRows();
  const selection = { selected: new Set<string>(), allSelected: false, onSelectAll: vi.fn() };
  const listOf = (count: number) => (
    <List resource={generators} rows={rows.slice(0, count)} sort={undefined} onSort={vi.fn()} {...selection} />
  );
  const { container, rerender } = render(listOf(1000));
  scrollTo(20_000);
  rerender(listOf(10));
  const places = [...container.querySelectorAll<HTMLElement>('[data-row]')].map(({ dataset }) => dataset['row']);
  expect(places).toEqual(rows.slice(0, 10).map(({ recordId }) => recordId));
});

test('a taller window draws more rows, and so does a list that moves up because the content above it shrinks', () => {
  let resized = () => {};
  const stopped = vi.fn<() => void>();
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(listener: () => void) {
        resized = listener;
      }
      observe() {}
      disconnect = stopped;
    },
  );
  const { innerHeight } = window;
  const box = vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 700, 0, 0));
  const rows = Array.from({ length: 1000 }, (_row, at): PendingRow => ({ recordId: String(at + 1), brand: 'B' }));
  const selection = { selected: new Set<string>(), allSelected: false, onSelectAll: vi.fn() };
  const { unmount } = render(
    <ListTable resource={generators} rows={rows} sort={undefined} onSort={vi.fn()} {...selection} />,
  );
  const drawn = () => screen.getAllByRole('row').length;
  const low = drawn();
  window.innerHeight = 1600;
  act(() => void fireEvent(window, new Event('resize')));
  const tall = drawn();
  expect(tall).toBeGreaterThan(low);
  box.mockReturnValue(new DOMRect(0, 100, 0, 0));
  act(() => resized());
  expect(drawn()).toBeGreaterThan(tall);
  unmount();
  expect(stopped).toHaveBeenCalledOnce();
  window.innerHeight = innerHeight;
});

test.each([
  ['a tall window', 2000, 0],
  ['a low window', 300, 0],
  ['a page that is scrolled already', 300, 5000],
])('in %s a list fills the window from the start, and draws little more', (_, height, scrolled) => {
  const { innerHeight } = window;
  window.innerHeight = height;
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, -scrolled, 0, 0));
  const { rows } = watchedRows();
  const selection = { selected: new Set<string>(), allSelected: false, onSelectAll: vi.fn() };
  const { container } = render(
    <ListTable resource={generators} rows={rows} sort={undefined} onSort={vi.fn()} {...selection} />,
  );
  const drawn = [...container.querySelectorAll<HTMLElement>('[data-row]')];
  const rowHeight = Number.parseFloat(drawn[0]?.style.height ?? '');
  const places = drawn.map(({ dataset }) => Number(dataset['row']));
  const [first, last] = [Math.floor(scrolled / rowHeight) + 1, Math.ceil((scrolled + height) / rowHeight)];
  expect(places).toContain(first);
  expect(places).toContain(last);
  expect(drawn.length).toBeLessThan(last - first + 20);
  window.innerHeight = innerHeight;
});

test.each([
  ['a table', ListTable],
  ['rows for narrow screens', ListRows],
])('as %s a row keeps the focus when one above it is removed', (_, List) => {
  const { rows } = watchedRows();
  const selection = { selected: new Set<string>(), allSelected: false, onSelectAll: vi.fn() };
  const listFrom = (first: number) => (
    <List resource={generators} rows={rows.slice(first)} sort={undefined} onSort={vi.fn()} {...selection} />
  );
  const { rerender } = render(listFrom(0));
  const link = screen.getByRole('link', { name: 'Brand 3' });
  link.focus();
  rerender(listFrom(1));
  expect(screen.getByRole('link', { name: 'Brand 3' })).toBe(link);
  expect(document.activeElement).toBe(link);
});
