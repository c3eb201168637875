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

/** Leaves a tall list at 1500 and comes back to it, whose rows are not there yet. */
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
}

/** The page becomes so tall after so many milliseconds. */
function grow(after: number, tall: number): void {
  act(() => void vi.advanceTimersByTime(after));
  page.tall = tall;
  act(() => void vi.advanceTimersByTime(50));
}

it('comes back to where a page was left, also where its content takes seconds', () => {
  comeBack();
  grow(4000, 3000);
  expect(page.top).toBe(1500);
});

it('stays where somebody has gone meanwhile', () => {
  comeBack();
  window.dispatchEvent(new Event('wheel'));
  grow(500, 3000);
  expect(page.top).toBe(0);
});

it('goes as far as there is room after a second, where a page is no longer as tall', () => {
  comeBack();
  grow(100, 2000);
  expect(page.top).toBe(0);
  act(() => void vi.advanceTimersByTime(1000));
  expect(page.top).toBe(1200);
  page.top = 700;
  act(() => void vi.advanceTimersByTime(5000));
  expect(page.top).toBe(700);
});
