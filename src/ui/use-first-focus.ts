import { useEffect } from 'react';

/**
 * Gives the focus to the first field inside `selector` once, unless somebody has gone elsewhere by then: a screen that begins with a
 * form is begun in its first field.
 */
export function useFirstFocus(selector: string): void {
  useEffect(() => {
    const isFree = document.activeElement === document.body || document.activeElement?.tagName === 'H1';
    const fields = [...document.querySelectorAll<HTMLInputElement>(`${selector} .control:not([type="file"])`)];
    if (isFree) (fields.find(({ value }) => value === '') ?? fields[0])?.focus({ preventScroll: true });
  }, [selector]);
}
