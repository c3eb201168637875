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

/** Draws the list. Returns how to scroll it: a number of frames, each with its pixels and milliseconds. */
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

/** Whether it shows placeholders instead of rows. */
const flies = () => document.querySelector('[data-rows]')?.hasAttribute('data-flying');
const row = (number: number) => screen.queryByRole('link', { name: `Brand ${number}` });

test.each([
  ['a table', ListTable, 56],
  ['rows for narrow screens', ListRows, 72],
])('scrolling %s fast on a slow device shows placeholders, and rows once it stops', (_, List, height) => {
  const { frames } = openList(List);
  frames(40, 150, 50);
  expect(flies()).toBe(true);
  expect(row(Math.ceil((40 * 150) / height) + 1)).toBeNull();
  act(() => void vi.advanceTimersByTime(100));
  expect(flies()).toBe(false);
  expect(row(Math.ceil((40 * 150) / height) + 1)).not.toBeNull();
});

test('shows placeholders when scrolling up as when scrolling down', () => {
  const { frames } = openList();
  frames(20, 700, 300);
  frames(40, -150, 50);
  expect(flies()).toBe(true);
});

test('keeps the focused row during fast scrolling', () => {
  const { frames } = openList();
  const focused = row(15);
  focused?.focus();
  frames(40, 150, 50);
  expect(flies()).toBe(true);
  expect(document.activeElement).toBe(focused);
});

test('shows rows again before a slowing list stops', () => {
  const { frames } = openList();
  frames(40, 150, 50);
  expect(flies()).toBe(true);
  frames(8, 20, 50);
  expect(flies()).toBe(false);
  expect(row(Math.ceil(6160 / 56) + 1)).not.toBeNull();
});

test('keeps placeholders while a slowing list is still too fast to read', () => {
  const { frames } = openList();
  frames(40, 150, 50);
  frames(20, 75, 50);
  expect(flies()).toBe(true);
  cleanup();
  const other = openList();
  other.frames(40, 75, 50);
  expect(flies()).toBe(false);
});

test('draws every row at any speed on a device that keeps up', () => {
  const { frames } = openList();
  frames(200, 100, 16);
  expect(flies()).toBe(false);
  expect(row(Math.ceil(20_000 / 56) + 1)).not.toBeNull();
});

test('shows rows at reading speed on a slow device, as with a held arrow key', () => {
  const { frames } = openList();
  frames(60, 56, 33);
  expect(flies()).toBe(false);
  expect(row(61)).not.toBeNull();
});

test('moves that a coarse clock gives the same time do not distort the measured speed', () => {
  const { frames } = openList();
  frames(2, 56, 0);
  frames(40, 150, 50);
  expect(flies()).toBe(true);
});

test('single jumps with pauses show rows: Page Down, or a link to a row', () => {
  const { frames } = openList();
  frames(10, 700, 300);
  expect(flies()).toBe(false);
  expect(row(126)).not.toBeNull();
});

test('counts late frames anew for a flick after a pause', () => {
  const { frames } = openList();
  frames(3, 200, 30);
  act(() => void vi.advanceTimersByTime(1000));
  frames(3, 200, 30);
  expect(flies()).toBe(false);
  frames(1, 200, 30);
  expect(flies()).toBe(true);
});

test('shows rows when scrolling no faster than a held key does', () => {
  const { frames } = openList();
  frames(20, 90, 50);
  expect(flies()).toBe(false);
});
