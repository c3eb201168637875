import { useCallback, useEffect, useState } from 'react';
import { messageOf } from '../../api/failure.ts';
import { readHistory } from '../../api/record-history.ts';
import type { HistoryEntry } from '../../domain/history.ts';
import type { Resource } from '../../domain/resource.ts';

/** A record's history as far as it is known. */
export interface HistoryReading {
  readonly entries?: readonly HistoryEntry[];
  readonly failure?: string;
  readonly loading: boolean;
  readonly retry: () => void;
}

/** Asks for a record's history, and again when the record got another version. */
export function useHistory(resource: Resource, id: number, version: string): HistoryReading {
  const [known, setKnown] = useState<Pick<HistoryReading, 'entries' | 'failure'>>({});
  const [loading, setLoading] = useState(true);
  const load = useCallback(
    async (isCurrent: () => boolean) => {
      setLoading(true);
      const read = await readHistory(resource, id).then(
        (entries) => ({ entries }),
        (failure: unknown) => ({ failure: messageOf(failure) }),
      );
      if (!isCurrent()) return;
      setKnown(read);
      setLoading(false);
    },
    [resource, id],
  );
  useEffect(() => {
    let current = true;
    void load(() => current);
    return () => {
      current = false;
    };
  }, [load, version]);
  return { ...known, loading, retry: () => void load(() => true) };
}
