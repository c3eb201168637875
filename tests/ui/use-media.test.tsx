import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useMedia } from '../../src/ui/use-media.ts';

const listeners = new Set<() => void>();
let matches = false;

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({
    get matches() {
      return matches;
    },
    addEventListener: (_: 'change', listener: () => void) => listeners.add(listener),
    removeEventListener: (_: 'change', listener: () => void) => listeners.delete(listener),
  }));
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('a media query is followed for as long as a screen looks at it', () => {
  const { result, unmount } = renderHook(() => useMedia('(max-width: 599.95px)'));
  expect(result.current).toBe(false);
  act(() => {
    matches = true;
    for (const listener of listeners) listener();
  });
  expect(result.current).toBe(true);
  unmount();
  expect(listeners.size).toBe(0);
});
