import { type RefObject, useEffect } from 'react';
import { isWriting } from '../../ui/writing.ts';

/** The key `/` goes to the search of the list, from anywhere on the page where nobody is writing. */
export function useSearchKey(search: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.defaultPrevented || event.ctrlKey || event.metaKey || isWriting(event.target))
        return;
      event.preventDefault();
      search.current?.focus();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [search]);
}
