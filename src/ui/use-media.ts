import { useMemo, useSyncExternalStore } from 'react';

/** The shell's three shapes: a drawer over the page on a phone, a rail on a tablet, a sidebar on a wide screen. */
export const WIDE = '(min-width: 1200px)';
/** Below this a table would have to be scrolled sideways: rows have no columns. */
export const NARROW = '(max-width: 899.95px)';
export const PHONE = '(max-width: 599.95px)';

/** True while a media query matches; right from the first render. Where nothing can be asked (tests), false. */
export function useMedia(query: string): boolean {
  const list = useMemo(() => window.matchMedia?.(query), [query]);
  return useSyncExternalStore(
    (listener) => {
      list?.addEventListener('change', listener);
      return () => list?.removeEventListener('change', listener);
    },
    () => list?.matches ?? false,
  );
}
