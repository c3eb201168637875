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

test('a range goes from the row pressed last to this one, in either direction', () => {
  const { press, ids } = opened();
  press('b');
  press('d', true);
  expect(ids()).toBe('bcd');
  press('a', true);
  expect([...ids()].toSorted().join('')).toBe('abcd');
});

test('a range goes from the end of the one before, also once its beginning is out of sight', () => {
  const { result, rerender } = renderHook(({ shown }) => useSelection(shown), { initialProps: { shown: rows } });
  act(() => result.current.toggle('a'));
  act(() => result.current.toggle('c', true));
  rerender({ shown: rows.slice(1) });
  act(() => result.current.toggle('e', true));
  expect([...result.current.ids].join('')).toBe('bcde');
});

test('a range takes over what the row pressed last became: cleared rows clear', () => {
  const { press, ids } = opened();
  press('a');
  press('e', true);
  press('b');
  press('d', true);
  expect(ids()).toBe('ae');
});

test('a range without a beginning is one row, and leaves out what is being deleted', () => {
  const shown: PendingRow[] = rows.map((row) => (row.recordId === 'c' ? { ...row, pending: 'delete' } : row));
  const { press, ids } = opened(shown);
  press('b', true);
  expect(ids()).toBe('b');
  press('d', true);
  expect(ids()).toBe('bd');
});

test('a selected row that is being deleted by now is not selected any more', () => {
  const { result, rerender } = renderHook(({ shown }) => useSelection(shown), { initialProps: { shown: rows } });
  act(() => result.current.toggleAll());
  rerender({ shown: rows.map((row) => (row.recordId === 'c' ? { ...row, pending: 'delete' } : row)) });
  expect([[...result.current.ids].join(''), result.current.rows.length, result.current.all]).toEqual(['abde', 4, true]);
});

test('a range from a row that was just cleared clears, also rows that were not marked', () => {
  const { press, ids } = opened();
  press('c');
  press('b');
  press('b');
  press('d', true);
  expect(ids()).toBe('');
});

test('the box of all rows selects the rest where some are selected, and none where all are', () => {
  const { press, pressAll, all, ids } = opened();
  press('b');
  expect(all()).toBe(false);
  pressAll();
  expect([all(), [...ids()].toSorted().join('')]).toEqual([true, 'abcde']);
  pressAll();
  expect([all(), ids()]).toEqual([false, '']);
});
