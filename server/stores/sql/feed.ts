import type { LookupName } from '../../../src/domain/fields.ts';
import type { FeedLookup, FeedPage } from '../../../src/domain/protocol/feed.ts';
import type { ResourceName, ServerRecord } from '../../../src/domain/resource.ts';
import { RESOURCES } from '../../../src/domain/resources/index.ts';
import { siteMeta } from '../../../src/domain/resources/site-meta.ts';
import { LOOKUPS_SUBJECT } from './followed.ts';
import { recordsById, rowOf } from './read.ts';
import type { Database } from './tables.ts';

/** Changed records per page: some 50 kB on the wire, which a bad link carries in one go. */
const PAGE_SIZE = 500;

interface World {
  readonly db: Database;
  readonly life: string;
}

/**
 * Returns the changes since a cursor. Reads the records after their numbers, without a transaction: a record that changes in
 * between is returned in its newer state, and again in a later page.
 */
export async function feedPage({ db, life }: World, since: string | undefined): Promise<FeedPage> {
  const known = await seqOf({ db, life }, since);
  const rows = await db
    .selectFrom('feed')
    .selectAll()
    .where('seq', '>', known ?? 0)
    .orderBy('seq')
    .limit(PAGE_SIZE)
    .execute();
  const idsOf = (subject: string) => rows.filter((row) => row.subject === subject).map((row) => row.record_id);
  const records = await readChanged(db, idsOf);
  return {
    cursor: `${life}.${rows.at(-1)?.seq ?? known ?? 0}`,
    ...(known === undefined ? { snapshot: true as const } : {}),
    more: rows.length === PAGE_SIZE,
    ...records,
    ...(idsOf(siteMeta.name).length > 0 ? { settings: await rowOf(db, siteMeta, siteMeta.only) } : {}),
    ...(idsOf(LOOKUPS_SUBJECT).length > 0 ? { lookups: await allLookups(db) } : {}),
  };
}

/** The current cursor. */
export async function feedCursor({ db, life }: World): Promise<string> {
  return `${life}.${await lastSeq(db)}`;
}

async function readChanged(db: Database, idsOf: (subject: string) => readonly number[]) {
  const changed: Partial<Record<ResourceName, readonly ServerRecord[]>> = {};
  const deleted: Partial<Record<ResourceName, readonly number[]>> = {};
  for (const resource of RESOURCES) {
    const ids = idsOf(resource.name);
    if (ids.length === 0) continue;
    const records = await recordsById(db, resource, ids);
    const present = new Set(records.map(({ id }) => id));
    const gone = ids.filter((id) => !present.has(id));
    if (records.length > 0) changed[resource.name] = records;
    if (gone.length > 0) deleted[resource.name] = gone;
  }
  return { changed, deleted };
}

/** The number in a cursor. Undefined if it is not a cursor of this life of the database. */
async function seqOf({ db, life }: World, cursor: string | undefined): Promise<number | undefined> {
  const [, ofLife, number] = /^([\w-]+)\.(\d{1,15})$/.exec(cursor ?? '') ?? [];
  if (ofLife !== life) return undefined;
  const seq = Number(number);
  return seq <= (await lastSeq(db)) ? seq : undefined;
}

/** The highest number ever committed. It is always present, since a row is only replaced by one with a higher number. */
export async function lastSeq(db: Database): Promise<number> {
  const newest = await db.selectFrom('feed').select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst();
  return newest?.seq ?? 0;
}

async function allLookups(db: Database): Promise<FeedLookup[]> {
  const rows = await db
    .selectFrom('lookups')
    .selectAll()
    .orderBy('lookup')
    .orderBy('parent')
    .orderBy('value')
    .execute();
  const lists = Map.groupBy(rows, ({ lookup, parent }) => `${lookup}/${parent}`);
  return [...lists.values()].flatMap((list) => {
    const [first] = list;
    if (first === undefined) return [];
    return [{ lookup: first.lookup as LookupName, parent: first.parent, options: list.map(({ value }) => value) }];
  });
}
