import { useEffect } from 'react';

/**
 * Focuses the first empty field inside `selector` once, or the first field if none is empty. Does nothing if the user has already
 * focused something else.
 */
export function useFirstFocus(selector: string): void {
  useEffect(() => {
    const isFree = document.activeElement === document.body || document.activeElement?.tagName === 'H1';
    const fields = [...document.querySelectorAll<HTMLInputElement>(`${selector} .control:not([type="file"])`)];
    if (isFree) (fields.find(({ value }) => value === '') ?? fields[0])?.focus({ preventScroll: true });
  }, [selector]);
}
