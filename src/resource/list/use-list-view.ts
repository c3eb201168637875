import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import type { PendingRow } from '../../domain/outbox/optimistic-view.ts';
import type { Resource } from '../../domain/resource.ts';
import { indexRows, type ListIndex, orderBy, type Sort, textsOf, visibleRows } from './list-rules.ts';

export interface ListView {
  readonly shown: readonly PendingRow[];
  readonly query: string;
  readonly sort: Sort | undefined;
  readonly setQuery: (query: string) => void;
  readonly setSort: (sort: Sort | undefined) => void;
}

interface Kept {
  readonly query: string;
  readonly sort: Sort | undefined;
}

/** How each list was last looked at: who comes back from a record finds it as it was left. */
const lastLook = new Map<string, Kept>();

/** Search and sort of one list. Typing stays fluid: the rows follow when there is time. */
export function useListView(resource: Resource, rows: readonly PendingRow[]): ListView {
  const [look, setLook] = useState<Kept>(() => lastLook.get(resource.name) ?? { query: '', sort: undefined });
  const index = useMemo(() => indexRows(resource, rows), [resource, rows]);
  const query = useDeferredValue(look.query);
  const shown = useMemo(() => visibleRows(index, query, look.sort), [index, query, look.sort]);
  useWarmIndex(resource, index);
  const change = (next: Kept) => {
    lastLook.set(resource.name, next);
    setLook(next);
  };
  return {
    shown,
    ...look,
    setQuery: (next) => change({ ...look, query: next }),
    setSort: (next) => change({ ...look, sort: next }),
  };
}

/** Works out, while nothing else is to do, what the first search and the first sort of a long list would wait for. */
function useWarmIndex(resource: Resource, index: ListIndex<PendingRow>): void {
  useEffect(() => {
    if (!('requestIdleCallback' in window) || index.rows.length < 1000) return undefined;
    const fields = resource.columns.filter((column) => column.kind === 'text').map((column) => column.field);
    const work = [() => textsOf(index), ...fields.map((field) => () => orderBy(index, field))];
    let waiting = 0;
    const next = () => {
      work.shift()?.();
      if (work.length > 0) waiting = requestIdleCallback(next);
    };
    waiting = requestIdleCallback(next);
    return () => cancelIdleCallback(waiting);
  }, [resource, index]);
}
