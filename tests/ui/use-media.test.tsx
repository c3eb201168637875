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

test('follows a media query only while a screen uses it', () => {
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
