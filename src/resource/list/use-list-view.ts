import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { PendingRow } from '../../domain/outbox/optimistic-view.ts';
import type { Resource } from '../../domain/resource.ts';
import { type Chosen, facetGroups } from './facets.ts';
import { indexRows, type ListIndex, type Look, orderBy, type Sort, textsOf, visibleRows } from './list-rules.ts';
import { addressOf, lookIn } from './view-address.ts';
import { useAdministrator } from '../use-administrator.ts';
import { whenStill } from '../../ui/when-still.ts';

export interface ListView extends Look {
  readonly shown: readonly PendingRow[];
  /** The only match of what is typed now, which `shown` follows later. */
  readonly onlyMatch: () => PendingRow | undefined;
  readonly setQuery: (query: string) => void;
  readonly setSort: (sort: Sort | undefined) => void;
  readonly setChosen: (chosen: Chosen) => void;
  /** Removes search and filters and keeps the order. */
  readonly clear: () => void;
}

const PLAIN: Look = { query: '', chosen: {}, sort: undefined };

/** The last view of each administrator's lists. Returning from a record restores it. */
const lastLook = new Map<string, Look>();

/** Search, filters and sort order of a list, mirrored in its address. Rows update with low priority, so typing stays fluid. */
export function useListView(resource: Resource, rows: readonly PendingRow[]): ListView {
  const { search, key } = useLocation();
  const list = `${useAdministrator()} ${resource.name}`;
  const [asked, setAsked] = useState(key);
  const [look, setLook] = useState<Look>(() => lookIn(resource, search) ?? lastLook.get(list) ?? PLAIN);
  // A link may carry another view. One without a view keeps the current view, as a new object, so that the address is updated.
  if (asked !== key) {
    setAsked(key);
    setLook(lookIn(resource, search) ?? { ...look });
  }
  const index = useMemo(() => indexRows(resource, rows), [resource, rows]);
  const deferred = useDeferredValue(look);
  const shown = useMemo(() => visibleRows(index, deferred), [index, deferred]);
  useWarmIndex(resource, index);
  useAddress(look);
  useEffect(() => void lastLook.set(list, look), [list, look]);
  const change = (part: Partial<Look>) => setLook({ ...look, ...part });
  return {
    shown,
    onlyMatch: () => {
      const found = visibleRows(index, look);
      return found.length === 1 ? found[0] : undefined;
    },
    ...look,
    setQuery: (query) => change({ query }),
    setSort: (sort) => change({ sort }),
    setChosen: (chosen) => change({ chosen }),
    clear: () => change({ query: '', chosen: {} }),
  };
}

/** Debounce of the address: browsers limit how often it may change. Milliseconds. */
const PAUSE = 250;

/** Keeps the address in sync without a navigation: nothing renders, and Back stays one step. */
function useAddress(look: Look): void {
  useEffect(() => {
    const address = addressOf(look);
    const { pathname } = window.location;
    const write = () => {
      if (window.location.pathname === pathname && window.location.search !== address)
        window.history.replaceState(window.history.state, '', pathname + address);
    };
    const timer = setTimeout(write, PAUSE);
    return () => clearTimeout(timer);
  }, [look]);
}

/**
 * Precomputes the indexes of a long list while the page is idle. Each part takes many frames on a slow processor, so none starts
 * while the page is being scrolled.
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
