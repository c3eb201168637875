import type { LookupName } from '../fields.ts';
import { listedFields, type ListRow, type Resource, type ResourceName, type ServerRecord } from '../resource.ts';

/** What changed, over all kinds: `?since=` and a cursor; without it, everything. */
export const FEED_PATH = '/api/feed';

/** The same as server-sent events, as soon as something changes; `Last-Event-ID` is the cursor to go on from. */
export const LIVE_PATH = '/api/feed/live';

/** A list of choices, whole. */
export interface FeedLookup {
  readonly lookup: LookupName;
  /** Empty where the list depends on nothing. */
  readonly parent: string;
  readonly options: readonly string[];
}

/**
 * One page of what changed: every record as it is now, once, however often it changed. What is in a page may be newer than its cursor,
 * and then comes again: to take it over twice is the same as once.
 */
export interface FeedPage {
  /** Where the next call goes on. */
  readonly cursor: string;
  /** This page begins from nothing. The cursor that was asked with is of another life of the database, or there was none. */
  readonly snapshot?: true;
  /** There is more behind this page. */
  readonly more: boolean;
  /**
   * What changed are rows as the list calls answer them, no whole records, and neither lookups nor settings are told of: the feed of a
   * gateway.
   */
  readonly rowsOnly?: true;
  readonly changed: Readonly<Partial<Record<ResourceName, readonly (ServerRecord | ListRow)[]>>>;
  /** Ids of what is gone. */
  readonly deleted: Readonly<Partial<Record<ResourceName, readonly number[]>>>;
  readonly settings?: ServerRecord;
  /** All of them, where one has changed. */
  readonly lookups?: readonly FeedLookup[];
}

/**
 * What a connected device is told; the event's id is its cursor.
 * - `changes`: what changed since the cursor of the event before
 * - `behind`: more than one event can hold; the feed is to be asked
 */
export type FeedEvent =
  | {
      readonly name: 'changes';
      readonly cursor: string;
      readonly data: { readonly since: string; readonly page: FeedPage };
    }
  | { readonly name: 'behind'; readonly cursor: string; readonly data: object };

/** The address of the next page. */
export function feedAddress(cursor: string | undefined): string {
  return cursor === undefined ? FEED_PATH : `${FEED_PATH}?since=${encodeURIComponent(cursor)}`;
}

/** Reads an answer of the feed; undefined for anything else. */
export function readFeedPage(body: unknown): FeedPage | undefined {
  const page = (body ?? {}) as Partial<FeedPage>;
  if (typeof page.cursor !== 'string' || typeof page.more !== 'boolean') return undefined;
  if (typeof page.changed !== 'object' || typeof page.deleted !== 'object') return undefined;
  return page as FeedPage;
}

/** The row that a list has for a whole record: what this repository's server answers to the list call. */
export function listRowOf(resource: Resource, record: ServerRecord): ListRow {
  const row: Record<string, unknown> = {};
  for (const name of [...listedFields(resource), 'version']) row[name] = record[name];
  if (resource.fields.some(({ kind }) => kind === 'images')) row['photo'] = record.images?.[0]?.image ?? null;
  const document = resource.fields.find(({ kind }) => kind === 'file');
  if (document !== undefined) row['has_catalog'] = (record[document.name] ?? '') === '' ? 0 : 1;
  return { id: record.id, ...row };
}
