import { type FeedPage, listRowOf } from '../../domain/protocol/feed.ts';
import type { ListRow, Resource, ResourceName, ServerRecord } from '../../domain/resource.ts';
import { FINGERPRINT } from '../../domain/fingerprint.ts';
import { RESOURCES } from '../../domain/resources/index.ts';
import { siteMeta } from '../../domain/resources/site-meta.ts';
import { browserEnvironment } from '../storage/browser-environment.ts';
import { type CacheDatabase, FEED_KEY } from '../storage/cache-database.ts';
import { transact } from '../storage/transactions.ts';

/** The position of this device in the server's feed. */
export interface FeedState {
  readonly cursor: string;
  /** When the last page was requested, in epoch milliseconds. The device has the server's state of that moment. */
  readonly fetchedAt: number;
  /** True if the lists follow the feed. False while a snapshot is read: its pages are set aside until then. */
  readonly complete: boolean;
  /** Set if only the lists follow the feed, not records, settings or lookup lists. */
  readonly rowsOnly?: true;
}

/** The changes that a page made on this device. */
export interface Taken {
  /** The time of the server state, in epoch milliseconds. */
  readonly fetchedAt: number;
  /** The changed lists. The value is undefined if the list must still be read from the device. */
  readonly lists: ReadonlyMap<ResourceName, readonly ListRow[] | undefined>;
  /** Changed and deleted records. Undefined if any record may have changed. */
  readonly ids?: ReadonlyMap<ResourceName, readonly number[]>;
  readonly settings: boolean;
  readonly lookups: boolean;
}

/** The requested page, and when it was requested (epoch milliseconds). */
export interface Asked {
  readonly since: string | undefined;
  readonly fetchedAt: number;
}

const PAGES = 'feed-page/';
const NOTHING = { lists: new Map(), ids: new Map(), settings: false, lookups: false };

/** Reads the state of the feed. Undefined if it was never read. */
export async function readFeed(cache = browserEnvironment().cache): Promise<FeedState | undefined> {
  return transact(cache, 'r', [cache.values], () => stateOf(cache));
}

/** Removes the state of the feed. The lists are then fetched one by one again. */
export async function forgetFeed(cache = browserEnvironment().cache): Promise<void> {
  await transact(cache, 'rw', [cache.values], async () => {
    await cache.values.delete(FEED_KEY);
    await cache.values.where('key').startsWith(PAGES).delete();
  });
}

/**
 * Applies a page in one transaction. Resolves to `overtaken` and writes nothing if another tab has read on since `since` was read
 * here, or the cache was cleared.
 */
export async function takeFeedPage(
  page: FeedPage,
  { since, fetchedAt }: Asked,
  cache = browserEnvironment().cache,
): Promise<Taken | 'overtaken'> {
  return transact(cache, 'rw', [cache.values], async () => {
    const before = await stateOf(cache);
    if (before?.cursor !== since) return 'overtaken';
    const begins = page.snapshot === true;
    const complete = !page.more || (!begins && before?.complete === true);
    const take = !begins && before?.complete === true ? patch : gather;
    const taken = await take(cache, page, fetchedAt);
    const { cursor, rowsOnly } = page;
    await put(cache, FEED_KEY, { cursor, fetchedAt, complete, ...(rowsOnly && { rowsOnly }) });
    return taken;
  });
}

/** Undefined after a change of the definitions: pages read with others lack what these know, and everything is read anew. */
async function stateOf(cache: CacheDatabase): Promise<FeedState | undefined> {
  const found = await cache.values.get(FEED_KEY);
  return found?.definitions === FINGERPRINT ? (found.value as FeedState) : undefined;
}

/** Sets a page aside. With the last page, replaces the lists with all of them. */
async function gather(cache: CacheDatabase, page: FeedPage, fetchedAt: number): Promise<Taken> {
  const aside = cache.values.where('key').startsWith(PAGES);
  if (page.snapshot === true) await aside.delete();
  if (page.more) {
    const count = await aside.count();
    await put(cache, `${PAGES}${String(count).padStart(6, '0')}`, { page, fetchedAt });
    return { ...NOTHING, fetchedAt };
  }
  const earlier = (await aside.toArray()).map(({ value }) => (value as { readonly page: FeedPage }).page);
  await aside.delete();
  return replaceAll(cache, [...earlier, page], fetchedAt);
}

async function replaceAll(cache: CacheDatabase, pages: readonly FeedPage[], fetchedAt: number): Promise<Taken> {
  const rowsOnly = pages.some((page) => page.rowsOnly === true);
  // Data outside of a gateway's feed keeps its age.
  await cache.values
    .where('key')
    .startsWith(rowsOnly ? 'whole/' : 'record/')
    .delete();
  const lists = new Map<ResourceName, readonly ListRow[]>();
  for (const resource of RESOURCES) {
    const records = pages.reduce<readonly Changed[]>((known, page) => merged(resource, known, page), []);
    lists.set(resource.name, await putKind(cache, resource, { records, rowsOnly, fetchedAt }));
  }
  for (const page of pages) await putRest(cache, page, fetchedAt);
  return { fetchedAt, lists, settings: !rowsOnly, lookups: !rowsOnly };
}

async function patch(cache: CacheDatabase, page: FeedPage, fetchedAt: number): Promise<Taken> {
  const lists = new Map<ResourceName, readonly ListRow[]>();
  const ids = new Map<ResourceName, readonly number[]>();
  for (const resource of RESOURCES) {
    const touched = touchedBy(resource, page);
    if (touched.length === 0) continue;
    const rowsOnly = page.rowsOnly === true;
    const records = merged(resource, await knownOf(cache, resource, rowsOnly), page);
    lists.set(resource.name, await putKind(cache, resource, { records, rowsOnly, fetchedAt }));
    ids.set(resource.name, touched);
    // A row cannot replace a record, so an opened record stays until it is revalidated.
    const outdated = rowsOnly ? (page.deleted[resource.name] ?? []) : touched;
    await cache.values.bulkDelete(outdated.map((id) => `record/${resource.name}/${id}`));
  }
  await putRest(cache, page, fetchedAt);
  return { fetchedAt, lists, ids, settings: page.settings !== undefined, lookups: page.lookups !== undefined };
}

async function knownOf(cache: CacheDatabase, { name }: Resource, rowsOnly: boolean): Promise<readonly Changed[]> {
  const found = await cache.values.get(rowsOnly ? `list/${name}` : `whole/${name}`);
  const { rows, records } = (found?.value ?? {}) as { rows?: readonly ListRow[]; records?: readonly ServerRecord[] };
  return (rowsOnly ? rows : records) ?? [];
}

function touchedBy({ name }: Resource, { changed, deleted }: FeedPage): number[] {
  return [...(changed[name] ?? []).map(({ id }) => id), ...(deleted[name] ?? [])];
}

/** The records of a kind after a page is applied, in the server's order: by id. */
function merged({ name }: Resource, known: readonly Changed[], page: FeedPage): readonly Changed[] {
  const byId = new Map(known.map((record) => [record.id, record]));
  for (const record of page.changed[name] ?? []) byId.set(record.id, record);
  for (const id of page.deleted[name] ?? []) byId.delete(id);
  return [...byId.values()].toSorted((one, other) => one.id - other.id);
}

/** A whole record, or a list row if the server provides only rows. */
type Changed = ServerRecord | ListRow;

interface Kind {
  readonly records: readonly Changed[];
  readonly rowsOnly: boolean;
  readonly fetchedAt: number;
}

async function putKind(
  cache: CacheDatabase,
  resource: Resource,
  { records, rowsOnly, fetchedAt }: Kind,
): Promise<readonly ListRow[]> {
  const rows = rowsOnly ? records : records.map((record) => listRowOf(resource, record as ServerRecord));
  if (!rowsOnly) await put(cache, `whole/${resource.name}`, { records, fetchedAt });
  await put(cache, `list/${resource.name}`, { rows, fetchedAt });
  return rows;
}

async function putRest(cache: CacheDatabase, { settings, lookups }: FeedPage, fetchedAt: number): Promise<void> {
  if (settings !== undefined)
    await put(cache, `record/${siteMeta.name}/${siteMeta.only}`, { record: settings, fetchedAt });
  if (lookups === undefined) return;
  await cache.values.where('key').startsWith('lookup/').delete();
  for (const { lookup, parent, options } of lookups)
    await put(cache, `lookup/${lookup}/${parent}`, { options, fetchedAt });
}

async function put<T extends { readonly fetchedAt: number }>(cache: CacheDatabase, key: string, value: T) {
  await cache.values.put({ key, value, fetchedAt: value.fetchedAt, definitions: FINGERPRINT });
}
