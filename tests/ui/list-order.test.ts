import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listedRows } from '../../src/api/reads.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { siteMeta } from '../../src/domain/resources/site-meta.ts';
import { rememberOrder, useListPlace } from '../../src/resource/list/list-order.ts';

vi.mock('../../src/api/reads.ts', () => ({ listedRows: vi.fn() }));

const rows = (...ids: readonly number[]) => ids.map((id) => ({ recordId: String(id) }));

beforeEach(() => {
  vi.mocked(listedRows)
    .mockReset()
    .mockResolvedValue(rows(1, 2, 3, 4) as never);
  rememberOrder(partners, rows(4, 2));
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

/** The place of a record on its screen; `goTo` shows another record there. */
function open(id: string) {
  const { result, rerender } = renderHook((shown: string) => useListPlace(partners, shown), { initialProps: id });
  // the whole list is read after the first frame
  const goTo = (next: string) => act(async () => rerender(next));
  return { place: () => result.current, goTo };
}

test('keeps the remembered order of a list after showing a record that is in no list', async () => {
  const { place, goTo } = open('9');
  await goTo('9');
  expect(listedRows).toHaveBeenCalledExactlyOnceWith(partners);
  expect(place()).toBeUndefined();
  await goTo('4');
  expect(place()).toEqual({ place: 1, total: 2, next: '2' });
});

test('finds the place of a record in the whole list if its narrowed list lacks it', async () => {
  const { place, goTo } = open('1');
  await waitFor(() => expect(place()).toEqual({ place: 1, total: 4, next: '2' }));
  act(() => rememberOrder(partners, rows(4, 2)));
  await goTo('3');
  expect(place()).toEqual({ place: 3, total: 4, previous: '2', next: '4' });
});

test('shows no places for a list that cannot be read, and logs the reason', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const failure = new Error('The storage is locked.');
  vi.mocked(listedRows).mockRejectedValue(failure);
  const { place } = open('9');
  await waitFor(() => expect(warn).toHaveBeenCalledWith('No neighbours can be told.', failure));
  expect(place()).toBeUndefined();
});

test('reads no list for the site settings', () => {
  const { result } = renderHook(() => useListPlace(siteMeta, '1'));
  expect(result.current).toBeUndefined();
  expect(listedRows).not.toHaveBeenCalled();
});
