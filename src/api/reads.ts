import { useMemo, useSyncExternalStore } from 'react';
import type { LookupName } from '../domain/fields.ts';
import { baseOfView } from '../domain/outbox/base.ts';
import {
  type Identities,
  identityKey,
  overlayRecord,
  overlayRows,
  type PendingRow,
  type RecordView,
} from '../domain/outbox/optimistic-view.ts';
import { confirmedKey } from '../domain/outbox/conflict.ts';
import {
  type Base,
  type FileReference,
  filesOf,
  isLocalId,
  type OutboxEntry,
  type RecordId,
} from '../domain/outbox/vocabulary.ts';
import type { AnyResource, ListRow, Resource, ServerRecord } from '../domain/resource.ts';
import { liveArrivals } from './pending-creates.ts';
import { pause } from './pause.ts';
import type { Copy, CopyState } from './query-cache.ts';
import { useLive } from '../stores/live-value.ts';
import { useSession } from '../stores/session.ts';
import { device } from './device.ts';
import { liveIdentities, useIdentities } from './live.ts';
import { liveOverlay, notIn } from './confirmed-overlay.ts';
import { listCopy, lookupCopy, recordCopy } from './sources.ts';

/** The freshness of a value and the result of its last refresh. `failure` is a message for the user. */
export interface Reading {
  /** Epoch milliseconds. */
  readonly fetchedAt?: number;
  readonly refreshing: boolean;
  readonly failure?: string;
  refresh(): void;
}

export interface ListReading extends Reading {
  /** Undefined until the device's copy has been read, or if there is none yet. */
  readonly rows: readonly PendingRow[] | undefined;
  /** Only the first rows have arrived, so nothing that concerns all rows is available. */
  readonly partial: boolean;
}

export interface RecordReading extends Reading {
  /** The server's record, as last seen. */
  readonly record?: ServerRecord;
  /** The record with pending changes applied. */
  readonly view?: RecordView;
  /** Neither the server nor this device has such a record. */
  readonly missing: boolean;
  /** The server id, once a record created on this device has one. */
  readonly serverId?: number;
  /** The local id of a server record that was created on this device. */
  readonly localId?: RecordId;
}

const NO_ENTRIES: readonly OutboxEntry[] = [];
const NO_IDENTITIES: Identities = new Map();

/** A list as this device knows it: shows the copy at once, revalidates it, and applies pending changes. */
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

/** The current rows of a list on this device, without a request. Undefined if the device has no complete copy. */
export async function listedRows(resource: Resource): Promise<readonly PendingRow[] | undefined> {
  const copy = listCopy(resource);
  await copy.load();
  const { value, partial } = copy.state();
  return value === undefined || partial === true ? undefined : knownRows(resource);
}

/** All rows of a list that this device knows, without a request: a search also finds records that were only created here. */
export async function knownRows(resource: Resource): Promise<readonly PendingRow[]> {
  const copy = listCopy(resource);
  await copy.load();
  const { value = [], fetchedAt } = copy.state();
  const known = withArrivals(liveIdentities.value() ?? NO_IDENTITIES, liveArrivals.value() ?? NO_IDENTITIES);
  return overlayRows(resource, value, notIn(liveOverlay.value() ?? [], fetchedAt), known);
}

/** What the user has seen of a record, and the files that they have sent for it. */
export interface SeenRecord {
  /** Undefined if this device has no copy and none can be read now. */
  readonly record: Base | undefined;
  readonly sent: readonly FileReference[];
}

/** This user’s confirmed changes, as the outbox has them at this moment: one may be confirmed before any screen knows. */
export async function ownConfirmed(): Promise<readonly OutboxEntry[]> {
  const { confirmedChanges } = await device();
  const user = String(useSession.getState().user?.id);
  return (await confirmedChanges()).filter(({ administrator }) => administrator === user);
}

/**
 * What the user has seen of a record: this device's copy, with their `confirmed` changes. Without a copy the record is read, for
 * at most `patience` milliseconds.
 */
export async function seenRecord(
  resource: Resource,
  recordId: RecordId,
  { confirmed, patience }: { readonly confirmed: readonly OutboxEntry[]; readonly patience: number },
): Promise<SeenRecord> {
  const copy = recordCopy(resource, Number(recordId));
  await copy.load();
  if (copy.state().value === undefined) await Promise.race([copy.refresh(), pause(patience)]);
  const own = confirmed.filter((entry) => confirmedKey(entry) === identityKey(resource.name, recordId));
  const { value, fetchedAt } = copy.state();
  // also those dated ahead of a clock that was set back: the user knows what they have saved
  const since = own.filter(({ receipt }) => (receipt?.at ?? 0) > (fetchedAt ?? 0));
  const others = notIn(liveOverlay.value() ?? [], fetchedAt).filter(({ id }) => !own.some((one) => one.id === id));
  const entries = [...others, ...since].toSorted((one, other) => one.sequence - other.sequence);
  const view = value && overlayRecord(resource, value, { entries, identities: liveIdentities.value() }, recordId);
  return { record: view && baseOfView(view), sent: own.flatMap(filesOf) };
}

/** A record's row in the device's copy of its list, without pending changes. Undefined if it is not there. */
export function useListedRow(resource: Resource, id: number): ListRow | undefined {
  const { value } = useCopy(listCopy(resource));
  return useMemo(() => value?.find((row) => row.id === id), [value, id]);
}

/** A record as this device knows it, by server id or local id. */
export function useRecord(resource: AnyResource, recordId: RecordId): RecordReading {
  const known = useIdentities();
  const serverId = isLocalId(recordId) ? known?.get(identityKey(resource.name, recordId)) : Number(recordId);
  const copy = serverId === undefined ? NOTHING : recordCopy(resource, serverId);
  const localId = useMemo(() => known && madeUnder(resource, recordId, known), [resource, recordId, known]);
  const { value, missing, ...state } = useCopy(copy);
  // if the record was never read and cannot be read now, show everything ever sent of it
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

/** A lookup list from the server. `parent` is the value it depends on. */
export function useLookup(lookup: LookupName, parent = ''): Reading & { readonly options?: readonly string[] } {
  const copy = lookup === 'gti-brands' && parent === '' ? NOTHING_TO_CHOOSE : lookupCopy(lookup, parent);
  const { value, ...state } = useCopy(copy);
  return { ...readingOf(copy, state), ...(value && { options: value }) };
}

/**
 * The changes to apply to a copy requested at `fetchedAt`. Undefined until the outbox has been read. Always returns the same
 * empty array, so that a revalidated copy keeps its rows, however many there are.
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

/** The server ids of records created here, including creates that arrived without their answer. */
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

/** Shows records created here if the server's list was never loaded. */
function createdHere(resource: Resource, entries: readonly OutboxEntry[], known: ReadonlyMap<string, number>) {
  const rows = overlayRows(resource, [], entries, known);
  return rows.length > 0 ? rows : undefined;
}

/** An empty copy, for a record the server has not confirmed. */
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
