import type { LookupName } from '../../../src/domain/fields.ts';
import type { FeedLookup, FeedPage } from '../../../src/domain/protocol/feed.ts';
import type { ResourceName, ServerRecord } from '../../../src/domain/resource.ts';
import { RESOURCES } from '../../../src/domain/resources/index.ts';
import { siteMeta } from '../../../src/domain/resources/site-meta.ts';
import { isKnown, lastSeq, type Position, positionOf } from './epochs.ts';
import { LOOKUPS_SUBJECT } from './followed.ts';
import { recordsById, rowOf } from './read.ts';
import type { Database } from './tables.ts';

/** Changed records per page: some 50 kB on the wire, which a bad link carries in one go. */
const PAGE_SIZE = 500;

/**
 * Returns the changes since a cursor. Reads the records after their numbers, without a transaction: a record that changes in
 * between is returned in its newer state, and again in a later page.
 */
export async function feedPage(db: Database, since: string | undefined): Promise<FeedPage> {
  const known = await knownPosition(db, since);
  const rows = await db
    .selectFrom('feed')
    .selectAll()
    .where('seq', '>', known?.seq ?? 0)
    .orderBy('seq')
    .limit(PAGE_SIZE)
    .execute();
  const idsOf = (subject: string) => rows.filter((row) => row.subject === subject).map((row) => row.record_id);
  const records = await readChanged(db, idsOf);
  return {
    cursor:
      since !== undefined && known !== undefined && rows.length === 0
        ? since
        : await cursorAt(db, rows.at(-1)?.seq ?? 0),
    ...(known === undefined ? { snapshot: true as const } : {}),
    more: rows.length === PAGE_SIZE,
    ...records,
    ...(idsOf(siteMeta.name).length > 0 ? { settings: await rowOf(db, siteMeta, siteMeta.only) } : {}),
    ...(idsOf(LOOKUPS_SUBJECT).length > 0 ? { lookups: await allLookups(db) } : {}),
  };
}

/** The current cursor. */
export async function feedCursor(db: Database): Promise<string> {
  return cursorAt(db, await lastSeq(db));
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

/** The position in a cursor. Undefined if this database's history does not contain it. */
async function knownPosition(db: Database, cursor: string | undefined): Promise<Position | undefined> {
  const [, epoch, number] = /^([\w-]+)\.(\d{1,15})$/.exec(cursor ?? '') ?? [];
  if (epoch === undefined) return undefined;
  const position = { epoch, seq: Number(number) };
  return (await isKnown(db, position)) ? position : undefined;
}

async function cursorAt(db: Database, number: number): Promise<string> {
  const { epoch, seq } = await positionOf(db, number);
  return `${epoch}.${seq}`;
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
