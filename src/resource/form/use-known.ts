import { type RefObject, useEffect, useMemo, useState } from 'react';
import { device } from '../../api/device.ts';
import { knownRows } from '../../api/reads.ts';
import { type AnyResource, isSingle, type Resource } from '../../domain/resource.ts';
import { type KnownRecord, type Suggestions, suggestionsOf } from './known-values.ts';

interface Known {
  readonly records: readonly KnownRecord[];
  readonly suggestions: Suggestions;
}

const NOTHING: readonly KnownRecord[] = [];

/** The records known to this device, read whenever the form gets the focus. */
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

/** The records of a kind known to this device, without asking the server. */
async function knownRecords(resource: Resource): Promise<readonly KnownRecord[]> {
  const rows = await knownRows(resource);
  const { cache } = await device();
  const whole = await cache.readWhole(resource.name);
  const records = new Map(whole?.records.map((record) => [String(record.id), record]));
  // one that is being deleted is no duplicate
  return rows
    .filter(({ pending }) => pending !== 'delete')
    .map(({ recordId, ...row }) =>
      row['id'] === undefined ? { ...row, recordId } : { ...records.get(recordId), ...row },
    );
}
