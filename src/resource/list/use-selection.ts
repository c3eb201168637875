import { useMemo, useState } from 'react';
import type { PendingRow } from '../../domain/outbox/optimistic-view.ts';

const NONE: ReadonlySet<string> = new Set();

/** The selected rows of a list. Only shown ones count: what a search hides is not deleted along. */
export function useSelection(shown: readonly PendingRow[]) {
  const [marked, setMarked] = useState(NONE);
  const rows = useMemo(
    () => (marked.size === 0 ? [] : shown.filter((row) => marked.has(row.recordId) && row.pending !== 'delete')),
    [shown, marked],
  );
  const selectable = useMemo(() => shown.filter((row) => row.pending !== 'delete'), [shown]);
  const ids = useMemo(() => new Set(rows.map((row) => row.recordId)), [rows]);
  return {
    rows,
    ids,
    all: selectable.length > 0 && ids.size === selectable.length,
    toggle: (recordId: string) =>
      setMarked((before) => {
        const after = new Set(before);
        if (!after.delete(recordId)) after.add(recordId);
        return after;
      }),
    toggleAll: () => setMarked(ids.size === selectable.length ? NONE : new Set(selectable.map((row) => row.recordId))),
    clear: () => setMarked(NONE),
  };
}
