import 'fake-indexeddb/auto';
import { act, cleanup, renderHook } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { facetGroups } from '../../src/resource/list/facets.ts';
import { useListView } from '../../src/resource/list/use-list-view.ts';

const generators = resourceOf('generators');

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('requestIdleCallback', (work: () => void) => setTimeout(work, 1));
  vi.stubGlobal('cancelIdleCallback', clearTimeout);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('counts a long list’s filter values while idle, so that the filter opens without reading its rows', () => {
  const read = vi.fn();
  const rows = Array.from({ length: 1000 }, (_, at) => {
    const brand = { enumerable: true, get: () => (read(), `Brand ${at % 3}`) };
    return Object.defineProperty({ recordId: String(at) }, 'brand', brand);
  });
  renderHook(() => useListView(generators, rows), { wrapper: MemoryRouter });
  act(() => void vi.advanceTimersByTime(60_000));
  read.mockClear();
  const [brand] = facetGroups(generators, rows);
  expect(brand?.options.map(({ label, count }) => `${label}: ${count}`)).toEqual([
    'Brand 0: 334',
    'Brand 1: 333',
    'Brand 2: 333',
  ]);
  expect(read).not.toHaveBeenCalled();
});

test('stops reading a long list when it is left', () => {
  const read = vi.fn();
  const rows = Array.from({ length: 1000 }, (_, at) =>
    Object.defineProperty({ recordId: String(at) }, 'brand', { enumerable: true, get: read }),
  );
  const { unmount } = renderHook(() => useListView(generators, rows), { wrapper: MemoryRouter });
  unmount();
  vi.advanceTimersByTime(60_000);
  expect(read).not.toHaveBeenCalled();
});
