import { useMemo, useRef, useState } from 'react';
import type { PendingRow } from '../../domain/outbox/optimistic-view.ts';

const NONE: ReadonlySet<string> = new Set();

/** The selected rows of a list. Only shown ones count: what a search hides is not deleted along. */
export function useSelection(shown: readonly PendingRow[]) {
  const [marked, setMarked] = useState(NONE);
  const pressed = useRef('');
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
    /** `range`: all from the row pressed last to this one become what that one is. */
    toggle: (recordId: string, range = false) => {
      const places = [pressed.current, recordId].map((id) => selectable.findIndex((row) => row.recordId === id));
      const wanted =
        range && !places.includes(-1) ? selectable.slice(Math.min(...places), Math.max(...places) + 1) : [];
      const adds = wanted.length > 0 ? marked.has(pressed.current) : !marked.has(recordId);
      const after = new Set(marked);
      for (const id of [recordId, ...wanted.map((row) => row.recordId)]) after[adds ? 'add' : 'delete'](id);
      pressed.current = recordId;
      setMarked(after);
    },
    toggleAll: () => setMarked(ids.size === selectable.length ? NONE : new Set(selectable.map((row) => row.recordId))),
    clear: () => setMarked(NONE),
  };
}
