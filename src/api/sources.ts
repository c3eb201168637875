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
import { isKnownKind, resourceOf } from '../domain/resources/index.ts';
import { siteMeta } from '../domain/resources/site-meta.ts';
import type { Freshness } from '../offline/cache/cache.ts';
import type { Taken } from '../offline/cache/feed.ts';
import { forgetWishes } from '../stores/catalogues.ts';
import { isCurrent, useSession } from '../stores/session.ts';
import { noteArrivals } from './pending-creates.ts';
import { type Copy, type EarlyValue, openCopy, type Source, type Stored } from './query-cache.ts';
import { type Device, device } from './device.ts';
import { takeEarly } from './early-answers.ts';
import { ApiFailure } from './failure.ts';
import { readOn, readOnWhole } from './feed.ts';
import { get, post } from './request.ts';
import { t } from '../language/t.ts';

const LOOKUP_PATHS = {
  'generator-series': '/api/get-generators-series',
  'ups-types': '/api/get-all-ups-types',
  'gti-brands': '/api/get-gti-brands',
} as const satisfies Record<LookupName, string>;

// One copy per value for the life of the page, so that a screen reopens with its previous data.
const copies = new Map<string, Copy<unknown>>();

function shared<T>(key: string, source: () => Source<T>): Copy<T> {
  const known = copies.get(key);
  if (known !== undefined) return known as Copy<T>;
  const owner = owners;
  // an answer to a request from before a log-out is neither shown nor stored after it
  const isLeft = () => owner !== owners || !isCurrent(useSession.getState().token);
  const { write, ...others } = source();
  const opened: Copy<T> = openCopy({
    ...others,
    isLeft,
    write: async (stored) => {
      if (copies.get(key) === opened && !isLeft()) await write(stored);
    },
  });
  copies.set(key, opened);
  return opened;
}

/** Counts the users whose copies this page has held. */
let owners = 0;

function dropCopies(): void {
  owners += 1;
  copies.clear();
}

// another tab may have logged out, or signed in someone else
useSession.subscribe(({ user, left }, before) => {
  if (before.user !== undefined && (user?.id !== before.user.id || left)) dropCopies();
});

/** Removes all data read for an administrator from this device: lists, records, lookups, pictures, catalogues. */
export async function forgetCopies(): Promise<void> {
  dropCopies();
  forgetWishes();
  await kept((cache) => cache.removeCopies());
}

/** The list of a resource. */
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

/** A record. */
export function recordCopy(resource: AnyResource, id: number): Copy<ServerRecord> {
  return shared(`record/${resource.name}/${id}`, () => ({
    read: () => storedRecord(resource, id),
    fetch: (etag) => fetchOne(recordAddress(resource, id), etag, (body) => ({ ...recordIn(resource, body), id })),
    write: ({ value: record, fetchedAt, etag }) =>
      kept((cache) => cache.writeRecord(resource.name, { record, ...freshness(fetchedAt, etag) })),
    forget: () => kept((cache) => cache.forgetRecord(resource.name, id)),
  }));
}

/** A lookup list. `parent` is the value it depends on, or empty. */
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

/** The full records of a resource, if the server has them. Returns `unchanged` if the tag matches. Throws ApiFailure. */
export async function wholeRecords(resource: Resource, tag: string | undefined) {
  const answer = resource.paged
    ? await fetchPages(resource, true)
    : await fetchOne(`${resource.endpoints.list}?full=1`, tag, rowsIn);
  if (answer === 'unchanged') return answer;
  const { value, etag } = { etag: undefined, ...answer };
  return { records: value as readonly ServerRecord[], ...(etag !== undefined && { etag }) };
}

/** The copy of a record, if it was ever opened. */
export function openRecordCopy(resource: Resource, id: number): Copy<unknown> | undefined {
  return copies.get(`record/${resource.name}/${id}`);
}

/** Refreshes everything on screen. */
export function refreshWatched(): void {
  for (const copy of copies.values()) if (copy.watched()) void copy.refresh();
}

/** Reads the server's feed, if the lists follow one. Ignores failures, because the connection store already knows. */
export async function bringUpToDate(): Promise<void> {
  try {
    await readOn(adoptTaken);
  } catch (failure) {
    if (!(failure instanceof ApiFailure)) throw failure;
  }
}

/** Updates the copies of this page with data applied to the device. */
export async function adoptTaken(taken: Taken): Promise<void> {
  // another tab may have a newer version
  for (const name of taken.lists.keys()) if (isKnownKind(name)) await noteArrivals(resourceOf(name));
  for (const [key, copy] of copies) {
    if (key.startsWith('list/')) await adoptList(key.slice('list/'.length) as ResourceName, copy, taken);
    else if (isTouched(key, taken)) await renew(key, copy);
  }
  for (const work of takers) work(taken);
}

const takers = new Set<(taken: Taken) => void>();

/** Runs `work` each time data has been applied. */
export function onTaken(work: (taken: Taken) => void): void {
  takers.add(work);
}

/** Updates a list. An unchanged list is as fresh as the others. */
async function adoptList(name: ResourceName, copy: Copy<unknown>, { lists, fetchedAt }: Taken): Promise<void> {
  const changed = lists.get(name);
  if (changed !== undefined) return copy.adopt({ value: changed, fetchedAt });
  if (lists.has(name)) return copy.reload();
  const { value, fetchedAt: readAt } = copy.state();
  if (readAt !== undefined && readAt < fetchedAt) copy.adopt({ value, fetchedAt });
}

/** Renews a copy. One not on screen is dropped and read from the device next time. An open record is fetched in full. */
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

/** Fetches a list. It may already contain records of unanswered creates, so these are looked up before it is shown. */
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

/** A stored record: its own copy, which is more detailed, or the one of the full list, whichever is newer. */
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

/** The early rows. A full count of the requested rows, or a first page, may be partial. Fewer rows are the whole list. */
async function earlyRows(resource: Resource): Promise<EarlyValue<readonly ListRow[]> | undefined> {
  const answer = await takeEarly(firstRowsAddress(resource));
  if (answer === undefined) return undefined;
  const rows = answer.body;
  if (!Array.isArray(rows)) return undefined;
  return {
    value: rows as ListRow[],
    etag: answer.etag,
    fetchedAt: answer.askedAt,
    partial: resource.paged || rows.length === FIRST_ROWS,
  };
}

/** Runs a query on the device's cache, once its code has loaded. */
async function kept<T>(asked: (cache: Device['cache']) => Promise<T>): Promise<T> {
  return asked((await device()).cache);
}

function rowsIn(body: unknown): readonly ListRow[] {
  return listIn(body) as ListRow[];
}

function textsIn(body: unknown): readonly string[] {
  return listIn(body).filter((text) => typeof text === 'string');
}

/** An answer that is no list says nothing: it must not pass for an empty one. */
function listIn(body: unknown): unknown[] {
  if (Array.isArray(body)) return body;
  throw unreadable();
}

/** An answer without any field of the record must not pass for an empty one. */
function recordIn({ fields }: AnyResource, body: unknown): object {
  const isRecord = typeof body === 'object' && body !== null && fields.some(({ name }) => name in body);
  if (isRecord) return body;
  throw unreadable();
}

function unreadable(): ApiFailure {
  return new ApiFailure('refused', t('The server’s answer couldn’t be read.'));
}

function freshness(fetchedAt: number, etag: string | undefined) {
  return { fetchedAt, ...(etag !== undefined && { etag }) };
}

function storedAs<S extends Freshness, T>(stored: S | undefined, value: (stored: S) => T) {
  return stored && { value: value(stored), fetchedAt: stored.fetchedAt, etag: stored.etag };
}
