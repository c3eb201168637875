import { useMemo, useSyncExternalStore } from 'react';
import { watchFlight } from './flight.ts';

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
/** Milliseconds without a move after which a list that flew by has landed. */
const LANDED = 100;
/** What is drawn before the page has been measured. */
const FIRST_SIGHT: Sight = { first: 0, drawn: 16 };

/**
 * Which rows of a long list are drawn. The page itself scrolls, as on every other screen. All rows have one height, so that
 * nothing is measured but the list's place, and a row is drawn only when it comes into sight. A list that flies by on a slow device
 * shows the shape of its rows (`data-flying` on the container) until it can be read again.
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
  let landing: ReturnType<typeof setTimeout> | undefined;
  const flight = watchFlight();

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
      list?.style.setProperty('--row', `${height}px`);
    },
    value: () => sight,
    subscribe(listener: () => void) {
      const moved = () => {
        if (landing === undefined && look()) listener();
      };
      const land = () => {
        clearTimeout(landing);
        landing = undefined;
        list?.removeAttribute('data-flying');
        moved();
      };
      // The rows that are drawn already stay, with what has the focus.
      const fly = () => {
        clearTimeout(landing);
        landing = setTimeout(land, LANDED);
        list?.setAttribute('data-flying', '');
      };
      const scrolled = () => (flight.moved(window.scrollY, performance.now()) ? fly() : land());
      // What stands above the list may change its height: a notice, the bar of a selection.
      const sizes = new ResizeObserver(moved);
      sizes.observe(document.body);
      window.addEventListener('scroll', scrolled, { passive: true });
      window.addEventListener('resize', moved);
      look();
      return () => {
        sizes.disconnect();
        window.removeEventListener('scroll', scrolled);
        clearTimeout(landing);
        landing = undefined;
        window.removeEventListener('resize', moved);
      };
    },
  };
}
