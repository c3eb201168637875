import 'fake-indexeddb/auto';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { ListRows } from '../../src/resource/list/list-rows.tsx';
import { ListTable } from '../../src/resource/list/list-table.tsx';
import { stubResizeObserver } from './unmeasured.ts';

const generators = resourceOf('generators');
const ROWS = Array.from({ length: 1000 }, (_, at) => ({
  recordId: String(at + 1),
  brand: `Brand ${at + 1}`,
  generator_model: 'T1',
}));

beforeEach(() => {
  vi.useFakeTimers();
  stubResizeObserver();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Draws the list, and answers what scrolls it: one move of so many pixels for each frame of so many milliseconds. */
function openList(List: typeof ListTable | typeof ListRows = ListTable) {
  const selection = { selected: new Set<string>(), allSelected: false, onSelectAll: vi.fn() };
  render(<List resource={generators} rows={ROWS} sort={undefined} onSort={vi.fn()} {...selection} />);
  let top = 0;
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(() => DOMRect.fromRect({ y: -top }));
  vi.spyOn(window, 'scrollY', 'get').mockImplementation(() => top);
  const frame = (pixels: number, milliseconds: number) => {
    top += pixels;
    act(() => {
      vi.advanceTimersByTime(milliseconds);
      fireEvent.scroll(window);
    });
  };
  const frames = (count: number, pixels: number, milliseconds: number) => {
    for (let at = 0; at < count; at += 1) frame(pixels, milliseconds);
  };
  return { frames };
}

/** Does it show the shape of rows instead of those that come? */
const flies = () => document.querySelector('[data-rows]')?.hasAttribute('data-flying');
const row = (number: number) => screen.queryByRole('link', { name: `Brand ${number}` });

test.each([
  ['a table', ListTable, 56],
  ['rows for narrow screens', ListRows, 72],
])('%s that flies by on a slow device shows the shape of rows, and the rows where it lands', (_, List, height) => {
  const { frames } = openList(List);
  frames(40, 150, 50);
  expect(flies()).toBe(true);
  expect(row(Math.ceil((40 * 150) / height) + 1)).toBeNull();
  act(() => void vi.advanceTimersByTime(100));
  expect(flies()).toBe(false);
  expect(row(Math.ceil((40 * 150) / height) + 1)).not.toBeNull();
});

test('a list flies by on its way up as it does on its way down', () => {
  const { frames } = openList();
  frames(20, 700, 300);
  frames(40, -150, 50);
  expect(flies()).toBe(true);
});

test('what has the focus when the flight begins stays', () => {
  const { frames } = openList();
  const focused = row(15);
  focused?.focus();
  frames(40, 150, 50);
  expect(flies()).toBe(true);
  expect(document.activeElement).toBe(focused);
});

test('a list that slows down shows its rows before it stands', () => {
  const { frames } = openList();
  frames(40, 150, 50);
  expect(flies()).toBe(true);
  frames(8, 20, 50);
  expect(flies()).toBe(false);
  expect(row(Math.ceil(6160 / 56) + 1)).not.toBeNull();
});

test('a flying list that slows down too little to be read stays in flight', () => {
  const { frames } = openList();
  frames(40, 150, 50);
  frames(20, 75, 50);
  expect(flies()).toBe(true);
  cleanup();
  const other = openList();
  other.frames(40, 75, 50);
  expect(flies()).toBe(false);
});

test('a device that keeps up draws every row, however fast the list goes', () => {
  const { frames } = openList();
  frames(200, 100, 16);
  expect(flies()).toBe(false);
  expect(row(Math.ceil(20_000 / 56) + 1)).not.toBeNull();
});

test('a list that is read while it goes by shows its rows, also on a slow device: an arrow key that is held down', () => {
  const { frames } = openList();
  frames(60, 56, 33);
  expect(flies()).toBe(false);
  expect(row(61)).not.toBeNull();
});

test('moves that seem to come at once, by a coarse clock, do not spoil the reckoning', () => {
  const { frames } = openList();
  frames(2, 56, 0);
  frames(40, 150, 50);
  expect(flies()).toBe(true);
});

test('single leaps with a rest between them are no flight: Page Down, or a link to a row', () => {
  const { frames } = openList();
  frames(10, 700, 300);
  expect(flies()).toBe(false);
  expect(row(126)).not.toBeNull();
});

test('a flick after a rest has its own late frames', () => {
  const { frames } = openList();
  frames(3, 200, 30);
  act(() => void vi.advanceTimersByTime(1000));
  frames(3, 200, 30);
  expect(flies()).toBe(false);
  frames(1, 200, 30);
  expect(flies()).toBe(true);
});

test('a list that is scrolled no faster than a held key scrolls it does not fly by', () => {
  const { frames } = openList();
  frames(20, 90, 50);
  expect(flies()).toBe(false);
});
