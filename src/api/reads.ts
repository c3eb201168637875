import { useMemo, useSyncExternalStore } from 'react';
import type { LookupName } from '../domain/fields.ts';
import {
  type Identities,
  identityKey,
  overlayRecord,
  overlayRows,
  type PendingRow,
  type RecordView,
} from '../domain/outbox/optimistic-view.ts';
import { isLocalId, type OutboxEntry, type RecordId } from '../domain/outbox/vocabulary.ts';
import type { AnyResource, ListRow, Resource, ServerRecord } from '../domain/resource.ts';
import { liveArrivals } from './pending-creates.ts';
import type { Copy, CopyState } from './query-cache.ts';
import { useLive } from '../stores/live-value.ts';
import { liveIdentities, useIdentities } from './live.ts';
import { liveOverlay, notIn } from './confirmed-overlay.ts';
import { listCopy, lookupCopy, recordCopy } from './sources.ts';

/** How fresh a value is and how its last refresh went. `failure` is for people. */
export interface Reading {
  /** Epoch milliseconds. */
  readonly fetchedAt?: number;
  readonly refreshing: boolean;
  readonly failure?: string;
  refresh(): void;
}

export interface ListReading extends Reading {
  /** Undefined until the device's copy has been read, or where there is none yet. */
  readonly rows: readonly PendingRow[] | undefined;
  /** Only the first rows have come yet: nothing that concerns them all can be told or done. */
  readonly partial: boolean;
}

export interface RecordReading extends Reading {
  /** The server's record as last seen. */
  readonly record?: ServerRecord;
  /** The record with what waits laid over it. */
  readonly view?: RecordView;
  /** Neither the server nor this device knows such a record. */
  readonly missing: boolean;
  /** The server's id, once a record made on this device has one. */
  readonly serverId?: number;
  /** The id that a record of the server was made under on this device. */
  readonly localId?: RecordId;
}

const NO_ENTRIES: readonly OutboxEntry[] = [];
const NO_IDENTITIES: Identities = new Map();

/** A list as this device knows it: the copy at once, refreshed behind it, with what waits laid over it. */
export function useList(resource: Resource): ListReading {
  const copy = listCopy(resource);
  const { value, ...state } = useCopy(copy);
  const entries = useOverlay(state.fetchedAt) ?? NO_ENTRIES;
  const known = useKnown();
  const rows = useMemo(
    () => (value === undefined ? undefined : overlayRows(resource, value, entries, known)),
    [resource, value, entries, known],
  );
  const partial = state.partial ?? false;
  return { ...readingOf(copy, state), rows: rows ?? createdHere(resource, entries, known), partial };
}

/** The rows of a list as this device knows them at this moment: the server is not asked. Undefined where it has no whole copy. */
export async function listedRows(resource: Resource): Promise<readonly PendingRow[] | undefined> {
  const copy = listCopy(resource);
  await copy.load();
  const { value, fetchedAt, partial } = copy.state();
  if (value === undefined || partial === true) return undefined;
  const known = withArrivals(liveIdentities.value() ?? NO_IDENTITIES, liveArrivals.value() ?? NO_IDENTITIES);
  return overlayRows(resource, value, notIn(liveOverlay.value() ?? [], fetchedAt), known);
}

/** A record's row in the device's copy of its list, without what waits. Undefined where it is not there. */
export function useListedRow(resource: Resource, id: number): ListRow | undefined {
  const { value } = useCopy(listCopy(resource));
  return useMemo(() => value?.find((row) => row.id === id), [value, id]);
}

/** One record as this device knows it, under a server's id or a local one. */
export function useRecord(resource: AnyResource, recordId: RecordId): RecordReading {
  const known = useIdentities();
  const serverId = isLocalId(recordId) ? known?.get(identityKey(resource.name, recordId)) : Number(recordId);
  const copy = serverId === undefined ? NOTHING : recordCopy(resource, serverId);
  const localId = useMemo(() => known && madeUnder(resource, recordId, known), [resource, recordId, known]);
  const { value, missing, ...state } = useCopy(copy);
  // one that was never read and cannot be read now is all that was ever sent of it
  const entries = useOverlay(state.failure === undefined ? state.fetchedAt : (state.fetchedAt ?? 0));
  const view = useMemo(
    () => overlayRecord(resource, value, { entries: entries ?? NO_ENTRIES, identities: known }, recordId),
    [resource, value, entries, recordId, known],
  );
  const isKnown = view.known;
  const asked = entries !== undefined && known !== undefined;
  return {
    ...readingOf(copy, state),
    ...(value && { record: value }),
    ...(asked && isKnown && { view }),
    ...(serverId !== undefined && { serverId }),
    ...(localId !== undefined && { localId }),
    missing: asked && !isKnown && (missing || view.deleted || serverId === undefined),
  };
}

/** A list of choices that the server supplies; `parent` is the value that it depends on. */
export function useLookup(lookup: LookupName, parent = ''): Reading & { readonly options?: readonly string[] } {
  const copy = lookup === 'gti-brands' && parent === '' ? NOTHING_TO_CHOOSE : lookupCopy(lookup, parent);
  const { value, ...state } = useCopy(copy);
  return { ...readingOf(copy, state), ...(value && { options: value }) };
}

/**
 * What is laid over a copy that was asked for at `fetchedAt`. Undefined until the outbox has been read. Nothing is always the same
 * nothing: a copy that was found to be fresh keeps its rows, however many there are.
 */
function useOverlay(fetchedAt: number | undefined): readonly OutboxEntry[] | undefined {
  const overlay = useLive(liveOverlay);
  return useMemo(() => {
    const laid = overlay && notIn(overlay, fetchedAt);
    return laid?.length === 0 ? NO_ENTRIES : laid;
  }, [overlay, fetchedAt]);
}

function madeUnder(
  { name }: AnyResource,
  serverId: RecordId,
  known: ReadonlyMap<string, number>,
): RecordId | undefined {
  const kind = identityKey(name, '');
  const found = [...known].find(([key, id]) => key.startsWith(kind) && String(id) === serverId);
  return found?.[0].slice(kind.length);
}

/** The server's ids of what was made here, also of what has arrived without its answer. */
function useKnown(): Identities {
  const confirmed = useIdentities() ?? NO_IDENTITIES;
  const arrived = useLive(liveArrivals) ?? NO_IDENTITIES;
  return useMemo(() => withArrivals(confirmed, arrived), [arrived, confirmed]);
}

function withArrivals(confirmed: Identities, arrived: Identities): Identities {
  if (arrived.size === 0) return confirmed.size === 0 ? NO_IDENTITIES : confirmed;
  return new Map([...arrived, ...confirmed]);
}

function useCopy<T>(copy: Copy<T>): CopyState<T> {
  return useSyncExternalStore(copy.subscribe, copy.state);
}

function readingOf(
  copy: Copy<unknown>,
  { fetchedAt, refreshing, failure }: Omit<CopyState<unknown>, 'value' | 'missing'>,
) {
  return {
    refreshing,
    refresh: () => void copy.refresh(),
    ...(fetchedAt !== undefined && { fetchedAt }),
    ...(failure !== undefined && { failure }),
  };
}

/** Where the server's list was never seen, what was made here is still there to be shown. */
function createdHere(resource: Resource, entries: readonly OutboxEntry[], known: ReadonlyMap<string, number>) {
  const rows = overlayRows(resource, [], entries, known);
  return rows.length > 0 ? rows : undefined;
}

/** A copy of nothing: what a record has that the server has not confirmed. */
function nothing<T>(): Copy<T> {
  const state: CopyState<T> = { refreshing: false, missing: false };
  return {
    state: () => state,
    load: async () => {},
    subscribe: () => () => {},
    refresh: async () => {},
    refreshAnew: async () => {},
    watched: () => false,
    adopt: () => {},
    reload: async () => {},
  };
}

const NOTHING = nothing<ServerRecord>();
const NOTHING_TO_CHOOSE = nothing<readonly string[]>();
