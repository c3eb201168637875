import { useLayoutEffect, useRef } from 'react';

/** A ref to the value of the last render, for long-running async work. */
export function useLatest<T>(value: T): { readonly current: T } {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  }, [value]);
  return latest;
}
