import type { LookupName } from '../../domain/fields.ts';
import type { AnyResource, ListRow, ResourceName, ServerRecord } from '../../domain/resource.ts';
import { siteMeta } from '../../domain/resources/site-meta.ts';
import type { Values } from '../../domain/validate.ts';
import { browserEnvironment } from '../storage/browser-environment.ts';
import { type CachedValue, type CacheDatabase, clearCache, FEED_KEY } from '../storage/cache-database.ts';
import { CATALOGUE_CACHE, IMAGE_CACHE, removeFileCache } from '../storage/file-caches.ts';
import { transact } from '../storage/transactions.ts';

/** When the server was asked for a value (epoch milliseconds), and the tag to ask again with. */
export interface Freshness {
  readonly fetchedAt: number;
  readonly etag?: string;
}

export interface CachedList extends Freshness {
  readonly rows: readonly ListRow[];
}
export interface CachedRecord extends Freshness {
  readonly record: ServerRecord;
}
export interface CachedWhole extends Freshness {
  readonly records: readonly ServerRecord[];
}
export interface CachedLookup extends Freshness {
  readonly options: readonly string[];
}
/** The list as last read. One value for the whole list: a thousand rows are one read. */
export async function readList(resource: ResourceName, cache = deviceCache()): Promise<CachedList | undefined> {
  return readFollowed<CachedList>(cache, `list/${resource}`);
}

/** Keeps a list, unless the lists follow the server's feed: an answer to another question may be older than what they have. */
export async function writeList(resource: ResourceName, list: CachedList, cache = deviceCache()): Promise<void> {
  await writeUnfollowed(cache, `list/${resource}`, list);
}

/** The record as last read. */
export async function readRecord(
  resource: AnyResource['name'],
  id: number | string,
  cache = deviceCache(),
): Promise<CachedRecord | undefined> {
  const found = await read<CachedRecord>(cache, `record/${resource}/${id}`);
  return found ?? (resource === siteMeta.name ? readOldSiteMeta(cache) : undefined);
}

/** The site-wide settings as they were kept before they became a record. */
async function readOldSiteMeta(cache: CacheDatabase): Promise<CachedRecord | undefined> {
  const old = await read<Freshness & { readonly values: Values; readonly version?: string }>(cache, 'site-meta');
  if (old === undefined) return undefined;
  const { values, version, ...freshness } = old;
  return { ...freshness, record: { id: siteMeta.only, ...values, ...(version !== undefined && { version }) } };
}

/** Keeps a record under its own id. */
export async function writeRecord(
  resource: AnyResource['name'],
  record: CachedRecord,
  cache = deviceCache(),
): Promise<void> {
  await write(cache, `record/${resource}/${record.record.id}`, record);
}

/** The whole records of a list as last read. One value for all of them: ten thousand are written as fast as one. */
export async function readWhole(resource: ResourceName, cache = deviceCache()): Promise<CachedWhole | undefined> {
  return readFollowed<CachedWhole>(cache, `whole/${resource}`);
}

/** Keeps the whole records of a list. */
export async function writeWhole(resource: ResourceName, whole: CachedWhole, cache = deviceCache()): Promise<void> {
  await writeUnfollowed(cache, `whole/${resource}`, whole);
}

/** Forgets a record that the server no longer has. */
export async function forgetRecord(
  resource: AnyResource['name'],
  id: number | string,
  cache = deviceCache(),
): Promise<void> {
  await transact(cache, 'rw', [cache.values], () => cache.values.delete(`record/${resource}/${id}`));
}

/** A list of choices as last read; `parent` is the value it depends on. */
export async function readLookup(
  lookup: LookupName,
  parent = '',
  cache = deviceCache(),
): Promise<CachedLookup | undefined> {
  return readFollowed<CachedLookup>(cache, `lookup/${lookup}/${parent}`);
}

/** Keeps a list of choices. */
export async function writeLookup(
  lookup: LookupName,
  options: CachedLookup,
  parent = '',
  cache = deviceCache(),
): Promise<void> {
  await writeUnfollowed(cache, `lookup/${lookup}/${parent}`, options);
}

/** Removes all that was read from the server: lists, records, choices, pictures, catalogues. At a log-out, and where another one signs in. */
export async function removeCopies(cache = deviceCache()): Promise<void> {
  const files = 'caches' in globalThis ? [IMAGE_CACHE, CATALOGUE_CACHE].map(removeFileCache) : [];
  await Promise.all([clearCache(cache), ...files]);
}

function deviceCache(): CacheDatabase {
  return browserEnvironment().cache;
}

async function read<T extends Freshness>(cache: CacheDatabase, key: string): Promise<T | undefined> {
  const found = await transact(cache, 'r', [cache.values], () => cache.values.get(key));
  return found?.value as T | undefined;
}

/** A value that follows the server's feed is as fresh as the last page of it. */
async function readFollowed<T extends Freshness>(cache: CacheDatabase, key: string): Promise<T | undefined> {
  const [found, feed] = await transact(cache, 'r', [cache.values], () => cache.values.bulkGet([key, FEED_KEY]));
  if (found === undefined) return undefined;
  const value = found.value as T;
  return isFollowed(key, feed) ? { ...value, fetchedAt: Math.max(value.fetchedAt, feed.fetchedAt) } : value;
}

async function writeUnfollowed(cache: CacheDatabase, key: string, value: Freshness): Promise<void> {
  await whereRoom(() =>
    transact(cache, 'rw', [cache.values], async () => {
      if (!isFollowed(key, await cache.values.get(FEED_KEY)))
        await cache.values.put({ key, value, fetchedAt: value.fetchedAt });
    }),
  );
}

/** The feed of a gateway tells of the lists alone. */
function isFollowed(key: string, feed: CachedValue | undefined): feed is CachedValue {
  const { complete, rowsOnly } = (feed?.value ?? {}) as { readonly complete?: boolean; readonly rowsOnly?: true };
  return complete === true && (rowsOnly !== true || key.startsWith('list/'));
}

async function write(cache: CacheDatabase, key: string, value: Freshness): Promise<void> {
  await whereRoom(() =>
    transact(cache, 'rw', [cache.values], () => cache.values.put({ key, value, fetchedAt: value.fetchedAt })),
  );
}

/** Room is the outbox's first: what the cache cannot take is simply not kept. */
async function whereRoom(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (failure) {
    if (!(failure instanceof Error) || !/Quota|Abort|Stalled/.test(failure.name)) throw failure;
  }
}
