import { act, cleanup, renderHook } from '@testing-library/react';
import { type Location, NavigationType } from 'react-router-dom';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useScrollMemory } from '../../src/app/scroll-memory.ts';

const at = (pathname: string, state: unknown = null): Location => ({
  pathname,
  state,
  key: pathname,
  search: '',
  hash: '',
});

/** How tall the page is, in CSS pixels, and where it was scrolled to. */
const page = { tall: 0, top: 0 };

beforeEach(() => {
  vi.useFakeTimers();
  Object.assign(page, { tall: 3000, top: 0 });
  vi.spyOn(document.documentElement, 'scrollHeight', 'get').mockImplementation(() => page.tall);
  vi.spyOn(window, 'innerHeight', 'get').mockImplementation(() => 800);
  vi.spyOn(window, 'scrollY', 'get').mockImplementation(() => page.top);
  vi.spyOn(window, 'scrollTo').mockImplementation((_, top) => {
    page.top = Math.max(0, Math.min(Number(top), page.tall - 800));
  });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Leaves a tall list at 1500 px, and returns to it before its rows are there. */
function comeBack() {
  const hook = renderHook((place) => useScrollMemory(place), {
    initialProps: { location: at('/list'), action: NavigationType.Push },
  });
  page.top = 1500;
  window.dispatchEvent(new Event('scroll'));
  hook.rerender({ location: at('/form'), action: NavigationType.Push });
  expect(page.top).toBe(0);
  page.tall = 800;
  hook.rerender({ location: at('/list', { back: true }), action: NavigationType.Push });
  return hook;
}

/** The page gets this height after this many milliseconds. */
function grow(after: number, tall: number): void {
  act(() => void vi.advanceTimersByTime(after));
  page.tall = tall;
  act(() => void vi.advanceTimersByTime(50));
}

it('restores the scroll position, even if the content takes seconds', () => {
  comeBack();
  grow(4000, 3000);
  expect(page.top).toBe(1500);
});

it.each(['wheel', 'touchstart', 'pointerdown', 'keydown'])(
  'does not scroll a user who has moved by %s meanwhile',
  (input) => {
    comeBack();
    window.dispatchEvent(new Event(input));
    grow(500, 3000);
    expect(page.top).toBe(0);
  },
);

it('a page that is left before it is tall enough does not scroll the next one', () => {
  const { rerender } = comeBack();
  rerender({ location: at('/other'), action: NavigationType.Push });
  grow(500, 3000);
  expect(page.top).toBe(0);
});

it('remembers a position for each of two visits to an address', () => {
  const { rerender, scroll } = visit();
  const to = (key: string, action: NavigationType) => rerender({ location: { ...at('/rows'), key }, action });
  to('one', NavigationType.Push);
  scroll(900);
  to('two', NavigationType.Push);
  scroll(300);
  to('one', NavigationType.Pop);
  expect(page.top).toBe(900);
});

it('scrolls as far as possible after a second if the page has become shorter', () => {
  comeBack();
  grow(100, 2000);
  expect(page.top).toBe(0);
  act(() => void vi.advanceTimersByTime(1000));
  expect(page.top).toBe(1200);
  page.top = 700;
  act(() => void vi.advanceTimersByTime(5000));
  expect(page.top).toBe(700);
});

/** Shows a place after another, as the browser tells it. */
function visit() {
  const hook = renderHook((place) => useScrollMemory(place), {
    initialProps: { location: at('/first'), action: NavigationType.Push as NavigationType },
  });
  const go = (pathname: string, action: NavigationType) => hook.rerender({ location: at(pathname), action });
  const scroll = (top: number) => {
    page.top = top;
    window.dispatchEvent(new Event('scroll'));
  };
  return { go, scroll, ...hook };
}

it('shows a page from its top when a link leads to it again', () => {
  const { go, scroll } = visit();
  go('/rows', NavigationType.Push);
  scroll(900);
  go('/form', NavigationType.Push);
  go('/rows', NavigationType.Push);
  expect(page.top).toBe(0);
});

it('restores the position on the browser’s Back', () => {
  const { go, scroll } = visit();
  go('/rows', NavigationType.Push);
  scroll(900);
  go('/form', NavigationType.Push);
  go('/rows', NavigationType.Pop);
  expect(page.top).toBe(900);
});

it('keeps the position when the address is replaced', () => {
  const { go, scroll } = visit();
  scroll(700);
  go('/first?page=2', NavigationType.Replace);
  expect(page.top).toBe(700);
});

it('takes over scroll restoration, and stores every position for a reload', () => {
  const { go, scroll, unmount } = visit();
  expect(window.history.scrollRestoration).toBe('manual');
  go('/kept', NavigationType.Push);
  scroll(1234);
  window.dispatchEvent(new Event('pagehide'));
  expect(new Map(JSON.parse(sessionStorage.getItem('voltdesk.scroll') ?? '[]')).get('/kept /kept')).toBe(1234);
  unmount();
  scroll(5);
  window.dispatchEvent(new Event('pagehide'));
  expect(new Map(JSON.parse(sessionStorage.getItem('voltdesk.scroll') ?? '[]')).get('/kept /kept')).toBe(1234);
});

it('starts a document at its top when it is opened by its address', async () => {
  sessionStorage.setItem('voltdesk.scroll', JSON.stringify([['/again /again', 600]]));
  vi.resetModules();
  const { useScrollMemory: fresh } = await import('../../src/app/scroll-memory.ts');
  page.top = 50;
  const place = { location: at('/again'), action: NavigationType.Pop };
  const first = renderHook(() => fresh(place));
  expect(page.top).toBe(0);
  first.unmount();
  renderHook(() => fresh(place));
  expect(page.top).toBe(600);
});
