import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { PendingRow } from '../../src/domain/outbox/optimistic-view.ts';
import { useSelection } from '../../src/resource/list/use-selection.ts';

afterEach(cleanup);

const rows: PendingRow[] = ['a', 'b', 'c', 'd', 'e'].map((recordId) => ({ recordId }));

function opened(shown: readonly PendingRow[] = rows) {
  const { result } = renderHook(() => useSelection(shown));
  return {
    press: (recordId: string, range?: boolean) => act(() => result.current.toggle(recordId, range)),
    pressAll: () => act(() => result.current.toggleAll()),
    all: () => result.current.all,
    ids: () => [...result.current.ids].join(''),
  };
}

test('selects a range from the last pressed row, in either direction', () => {
  const { press, ids } = opened();
  press('b');
  press('d', true);
  expect(ids()).toBe('bcd');
  press('a', true);
  expect([...ids()].toSorted().join('')).toBe('abcd');
});

test('extends a range from its last end, even if its start is hidden', () => {
  const { result, rerender } = renderHook(({ shown }) => useSelection(shown), { initialProps: { shown: rows } });
  act(() => result.current.toggle('a'));
  act(() => result.current.toggle('c', true));
  rerender({ shown: rows.slice(1) });
  act(() => result.current.toggle('e', true));
  expect([...result.current.ids].join('')).toBe('bcde');
});

test('applies the state of the last pressed row to a range: cleared rows clear', () => {
  const { press, ids } = opened();
  press('a');
  press('e', true);
  press('b');
  press('d', true);
  expect(ids()).toBe('ae');
});

test('selects one row without a start, and skips rows being deleted', () => {
  const shown: PendingRow[] = rows.map((row) => (row.recordId === 'c' ? { ...row, pending: 'delete' } : row));
  const { press, ids } = opened(shown);
  press('b', true);
  expect(ids()).toBe('b');
  press('d', true);
  expect(ids()).toBe('bd');
});

test('deselects a row that is being deleted', () => {
  const { result, rerender } = renderHook(({ shown }) => useSelection(shown), { initialProps: { shown: rows } });
  act(() => result.current.toggleAll());
  rerender({ shown: rows.map((row) => (row.recordId === 'c' ? { ...row, pending: 'delete' } : row)) });
  expect([[...result.current.ids].join(''), result.current.rows.length, result.current.all]).toEqual(['abde', 4, true]);
});

test('clears a range that starts at a row just cleared', () => {
  const { press, ids } = opened();
  press('c');
  press('b');
  press('b');
  press('d', true);
  expect(ids()).toBe('');
});

test('Select all selects the rest when some are selected, and none when all are', () => {
  const { press, pressAll, all, ids } = opened();
  press('b');
  expect(all()).toBe(false);
  pressAll();
  expect([all(), [...ids()].toSorted().join('')]).toEqual([true, 'abcde']);
  pressAll();
  expect([all(), ids()]).toEqual([false, '']);
});
