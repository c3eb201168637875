import { useMemo, useSyncExternalStore } from 'react';

export interface VirtualRows {
  /** Goes on the element whose first row begins at its upper edge. */
  readonly container: (element: HTMLElement | null) => void;
  /** The places of the rows to be drawn. */
  readonly places: readonly number[];
  /** Heights of what is not drawn before and after them, in CSS pixels. */
  readonly before: number;
  readonly after: number;
}

interface Sight {
  /** Place of the first row drawn. */
  readonly first: number;
  /** How many are drawn. */
  readonly drawn: number;
}

/** Rows drawn beyond each edge of the window, so that a quick scroll does not show blank ones. */
const OVERSCAN = 6;
/** What is drawn before the page has been measured. */
const FIRST_SIGHT: Sight = { first: 0, drawn: 16 };

/**
 * Which rows of a long list are drawn. The page itself scrolls, as on every other screen. All rows have one height, so that
 * nothing is measured but the list's place, and a row is drawn only when it comes into sight.
 */
export function useVirtualRows(count: number, height: number): VirtualRows {
  const { container, subscribe, value } = useMemo(() => watchSight(height), [height]);
  const sight = useSyncExternalStore(subscribe, value);
  const first = Math.min(sight.first, Math.max(0, count - sight.drawn));
  const last = Math.min(first + sight.drawn, count);
  return {
    container,
    places: Array.from({ length: last - first }, (_, at) => first + at),
    before: first * height,
    after: (count - last) * height,
  };
}

// The place is read when the page moved, not while rows are rendered: reading it then would lay the page out twice.
function watchSight(height: number) {
  let list: HTMLElement | null = null;
  let sight = FIRST_SIGHT;

  function look(): boolean {
    const top = list?.getBoundingClientRect().top;
    if (top === undefined) return false;
    const first = Math.max(0, Math.floor(-top / height) - OVERSCAN);
    const drawn = Math.ceil((window.innerHeight - Math.max(0, top)) / height) + 2 * OVERSCAN;
    if (first === sight.first && drawn === sight.drawn) return false;
    sight = { first, drawn };
    return true;
  }

  return {
    container: (element: HTMLElement | null) => {
      list = element;
    },
    value: () => sight,
    subscribe(listener: () => void) {
      const moved = () => {
        if (look()) listener();
      };
      // What stands above the list may change its height: a notice, the bar of a selection.
      const sizes = new ResizeObserver(moved);
      sizes.observe(document.body);
      window.addEventListener('scroll', moved, { passive: true });
      window.addEventListener('resize', moved);
      look();
      return () => {
        sizes.disconnect();
        window.removeEventListener('scroll', moved);
        window.removeEventListener('resize', moved);
      };
    },
  };
}
