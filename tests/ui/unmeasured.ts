import { vi } from 'vitest';

/** jsdom lays nothing out, so nothing ever changes its size there. To be undone with `vi.unstubAllGlobals`. */
export function stubResizeObserver(): void {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
}
