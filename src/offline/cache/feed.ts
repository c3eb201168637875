import { type FeedPage, listRowOf } from '../../domain/protocol/feed.ts';
import type { ListRow, Resource, ResourceName, ServerRecord } from '../../domain/resource.ts';
import { RESOURCES } from '../../domain/resources/index.ts';
import { siteMeta } from '../../domain/resources/site-meta.ts';
import { browserEnvironment } from '../storage/browser-environment.ts';
import { type CacheDatabase, FEED_KEY } from '../storage/cache-database.ts';
import { transact } from '../storage/transactions.ts';

/** How far this device has read the server's feed. */
export interface FeedState {
  readonly cursor: string;
  /** When the server was asked for the last page, in epoch milliseconds: what it knew then is on this device. */
  readonly fetchedAt: number;
  /** The lists follow the feed. False while its beginning is still being read: the pages wait aside, and the lists are what they were. */
  readonly complete: boolean;
  /** Only the lists follow it: no records, settings or lists of choices. */
  readonly rowsOnly?: true;
}

/** What a page changed on this device. */
export interface Taken {
  /** As of when this is what the server knows, in epoch milliseconds. */
  readonly fetchedAt: number;
  /** The lists that changed, as they are now; undefined where they are still to be read from the device. */
  readonly lists: ReadonlyMap<ResourceName, readonly ListRow[] | undefined>;
  /** Records that changed or are gone; undefined where any may be. */
  readonly ids?: ReadonlyMap<ResourceName, readonly number[]>;
  readonly settings: boolean;
  readonly lookups: boolean;
}

/** Which page was asked for, and when (epoch milliseconds). */
export interface Asked {
  readonly since: string | undefined;
  readonly fetchedAt: number;
}

const PAGES = 'feed-page/';
const NOTHING = { lists: new Map(), ids: new Map(), settings: false, lookups: false };

/** How far the feed was read; undefined where it never was. */
export async function readFeed(cache = browserEnvironment().cache): Promise<FeedState | undefined> {
  return transact(cache, 'r', [cache.values], () => stateOf(cache));
}

/** Reads the lists as before: they do not follow the feed any more. */
export async function forgetFeed(cache = browserEnvironment().cache): Promise<void> {
  await transact(cache, 'rw', [cache.values], async () => {
    await cache.values.delete(FEED_KEY);
    await cache.values.where('key').startsWith(PAGES).delete();
  });
}

/**
 * Takes over a page, in one transaction: whoever reads sees all of it or nothing. `overtaken` where another tab has read on since
 * `since` was read here, or everything was removed: nothing is written then.
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

async function stateOf(cache: CacheDatabase): Promise<FeedState | undefined> {
  return (await cache.values.get(FEED_KEY))?.value as FeedState | undefined;
}

/** Lays a page aside until the last one is there; then all of them become the device's lists. */
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
  // what a gateway does not tell of is as old as it was
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
    // a row is no record: what was opened is better than nothing until it is asked for again
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

/** The records of a kind with what a page says of them, in the server's order: that of their ids. */
function merged({ name }: Resource, known: readonly Changed[], page: FeedPage): readonly Changed[] {
  const byId = new Map(known.map((record) => [record.id, record]));
  for (const record of page.changed[name] ?? []) byId.set(record.id, record);
  for (const id of page.deleted[name] ?? []) byId.delete(id);
  return [...byId.values()].toSorted((one, other) => one.id - other.id);
}

/** A whole record, or a row of a list where the server gives no more. */
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
  await cache.values.put({ key, value, fetchedAt: value.fetchedAt });
}
