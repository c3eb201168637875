import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { listedRows } from '../../api/reads.ts';
import type { RecordId } from '../../domain/outbox/vocabulary.ts';
import { type AnyResource, isSingle, type Resource, type ResourceName } from '../../domain/resource.ts';
import type { Row } from './list-rules.ts';

type Order = readonly Pick<Row, 'recordId'>[];

/** The rows of each list as they were last shown: searched, narrowed and sorted. Records are gone through in that order. */
const orders = new Map<ResourceName, Order>();

const listeners = new Set<() => void>();

/** A record's place in its list, from 1, and its neighbours there. */
export interface ListPlace {
  readonly place: number;
  readonly total: number;
  readonly previous?: RecordId;
  readonly next?: RecordId;
}

/** Keeps the order in which a list is shown. A record that is then changed keeps its place until the list is seen again. */
export function rememberOrder({ name }: Resource, rows: Order): void {
  orders.set(name, rows);
  for (const listener of listeners) listener();
}

/**
 * Where a record stands in its list as that was last shown; one that was not in it, or whose list was not seen since the page was
 * loaded, in the whole list. Undefined where this device has no list that holds it.
 */
export function useListPlace(resource: AnyResource, id: RecordId): ListPlace | undefined {
  const order = useSyncExternalStore(follow, () => (isSingle(resource) ? undefined : orders.get(resource.name)));
  const found = useMemo(() => order && placeIn(order, id), [order, id]);
  const wanted = found === undefined && !isSingle(resource) ? resource : undefined;
  // at once: a way that came after the form would move the buttons beside it
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
