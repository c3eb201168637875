import { type RefObject, useEffect, useMemo, useState } from 'react';
import { type AnyResource, isSingle } from '../../domain/resource.ts';
import { type KnownRecord, knownRecords, type Suggestions, suggestionsOf } from './known-values.ts';

interface Known {
  readonly records: readonly KnownRecord[];
  readonly suggestions: Suggestions;
}

const NOTHING: readonly KnownRecord[] = [];

/** What this device knows of the other records, read whenever somebody enters the form. */
export function useKnown(resource: AnyResource, form: RefObject<HTMLFormElement | null>): Known {
  const [records, setRecords] = useState(NOTHING);
  useEffect(() => {
    const element = form.current;
    let wanted = true;
    const read = ({ relatedTarget }: FocusEvent) => {
      const within = relatedTarget instanceof Node && element?.contains(relatedTarget) === true;
      if (within || isSingle(resource)) return;
      knownRecords(resource).then(
        (found) => wanted && setRecords(found),
        (failure: unknown) => console.warn('What is there cannot be suggested.', failure),
      );
    };
    element?.addEventListener('focusin', read);
    return () => {
      wanted = false;
      element?.removeEventListener('focusin', read);
    };
  }, [resource, form]);
  const suggestions = useMemo(() => (isSingle(resource) ? {} : suggestionsOf(resource, records)), [resource, records]);
  return { records, suggestions };
}
