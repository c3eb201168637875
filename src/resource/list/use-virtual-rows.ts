import { type RefObject, useCallback, useRef, useSyncExternalStore } from 'react';

export interface VirtualRows<E extends HTMLElement> {
  /** Goes on the element whose first row begins at its upper edge. */
  readonly container: RefObject<E | null>;
  /** The places of the rows to be drawn. */
  readonly places: readonly number[];
  /** Heights of what is not drawn before and after them, in CSS pixels. */
  readonly before: number;
  readonly after: number;
}

/** Rows drawn beyond each edge of the window, so that a quick scroll does not show blank ones. */
const OVERSCAN = 6;
/** What is drawn before the page has been measured. */
const FIRST_LOOK = 16;

/**
 * Which rows of a long list are drawn. The page itself scrolls, as on every other screen. All rows have one height, so that
 * nothing is measured but the list's place, and a row is drawn only when it comes into sight.
 */
export function useVirtualRows<E extends HTMLElement>(count: number, height: number): VirtualRows<E> {
  const container = useRef<E>(null);
  const firstInSight = useCallback(() => {
    const top = container.current?.getBoundingClientRect().top;
    return top === undefined ? 0 : Math.max(0, Math.floor(-top / height) - OVERSCAN);
  }, [height]);
  const rowsInSight = useCallback(() => {
    const top = container.current?.getBoundingClientRect().top;
    if (top === undefined) return FIRST_LOOK;
    return Math.ceil((window.innerHeight - Math.max(0, top)) / height) + 2 * OVERSCAN;
  }, [height]);
  const first = Math.min(useSyncExternalStore(watchPage, firstInSight), count);
  const last = Math.min(first + useSyncExternalStore(watchPage, rowsInSight), count);
  return {
    container,
    places: Array.from({ length: last - first }, (_, at) => first + at),
    before: first * height,
    after: (count - last) * height,
  };
}

function watchPage(listener: () => void): () => void {
  // What stands above the list may change its height: a notice, the bar of a selection.
  const sizes = new ResizeObserver(listener);
  sizes.observe(document.body);
  window.addEventListener('scroll', listener, { passive: true });
  window.addEventListener('resize', listener);
  return () => {
    sizes.disconnect();
    window.removeEventListener('scroll', listener);
    window.removeEventListener('resize', listener);
  };
}
