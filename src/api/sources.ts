import type { LookupName } from '../domain/fields.ts';
import {
  type AnyResource,
  firstRowsAddress,
  isSingle,
  type ListRow,
  recordAddress,
  type Resource,
  type ResourceName,
  type ServerRecord,
} from '../domain/resource.ts';
import { FIRST_ROWS } from '../domain/limits.ts';
import { allRows } from '../domain/protocol/all-rows.ts';
import { resourceOf } from '../domain/resources/index.ts';
import { siteMeta } from '../domain/resources/site-meta.ts';
import type { Freshness } from '../offline/cache/cache.ts';
import type { Taken } from '../offline/cache/feed.ts';
import { forgetWishes } from '../stores/catalogues.ts';
import { noteArrivals } from './pending-creates.ts';
import { type Copy, type EarlyValue, openCopy, type Source, type Stored } from './query-cache.ts';
import { type Device, device } from './device.ts';
import { takeEarly } from './early-answers.ts';
import { ApiFailure } from './failure.ts';
import { readOn, readOnWhole } from './feed.ts';
import { get, post } from './request.ts';

const LOOKUP_PATHS = {
  'generator-series': '/api/get-generators-series',
  'ups-types': '/api/get-all-ups-types',
  'gti-brands': '/api/get-gti-brands',
} as const satisfies Record<LookupName, string>;

// One copy per value for the life of the page: a second look at a screen starts from what the first one knew.
const copies = new Map<string, Copy<unknown>>();

function shared<T>(key: string, source: () => Source<T>): Copy<T> {
  const known = copies.get(key);
  if (known !== undefined) return known as Copy<T>;
  const { write, ...others } = source();
  const opened: Copy<T> = openCopy({
    ...others,
    // an answer that was asked for before a log-out is not kept after it
    write: async (stored) => {
      if (copies.get(key) === opened) await write(stored);
    },
  });
  copies.set(key, opened);
  return opened;
}

/** Removes what was read for an administrator from this device: lists, records, choices, pictures, catalogues. */
export async function forgetCopies(): Promise<void> {
  copies.clear();
  forgetWishes();
  await kept((cache) => cache.removeCopies());
}

/** The list of a kind of record. */
export function listCopy(resource: Resource): Copy<readonly ListRow[]> {
  return shared(`list/${resource.name}`, () => ({
    read: async () => storedAs(await kept((cache) => cache.readList(resource.name)), ({ rows }) => rows),
    early: () => earlyRows(resource),
    follow: (anew) => readOn(adoptTaken, anew),
    fetch: (etag) => fetchRows(resource, etag),
    write: ({ value: rows, fetchedAt, etag }) =>
      kept((cache) => cache.writeList(resource.name, { rows, ...freshness(fetchedAt, etag) })),
  }));
}

/** One record. */
export function recordCopy(resource: AnyResource, id: number): Copy<ServerRecord> {
  return shared(`record/${resource.name}/${id}`, () => ({
    read: () => storedRecord(resource, id),
    fetch: (etag) => fetchOne(recordAddress(resource, id), etag, (body) => ({ ...(body as ServerRecord), id })),
    write: ({ value: record, fetchedAt, etag }) =>
      kept((cache) => cache.writeRecord(resource.name, { record, ...freshness(fetchedAt, etag) })),
    forget: () => kept((cache) => cache.forgetRecord(resource.name, id)),
  }));
}

/** A list of choices; `parent` is the value that it depends on, empty where it depends on none. */
export function lookupCopy(lookup: LookupName, parent: string): Copy<readonly string[]> {
  return shared(`lookup/${lookup}/${parent}`, () => ({
    read: async () => storedAs(await kept((cache) => cache.readLookup(lookup, parent)), ({ options }) => options),
    follow: (anew) => readOnWhole(adoptTaken, anew),
    fetch: async (etag) => {
      if (parent === '') return fetchOne(LOOKUP_PATHS[lookup], etag, textsIn);
      return { value: textsIn((await post(LOOKUP_PATHS[lookup], { type: parent })).body) };
    },
    write: ({ value: options, fetchedAt, etag }) =>
      kept((cache) => cache.writeLookup(lookup, { options, ...freshness(fetchedAt, etag) }, parent)),
  }));
}

/** The whole records of a kind, for a server that gives them. `unchanged` for the tag that is given. Throws ApiFailure. */
export async function wholeRecords(resource: Resource, tag: string | undefined) {
  const answer = resource.paged
    ? await fetchPages(resource, true)
    : await fetchOne(`${resource.endpoints.list}?full=1`, tag, rowsIn);
  if (answer === 'unchanged') return answer;
  const { value, etag } = { etag: undefined, ...answer };
  return { records: value as readonly ServerRecord[], ...(etag !== undefined && { etag }) };
}

/** One record's copy, where one was ever looked at. */
export function openRecordCopy(resource: Resource, id: number): Copy<unknown> | undefined {
  return copies.get(`record/${resource.name}/${id}`);
}

/** Asks again for everything that a screen looks at. */
export function refreshWatched(): void {
  for (const copy of copies.values()) if (copy.watched()) void copy.refresh();
}

/** Reads on in the server's feed, where the lists follow one. Quiet: what it means for the connection is noted already. */
export async function bringUpToDate(): Promise<void> {
  try {
    await readOn(adoptTaken);
  } catch (failure) {
    if (!(failure instanceof ApiFailure)) throw failure;
  }
}

/** Brings the copies of this page in line with what the device has taken over. */
export async function adoptTaken(taken: Taken): Promise<void> {
  for (const name of taken.lists.keys()) await noteArrivals(resourceOf(name));
  for (const [key, copy] of copies) {
    if (key.startsWith('list/')) await adoptList(key.slice('list/'.length) as ResourceName, copy, taken);
    else if (isTouched(key, taken)) await renew(key, copy);
  }
  for (const work of takers) work(taken);
}

const takers = new Set<(taken: Taken) => void>();

/** Runs `work` each time something was taken over. */
export function onTaken(work: (taken: Taken) => void): void {
  takers.add(work);
}

/** A list that did not change is as fresh as the others. */
async function adoptList(name: ResourceName, copy: Copy<unknown>, { lists, fetchedAt }: Taken): Promise<void> {
  const changed = lists.get(name);
  if (changed !== undefined) return copy.adopt({ value: changed, fetchedAt });
  if (lists.has(name)) return copy.reload();
  const { value, fetchedAt: readAt } = copy.state();
  if (readAt !== undefined && readAt < fetchedAt) copy.adopt({ value, fetchedAt });
}

/** Nobody looks at it: the next look reads it from the device. A record that is open is asked for with all that is known of it. */
async function renew(key: string, copy: Copy<unknown>): Promise<void> {
  if (!copy.watched()) copies.delete(key);
  else if (key.startsWith('lookup/')) await copy.reload();
  else void copy.refreshAnew();
}

function isTouched(key: string, { ids, settings, lookups }: Taken): boolean {
  const [what, name, id] = key.split('/');
  if (what === 'lookup') return lookups;
  if (what !== 'record') return false;
  if (name === siteMeta.name) return settings;
  return ids === undefined || (ids.get(name as ResourceName)?.includes(Number(id)) ?? false);
}

/** A record whose create was not answered yet is in the list already, perhaps: that is found out before the list is shown. */
async function fetchRows(resource: Resource, etag: string | undefined) {
  const answer = resource.paged ? await fetchPages(resource) : await fetchOne(resource.endpoints.list, etag, rowsIn);
  await noteArrivals(resource);
  return answer;
}

async function fetchOne<T>(path: string, etag: string | undefined, read: (body: unknown) => T) {
  const answer = await get(path, etag);
  return answer.body === undefined ? ('unchanged' as const) : { value: read(answer.body), etag: answer.etag };
}

async function fetchPages(resource: Resource, whole = false) {
  return { value: await allRows(resource, async (path) => rowsIn((await get(whole ? `${path}&full=1` : path)).body)) };
}

/** A record that was opened before, of which more is known, or came with the whole list: whichever is newer. */
async function storedRecord(resource: AnyResource, id: number): Promise<Stored<ServerRecord> | undefined> {
  if (isSingle(resource))
    return storedAs(await kept((cache) => cache.readRecord(resource.name, id)), ({ record }) => record);
  const { name } = resource;
  const [own, whole] = await kept((cache) => Promise.all([cache.readRecord(name, id), cache.readWhole(name)]));
  const listed = whole?.records.find((record) => record.id === id);
  const isSame = own?.record['version'] !== undefined && own.record['version'] === listed?.['version'];
  const ownIsNewer = own !== undefined && (whole === undefined || own.fetchedAt >= whole.fetchedAt || isSame);
  if (ownIsNewer || whole === undefined || listed === undefined) return storedAs(own, ({ record }) => record);
  return { value: listed, fetchedAt: whole.fetchedAt };
}

/** So many rows as were asked for, or the first page: there may be more. Any other number is the whole list. */
async function earlyRows(resource: Resource): Promise<EarlyValue<readonly ListRow[]> | undefined> {
  const answer = await takeEarly(firstRowsAddress(resource));
  if (answer === undefined) return undefined;
  const rows = rowsIn(answer.body);
  return {
    value: rows,
    etag: answer.etag,
    fetchedAt: answer.askedAt,
    partial: resource.paged || rows.length === FIRST_ROWS,
  };
}

/** What the device has, once its databases can be asked. */
async function kept<T>(asked: (cache: Device['cache']) => Promise<T>): Promise<T> {
  return asked((await device()).cache);
}

function rowsIn(body: unknown): readonly ListRow[] {
  return Array.isArray(body) ? (body as ListRow[]) : [];
}

function textsIn(body: unknown): readonly string[] {
  return Array.isArray(body) ? body.filter((text) => typeof text === 'string') : [];
}

function freshness(fetchedAt: number, etag: string | undefined) {
  return { fetchedAt, ...(etag !== undefined && { etag }) };
}

function storedAs<S extends Freshness, T>(stored: S | undefined, value: (stored: S) => T) {
  return stored && { value: value(stored), fetchedAt: stored.fetchedAt, etag: stored.etag };
}
