import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { listedRows } from '../../api/reads.ts';
import type { RecordId } from '../../domain/outbox/vocabulary.ts';
import { type AnyResource, isSingle, type Resource, type ResourceName } from '../../domain/resource.ts';
import type { Row } from './list-rules.ts';

type Order = readonly Pick<Row, 'recordId'>[];

/** The rows of each list as last shown: searched, filtered and sorted. Previous and Next follow this order. */
const orders = new Map<ResourceName, Order>();

const listeners = new Set<() => void>();

/** A record's position in its list, counted from 1, and its neighbours. */
export interface ListPlace {
  readonly place: number;
  readonly total: number;
  readonly previous?: RecordId;
  readonly next?: RecordId;
}

/** Remembers the order of a list. A record edited afterwards keeps its position until the list is shown again. */
export function rememberOrder({ name }: Resource, rows: Order): void {
  orders.set(name, rows);
  for (const listener of listeners) listener();
}

/**
 * A record's position in its list as last shown. Falls back to the whole list if the record was not in it, or if the list has
 * not been shown since the page loaded. Undefined if no list on this device contains the record.
 */
export function useListPlace(resource: AnyResource, id: RecordId): ListPlace | undefined {
  const order = useSyncExternalStore(follow, () => (isSingle(resource) ? undefined : orders.get(resource.name)));
  const found = useMemo(() => order && placeIn(order, id), [order, id]);
  const wanted = found === undefined && !isSingle(resource) ? resource : undefined;
  // early: links that appear after the form would move the buttons beside them
  useEffect(() => {
    if (wanted !== undefined) void rememberWhole(wanted, id);
  }, [wanted, id]);
  return found;
}

function follow(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

async function rememberWhole(resource: Resource, id: RecordId): Promise<void> {
  const rows = await listedRows(resource).catch((failure: unknown) =>
    console.warn('No neighbours can be told.', failure),
  );
  if (rows?.some(({ recordId }) => recordId === id)) rememberOrder(resource, rows);
}

function placeIn(order: Order, id: RecordId): ListPlace | undefined {
  const at = order.findIndex(({ recordId }) => recordId === id);
  if (at === -1) return undefined;
  const previous = order[at - 1]?.recordId;
  const next = order[at + 1]?.recordId;
  return {
    place: at + 1,
    total: order.length,
    ...(previous !== undefined && { previous }),
    ...(next !== undefined && { next }),
  };
}
