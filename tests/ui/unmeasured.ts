import { vi } from 'vitest';

/** Stubs ResizeObserver, because jsdom has no layout and no sizes. Undo with `vi.unstubAllGlobals`. */
export function stubResizeObserver(): void {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
}
