import { useMemo, useSyncExternalStore } from 'react';

/** Breakpoints of the shell's three layouts: a drawer on a phone, a rail on a tablet, a sidebar on a wide screen. */
export const WIDE = '(min-width: 1200px)';
/** Rows have no columns at this width, since a table would scroll sideways. */
export const NARROW = '(max-width: 899.95px)';
export const PHONE = '(max-width: 599.95px)';

/** True while a media query matches. Correct from the first render. False without `matchMedia` (tests). */
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
