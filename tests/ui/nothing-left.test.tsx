import 'fake-indexeddb/auto';
import { act, cleanup, fireEvent, render, renderHook } from '@testing-library/react';
import { type Location, MemoryRouter, NavigationType } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import NotifyHost from '../../src/app/notify.tsx';
import { useScrollMemory } from '../../src/app/scroll-memory.ts';
import { Navigation } from '../../src/app/shell/navigation.tsx';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { ListTable } from '../../src/resource/list/list-table.tsx';
import { notify, useNotifications } from '../../src/stores/notifications.ts';
import { stubResizeObserver } from './unmeasured.ts';

/** A removed part of the page leaves no listeners and no timers. */

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'requestAnimationFrame', 'cancelAnimationFrame', 'performance'],
  });
  stubResizeObserver();
  // React listens to the document from its first root on.
  render(<i />);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Returns the events that the window and the document have gained listeners for since. */
function watchListeners() {
  const spies = [window, document].map((target) => ({
    added: vi.spyOn(target, 'addEventListener'),
    removed: vi.spyOn(target, 'removeEventListener'),
  }));
  return () =>
    spies.flatMap(({ added, removed }) =>
      added.mock.calls
        .filter(([type, listener]) => !removed.mock.calls.some((call) => call[0] === type && call[1] === listener))
        .map(([type]) => String(type)),
    );
}

const scrollTo = (top: number) => {
  vi.spyOn(window, 'scrollY', 'get').mockReturnValue(top);
  vi.advanceTimersByTime(30);
  act(() => void fireEvent.scroll(window));
};

function flyingList() {
  const rows = Array.from({ length: 1000 }, (_, at) => ({ recordId: String(at), brand: 'B' }));
  const selection = { selected: new Set<string>(), allSelected: false, onSelectAll: vi.fn() };
  const shown = render(
    <ListTable resource={resourceOf('generators')} rows={rows} sort={undefined} onSort={vi.fn()} {...selection} />,
  );
  for (const top of [300, 600, 900, 1200, 1500]) scrollTo(top);
  expect(shown.container.querySelector('[data-flying]')).not.toBeNull();
  return shown;
}

/** The page is not as tall yet as it was. */
function scrollingBack() {
  const location: Location = { pathname: '/list', state: null, key: 'list', search: '', hash: '' };
  const page = renderHook(useScrollMemory, { initialProps: { location, action: NavigationType.Push } });
  scrollTo(2000);
  const later = { ...location, key: 'again', state: { back: true } };
  page.rerender({ location: later, action: NavigationType.Push });
  return page;
}

function sidebar() {
  return render(
    <MemoryRouter>
      <Navigation />
    </MemoryRouter>,
  );
}

test.each([
  ['a list that scrolls fast', flyingList, ['resize', 'scroll']],
  [
    'a page that restores its scroll position',
    scrollingBack,
    ['keydown', 'pagehide', 'pointerdown', 'scroll', 'touchstart', 'wheel'],
  ],
  ['a sidebar', sidebar, []],
])('%s removes its listeners and timers', (_, open, types) => {
  const listening = watchListeners();
  const { unmount } = open();
  expect(listening().toSorted()).toEqual(types);
  expect(vi.getTimerCount()).toBeGreaterThan(0);
  unmount();
  expect(listening()).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

test('keeps messages that are no longer shown for the next host', async () => {
  const { unmount, container } = render(<NotifyHost />);
  await act(async () => notify('Saved', { kind: 'success' }));
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(container.ownerDocument.body.textContent).toContain('Saved');
  unmount();
  expect(vi.getTimerCount()).toBe(0);
  notify('Deleted', { kind: 'success' });
  expect(useNotifications.getState().take()).toMatchObject([{ message: 'Deleted' }]);
});
