import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { PendingRow } from '../../domain/outbox/optimistic-view.ts';
import type { Resource } from '../../domain/resource.ts';
import { type Chosen, facetGroups } from './facets.ts';
import { indexRows, type ListIndex, type Look, orderBy, type Sort, textsOf, visibleRows } from './list-rules.ts';
import { addressOf, lookIn } from './view-address.ts';
import { whenStill } from '../../ui/when-still.ts';

export interface ListView extends Look {
  readonly shown: readonly PendingRow[];
  readonly setQuery: (query: string) => void;
  readonly setSort: (sort: Sort | undefined) => void;
  readonly setChosen: (chosen: Chosen) => void;
  /** All rows again, in the order that stands. */
  readonly clear: () => void;
}

const PLAIN: Look = { query: '', chosen: {}, sort: undefined };

/** How each list was last looked at: who comes back from a record finds it as it was left. */
const lastLook = new Map<string, Look>();

/** Search, facets and sort of one list, kept in its address. Typing stays fluid: the rows follow when there is time. */
export function useListView(resource: Resource, rows: readonly PendingRow[]): ListView {
  const { search, key } = useLocation();
  const [asked, setAsked] = useState(key);
  const [look, setLook] = useState<Look>(() => lookIn(resource, search) ?? lastLook.get(resource.name) ?? PLAIN);
  // A link to this list asks for a view of its own.
  if (asked !== key) {
    setAsked(key);
    setLook(lookIn(resource, search) ?? look);
  }
  const index = useMemo(() => indexRows(resource, rows), [resource, rows]);
  const deferred = useDeferredValue(look);
  const shown = useMemo(() => visibleRows(index, deferred), [index, deferred]);
  useWarmIndex(resource, index);
  useAddress(look);
  const change = (part: Partial<Look>) => {
    const next = { ...look, ...part };
    lastLook.set(resource.name, next);
    setLook(next);
  };
  return {
    shown,
    ...look,
    setQuery: (query) => change({ query }),
    setSort: (sort) => change({ sort }),
    setChosen: (chosen) => change({ chosen }),
    clear: () => change({ query: '', chosen: {} }),
  };
}

/** Between two letters the address rests: browsers refuse to change it hundreds of times. Milliseconds. */
const PAUSE = 250;

/** Keeps the address true without a navigation: nothing is drawn for it, and the way back stays one step. */
function useAddress(look: Look): void {
  const address = addressOf(look);
  useEffect(() => {
    const { pathname } = window.location;
    const write = () => {
      if (window.location.pathname === pathname && window.location.search !== address)
        window.history.replaceState(window.history.state, '', pathname + address);
    };
    const timer = setTimeout(write, PAUSE);
    return () => clearTimeout(timer);
  }, [address]);
}

/**
 * Works out, while nothing else is to do, what the first search, the first sort and the filter of a long list would wait for. Each part takes
 * many frames of a slow processor: none begins while the page is scrolled.
 */
function useWarmIndex(resource: Resource, index: ListIndex<PendingRow>): void {
  useEffect(() => {
    if (!('requestIdleCallback' in window) || index.rows.length < 1000) return undefined;
    const columns = resource.columns.filter((column) => column.kind === 'text').map((column) => column.field);
    const fields = new Set([...columns, ...resource.facts]);
    const work: (() => unknown)[] = [
      () => textsOf(index),
      () => facetGroups(resource, index.rows),
      ...Array.from(fields, (field) => () => orderBy(index, field)),
    ];
    let callOff = () => {};
    const next = () => {
      work.shift()?.();
      if (work.length > 0) callOff = whenStill(next, {});
    };
    callOff = whenStill(next, {});
    return () => callOff();
  }, [resource, index]);
}
