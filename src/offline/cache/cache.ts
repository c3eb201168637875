import type { LookupName } from '../../domain/fields.ts';
import type { AnyResource, ListRow, ResourceName, ServerRecord } from '../../domain/resource.ts';
import { FINGERPRINT } from '../../domain/fingerprint.ts';
import { siteMeta } from '../../domain/resources/site-meta.ts';
import type { Values } from '../../domain/validate.ts';
import { browserEnvironment } from '../storage/browser-environment.ts';
import { type CachedValue, type CacheDatabase, clearCache, FEED_KEY } from '../storage/cache-database.ts';
import { CATALOGUE_CACHE, IMAGE_CACHE, removeFileCache } from '../storage/file-caches.ts';
import { transact } from '../storage/transactions.ts';

/** When a value was requested (epoch milliseconds), and the tag for its revalidation. */
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
/** Reads a cached list. The list is a single value, so that a thousand rows are one read. */
export async function readList(resource: ResourceName, cache = deviceCache()): Promise<CachedList | undefined> {
  return readFollowed<CachedList>(cache, `list/${resource}`);
}

/** Caches a list, unless the lists follow the server's feed. The response of another request may be older than the feed. */
export async function writeList(resource: ResourceName, list: CachedList, cache = deviceCache()): Promise<void> {
  await writeUnfollowed(cache, `list/${resource}`, list);
}

/** Reads a cached record. */
export async function readRecord(
  resource: AnyResource['name'],
  id: number | string,
  cache = deviceCache(),
): Promise<CachedRecord | undefined> {
  const found = await read<CachedRecord>(cache, `record/${resource}/${id}`);
  return found ?? (resource === siteMeta.name ? readOldSiteMeta(cache) : undefined);
}

/** Reads the site-wide settings in the format from before they became a record. */
async function readOldSiteMeta(cache: CacheDatabase): Promise<CachedRecord | undefined> {
  const found = await transact(cache, 'r', [cache.values], () => cache.values.get('site-meta'));
  if (found === undefined) return undefined;
  const old = found.value as Freshness & { readonly values: Values; readonly version?: string };
  const { values, version, ...freshness } = old;
  return { ...freshness, record: { id: siteMeta.only, ...values, ...(version !== undefined && { version }) } };
}

/** Caches a record under its id. */
export async function writeRecord(
  resource: AnyResource['name'],
  record: CachedRecord,
  cache = deviceCache(),
): Promise<void> {
  await write(cache, `record/${resource}/${record.record.id}`, record);
}

/** Reads the cached whole records of a list. They are a single value, so that ten thousand are written as fast as one. */
export async function readWhole(resource: ResourceName, cache = deviceCache()): Promise<CachedWhole | undefined> {
  return readFollowed<CachedWhole>(cache, `whole/${resource}`);
}

/** Caches the whole records of a list, unless they follow the server's feed. */
export async function writeWhole(resource: ResourceName, whole: CachedWhole, cache = deviceCache()): Promise<void> {
  await writeUnfollowed(cache, `whole/${resource}`, whole);
}

/** Evicts a record that the server no longer has. */
export async function forgetRecord(
  resource: AnyResource['name'],
  id: number | string,
  cache = deviceCache(),
): Promise<void> {
  await transact(cache, 'rw', [cache.values], () => cache.values.delete(`record/${resource}/${id}`));
}

/** Reads a cached lookup list. `parent` is the value it depends on. */
export async function readLookup(
  lookup: LookupName,
  parent = '',
  cache = deviceCache(),
): Promise<CachedLookup | undefined> {
  return readFollowed<CachedLookup>(cache, `lookup/${lookup}/${parent}`);
}

/** Caches a lookup list, unless it follows the server's feed. */
export async function writeLookup(
  lookup: LookupName,
  options: CachedLookup,
  parent = '',
  cache = deviceCache(),
): Promise<void> {
  await writeUnfollowed(cache, `lookup/${lookup}/${parent}`, options);
}

/** Removes all server data: lists, records, lookup lists, images, catalogues. At log-out, and when someone else signs in. */
export async function removeCopies(cache = deviceCache()): Promise<void> {
  const files = 'caches' in globalThis ? [IMAGE_CACHE, CATALOGUE_CACHE].map(removeFileCache) : [];
  await Promise.all([clearCache(cache), ...files]);
}

function deviceCache(): CacheDatabase {
  return browserEnvironment().cache;
}

async function read<T extends Freshness>(cache: CacheDatabase, key: string): Promise<T | undefined> {
  const found = await transact(cache, 'r', [cache.values], () => cache.values.get(key));
  return found && valueOf<T>(found);
}

/**
 * A value as fresh as it is known to be. The age of one from the future, read while the clock was ahead, is unknown. One that was
 * read with other definitions lacks what is new in these: it is old, and its tag must not confirm it.
 */
function valueOf<T extends Freshness>({ value, definitions }: CachedValue): T {
  const known = value as T;
  if (definitions === FINGERPRINT) return known.fetchedAt <= Date.now() ? known : { ...known, fetchedAt: 0 };
  const { etag: _, ...rest } = known;
  return { ...rest, fetchedAt: 0 } as unknown as T;
}

/** Reads a value. One that follows the server's feed is as fresh as the feed's last page. */
async function readFollowed<T extends Freshness>(cache: CacheDatabase, key: string): Promise<T | undefined> {
  const [found, feed] = await transact(cache, 'r', [cache.values], () => cache.values.bulkGet([key, FEED_KEY]));
  if (found === undefined) return undefined;
  const value = valueOf<T>(found);
  if (!isFollowed(key, feed)) return value;
  return { ...value, fetchedAt: Math.max(value.fetchedAt, valueOf<Freshness>(feed).fetchedAt) };
}

async function writeUnfollowed(cache: CacheDatabase, key: string, value: Freshness): Promise<void> {
  await whereRoom(() =>
    transact(cache, 'rw', [cache.values], async () => {
      if (!isFollowed(key, await cache.values.get(FEED_KEY)))
        await cache.values.put({ key, value, fetchedAt: value.fetchedAt, definitions: FINGERPRINT });
    }),
  );
}

/** The feed of a gateway covers only the lists. */
function isFollowed(key: string, feed: CachedValue | undefined): feed is CachedValue {
  if (feed?.definitions !== FINGERPRINT) return false;
  const { complete, rowsOnly } = (feed?.value ?? {}) as { readonly complete?: boolean; readonly rowsOnly?: true };
  return complete === true && (rowsOnly !== true || key.startsWith('list/'));
}

async function write(cache: CacheDatabase, key: string, value: Freshness): Promise<void> {
  await whereRoom(() =>
    transact(cache, 'rw', [cache.values], () =>
      cache.values.put({ key, value, fetchedAt: value.fetchedAt, definitions: FINGERPRINT }),
    ),
  );
}

/** Skips a cache write that does not fit. The outbox has priority on the quota. */
async function whereRoom(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (failure) {
    if (!(failure instanceof Error) || !/Quota|Abort|Stalled/.test(failure.name)) throw failure;
  }
}
