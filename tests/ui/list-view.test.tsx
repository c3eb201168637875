import 'fake-indexeddb/auto';
import { act, cleanup, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter, useNavigate } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Resource } from '../../src/domain/resource.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { useListView } from '../../src/resource/list/use-list-view.ts';
import { useSession } from '../../src/stores/session.ts';

/** The view of a list: what a link requests, what is remembered, and what the address says. */

const generators = resourceOf('generators');
const partners = resourceOf('partners');
const rows = [
  { recordId: '1', brand: 'Perkins' },
  { recordId: '2', brand: 'Cummins' },
];

beforeEach(() => {
  vi.useFakeTimers();
  window.history.replaceState(null, '', '/generator-all');
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

/** The view of a list at an address, and the ways to go to another one. */
function open(address: string, resource: Resource = generators) {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <MemoryRouter initialEntries={[address]}>{children}</MemoryRouter>
  );
  const { result, unmount } = renderHook(() => ({ view: useListView(resource, rows), go: useNavigate() }), {
    wrapper,
  });
  return {
    view: () => result.current.view,
    shown: () => result.current.view.shown.map(({ recordId }) => recordId),
    go: (to: string) => act(() => void result.current.go(to)),
    unmount,
  };
}

/** Lets the pause before the address follows go by. */
const rest = () => act(() => vi.advanceTimersByTime(300));

test('a link to a list replaces its view; one without a view leaves it as it is', () => {
  const { view, shown, go } = open('/generator-all?q=perkins');
  expect(shown()).toEqual(['1']);
  go('/generator-all?q=cummins&sort=-brand');
  expect([view().query, view().sort, shown()]).toEqual(['cummins', { field: 'brand', direction: 'descending' }, ['2']]);
  go('/generator-all');
  expect([view().query, shown()]).toEqual(['cummins', ['2']]);
});

test('a list that is opened again is as it was left', () => {
  const first = open('/generator-all?q=cummins');
  act(() => first.view().setSort({ field: 'brand', direction: 'ascending' }));
  first.unmount();
  const { view } = open('/generator-all');
  expect([view().query, view().sort]).toEqual(['cummins', { field: 'brand', direction: 'ascending' }]);
});

test('remembers the view of each list separately', () => {
  const first = open('/generator-all?q=cummins');
  act(() => first.view().setQuery('perkins'));
  first.unmount();
  const other = open('/ups-all', resourceOf('ups'));
  expect(other.view().query).toBe('');
  other.unmount();
  expect(open('/generator-all').view().query).toBe('perkins');
});

test('keeps the view of a link for the return from a record', () => {
  open('/generator-all?q=perkins&sort=brand').unmount();
  const { view } = open('/generator-all');
  expect([view().query, view().sort?.field]).toEqual(['perkins', 'brand']);
});

test('remembers the views of lists separately for each user', () => {
  useSession.setState({ user: { id: 7, name: 'Nadia Rahman' } });
  const first = open('/partner-all', partners);
  act(() => first.view().setQuery('perkins'));
  first.unmount();
  useSession.setState({ user: { id: 8, name: 'Omar Faruk' } });
  const other = open('/partner-all', partners);
  expect(other.view().query).toBe('');
  other.unmount();
  useSession.setState({ user: { id: 7, name: 'Nadia Rahman' } });
  expect(open('/partner-all', partners).view().query).toBe('perkins');
});

test('Show all clears search and filters, and keeps the order', () => {
  const { view, shown } = open('/generator-all?q=none&sort=brand&brand=Perkins');
  expect(shown()).toEqual([]);
  act(() => view().clear());
  expect(shown()).toEqual(['2', '1']);
  expect([view().query, view().chosen, view().sort?.field]).toEqual(['', {}, 'brand']);
});

test('changes search, filters and order independently', () => {
  const { view } = open('/generator-all?q=perkins&sort=brand&brand=Perkins');
  const parts = () => [view().query, view().chosen, view().sort?.field];
  act(() => view().setQuery('per'));
  expect(parts()).toEqual(['per', { brand: ['Perkins'] }, 'brand']);
  act(() => view().setChosen({ brand: ['Cummins'] }));
  expect(parts()).toEqual(['per', { brand: ['Cummins'] }, 'brand']);
  act(() => view().setSort(undefined));
  expect(parts()).toEqual(['per', { brand: ['Cummins'] }, undefined]);
});

test('updates the address after a pause, without a history entry', () => {
  const steps = window.history.length;
  const { view } = open('/generator-all?q=x');
  rest();
  expect(window.location.search).toBe('?q=x');
  act(() => view().setQuery('per'));
  expect(window.location.search).toBe('?q=x');
  act(() => view().setQuery('perk'));
  rest();
  expect(window.location.search).toBe('?q=perk');
  act(() => view().clear());
  rest();
  expect([window.location.search, window.history.length]).toEqual(['', steps]);
});

test('restores the view in the address after a plain link to the same list', () => {
  const { go, shown } = open('/generator-all?q=perkins');
  rest();
  window.history.replaceState(null, '', '/generator-all');
  go('/generator-all');
  rest();
  expect([window.location.search, shown()]).toEqual(['?q=perkins', ['1']]);
});

test('a list that was left in the meantime writes no address', () => {
  const { view, unmount } = open('/generator-all?q=x');
  act(() => view().setQuery('late'));
  window.history.replaceState(null, '', '/about');
  rest();
  expect(window.location.search).toBe('');
  window.history.replaceState(null, '', '/generator-all');
  act(() => view().setQuery('later'));
  unmount();
  rest();
  expect(window.location.search).toBe('');
});
