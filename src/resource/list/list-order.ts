import type { RecordId } from '../../domain/outbox/vocabulary.ts';
import type { Resource, ResourceName } from '../../domain/resource.ts';
import type { Row } from './list-rules.ts';

/** The rows of each list as they were last shown: searched, narrowed and sorted. Records are gone through in that order. */
const orders = new Map<ResourceName, readonly Row[]>();

/** A record's place in its list, from 1, and its neighbours there. */
export interface ListPlace {
  readonly place: number;
  readonly total: number;
  readonly previous?: RecordId;
  readonly next?: RecordId;
}

/** Keeps the order in which a list is shown. A record that is then changed keeps its place until the list is seen again. */
export function rememberOrder({ name }: Resource, rows: readonly Row[]): void {
  orders.set(name, rows);
}

/** Where a record stands in its list as that was last shown. Undefined where it was not in it. */
export function placeOf({ name }: Resource, id: RecordId): ListPlace | undefined {
  const rows = orders.get(name) ?? [];
  const at = rows.findIndex(({ recordId }) => recordId === id);
  if (at === -1) return undefined;
  const previous = rows[at - 1]?.recordId;
  const next = rows[at + 1]?.recordId;
  return {
    place: at + 1,
    total: rows.length,
    ...(previous !== undefined && { previous }),
    ...(next !== undefined && { next }),
  };
}
