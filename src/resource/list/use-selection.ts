import { useMemo, useRef, useState } from 'react';
import type { PendingRow } from '../../domain/outbox/optimistic-view.ts';

const NONE: ReadonlySet<string> = new Set();

/** The selected rows of a list. Only visible rows count, so that an action never affects rows that a search hides. */
export function useSelection(shown: readonly PendingRow[]) {
  const [marked, setMarked] = useState(NONE);
  const pressed = useRef('');
  const selectable = useMemo(() => shown.filter((row) => row.pending !== 'delete'), [shown]);
  const rows = useMemo(() => markedOf(selectable, marked), [selectable, marked]);
  // reuse the set if all rows are selected: copying ten thousand ids takes many milliseconds on a slow processor
  const ids = useMemo(
    () => (rows === selectable && rows.length === marked.size ? marked : new Set(rows.map((row) => row.recordId))),
    [rows, selectable, marked],
  );
  return {
    rows,
    ids,
    all: selectable.length > 0 && ids.size === selectable.length,
    /** `range`: all rows from the last toggled one to this one take on its state. */
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

/** The marked rows. Returns the same array if all are marked. */
function markedOf(rows: readonly PendingRow[], marked: ReadonlySet<string>): readonly PendingRow[] {
  if (marked.size === 0) return [];
  const found = rows.filter((row) => marked.has(row.recordId));
  return found.length === rows.length ? rows : found;
}
