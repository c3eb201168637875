import 'fake-indexeddb/auto';
import { act, cleanup, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { streetLights } from '../../src/domain/resources/street-lights.ts';
import { useArrival } from '../../src/resource/list/use-arrival.ts';

const ROWS = Array.from({ length: 100 }, (_, at) => ({ recordId: String(at + 1) }));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A list to which a form returns, with this state. */
function arrive(state: object, key = 'arrival') {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <MemoryRouter initialEntries={[{ pathname: '/st-all', key, state }]}>{children}</MemoryRouter>
  );
  return renderHook(() => useArrival(streetLights, ROWS, 56), { wrapper });
}

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

test('a list that is left before it is painted does not scroll the next page', async () => {
  const scrolled = vi.spyOn(window, 'scrollTo').mockReturnValue();
  arrive({ back: true, saved: '80' }).unmount();
  await pass(50);
  expect(scrolled).not.toHaveBeenCalled();
});

test.each([
  ['behind the bars at the top', 219, true],
  ['below them', 220, false],
  ['above the bar at the bottom', 768 - 110 - 56, false],
  ['behind it', 768 - 110 - 55, true],
])('scrolls to a row %s only if it is hidden', async (_, y, isHidden) => {
  const scrolled = vi.spyOn(window, 'scrollTo').mockReturnValue();
  vi.spyOn(window, 'innerHeight', 'get').mockReturnValue(768);
  const list = document.createElement('div');
  list.dataset['rows'] = '';
  vi.spyOn(list, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, y - 79 * 56, 0, 0));
  document.body.append(list);
  arrive({ back: true, saved: '80' }, `row at ${y}`);
  await pass(50);
  expect(scrolled).toHaveBeenCalledTimes(isHidden ? 1 : 0);
  list.remove();
});

test('highlights each record saved in place for two seconds', async () => {
  const set = vi.spyOn(globalThis, 'setTimeout');
  const cleared = vi.spyOn(globalThis, 'clearTimeout');
  const { result, unmount } = arrive({});
  act(() => result.current.show('1'));
  await pass(1500);
  act(() => result.current.show('2'));
  await pass(1500);
  expect(result.current.arrived).toBe('2');
  unmount();
  // The storage behind the list has timers of its own.
  const shown = set.mock.calls.flatMap(([, time], call) => (time === 2000 ? [set.mock.results[call]?.value] : []));
  expect(shown).toHaveLength(2);
  expect(cleared.mock.calls.map(([timer]) => timer)).toEqual(expect.arrayContaining(shown));
});
