import { useLayoutEffect, useRef } from 'react';

/** What was handed over at the last rendering, for work that ends long after it began. */
export function useLatest<T>(value: T): { readonly current: T } {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  }, [value]);
  return latest;
}
