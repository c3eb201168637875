import { useMemo, useSyncExternalStore } from 'react';
import { watchFlight } from './flight.ts';

export interface VirtualRows {
  /** The ref of the element whose top edge is the top of the first row. */
  readonly container: (element: HTMLElement | null) => void;
  /** The positions of the rows to render. */
  readonly places: readonly number[];
  /** Heights of the unrendered rows before and after them. CSS pixels. */
  readonly before: number;
  readonly after: number;
}

interface Sight {
  /** Position of the first rendered row. */
  readonly first: number;
  /** Number of rendered rows. */
  readonly drawn: number;
}

/** Rows rendered beyond each edge of the window, so that a quick scroll shows no blanks. */
const OVERSCAN = 6;
/** A flying list has landed after this many milliseconds without a move. */
const LANDED = 100;
/** The rows rendered before the page has been measured. */
const FIRST_SIGHT: Sight = { first: 0, drawn: 16 };

/**
 * Virtualises the rows of a long list. The page itself scrolls, as on every other screen. All rows have the same height, so only
 * the list's position is measured. A list that flies by on a slow device shows row shapes (`data-flying` on the container) until
 * it is readable again.
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

// The position is read on scroll, not during rendering: that would cause a second layout.
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
      // Rendered rows stay, and so does the focus.
      const fly = () => {
        clearTimeout(landing);
        landing = setTimeout(land, LANDED);
        list?.setAttribute('data-flying', '');
      };
      const scrolled = () => (flight.moved(window.scrollY, performance.now()) ? fly() : land());
      // Content above the list may change its height, such as a notice.
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
