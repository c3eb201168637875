import type { LookupName } from '../fields.ts';
import type { Standing } from './kept.ts';
import { listedFields, type ListRow, type Resource, type ResourceName, type ServerRecord } from '../resource.ts';

/** Changes across all kinds since the cursor in `?since=`. Without it, everything. */
export const FEED_PATH = '/api/feed';

/** The same as server-sent events, sent on every change. `Last-Event-ID` is the cursor to continue from. */
export const LIVE_PATH = '/api/feed/live';

/** A complete list of choices. */
export interface FeedLookup {
  readonly lookup: LookupName;
  /** Empty if the list has no parent. */
  readonly parent: string;
  readonly options: readonly string[];
}

/**
 * A page of changes. Contains each changed record once, in its current state. Content may be newer than the page's cursor
 * and is then repeated. Applying it twice has no further effect.
 */
export interface FeedPage extends Partial<Standing> {
  /** The cursor of the next call. */
  readonly cursor: string;
  /** The page starts a full snapshot: the requested cursor belongs to another database lifetime, or there was none. */
  readonly snapshot?: true;
  /** More pages follow. */
  readonly more: boolean;
  /**
   * The page contains rows as the list calls return them instead of whole records, and neither lookups nor settings. Set
   * by the feed of a gateway.
   */
  readonly rowsOnly?: true;
  readonly changed: Readonly<Partial<Record<ResourceName, readonly (ServerRecord | ListRow)[]>>>;
  /** Ids of deleted records. */
  readonly deleted: Readonly<Partial<Record<ResourceName, readonly number[]>>>;
  readonly settings?: ServerRecord;
  /** All lookups, if one has changed. */
  readonly lookups?: readonly FeedLookup[];
}

/**
 * An event sent to a connected device. Its id is the cursor.
 * - `changes`: the changes since the cursor of the previous event
 * - `behind`: there are more changes than one event can hold; request the feed
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

/** Reads an answer of the feed. Returns undefined for anything else. */
export function readFeedPage(body: unknown): FeedPage | undefined {
  const page = (body ?? {}) as Partial<FeedPage>;
  if (typeof page.cursor !== 'string' || typeof page.more !== 'boolean') return undefined;
  if (typeof page.changed !== 'object' || typeof page.deleted !== 'object') return undefined;
  return page as FeedPage;
}

/** Derives the list row of a whole record, as this repository's server returns it. */
export function listRowOf(resource: Resource, record: ServerRecord): ListRow {
  const row: Record<string, unknown> = {};
  for (const name of [...listedFields(resource), 'version']) row[name] = record[name];
  if (resource.fields.some(({ kind }) => kind === 'images')) row['photo'] = record.images?.[0]?.image ?? null;
  const document = resource.fields.find(({ kind }) => kind === 'file');
  if (document !== undefined) row['has_catalog'] = (record[document.name] ?? '') === '' ? 0 : 1;
  return { id: record.id, ...row };
}
