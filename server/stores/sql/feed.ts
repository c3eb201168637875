import type { LookupName } from '../../../src/domain/fields.ts';
import type { FeedLookup, FeedPage } from '../../../src/domain/protocol/feed.ts';
import type { ResourceName, ServerRecord } from '../../../src/domain/resource.ts';
import { RESOURCES } from '../../../src/domain/resources/index.ts';
import { siteMeta } from '../../../src/domain/resources/site-meta.ts';
import { isKnown, lastSeq, type Position, positionOf } from './epochs.ts';
import { LOOKUPS_SUBJECT } from './followed.ts';
import { recordsById, rowOf, toRecord } from './read.ts';
import type { Database, FeedTable } from './tables.ts';
import type { Selectable } from 'kysely';

/** Changed records per page: some 50 kB on the wire, which a bad link carries in one go. */
const PAGE_SIZE = 500;
/** Characters of texts after which a page ends, if records are long. */
const MOST_CONTENT = 1024 * 1024;
/** Records read at a time. */
const READ_AT_ONCE = 100;

/** Pages without any record that a snapshot passes over in one answer. */
const MOST_PASSED = 50;

/**
 * Returns the changes since a cursor. Reads the records after their numbers, without a transaction: a record that changes in
 * between is returned in its newer state, and again in a later page. A snapshot leaves out what was deleted before it began, which its
 * device never had.
 */
export async function feedPage(db: Database, since: string | undefined): Promise<FeedPage> {
  const known = await knownPlace(db, since);
  const isSnapshot = known === undefined;
  const begun = isSnapshot ? await lastSeq(db) : known.begun;
  let from = known?.seq ?? 0;
  for (let passed = 0; ; passed += 1) {
    const found = await db
      .selectFrom('feed')
      .selectAll()
      .where('seq', '>', from)
      .orderBy('seq')
      .limit(PAGE_SIZE)
      .execute();
    const { rows, content } = await readFitting(db, found, begun);
    const more = rows.length < found.length || found.length === PAGE_SIZE;
    const to = rows.at(-1)?.seq ?? from;
    if (more && passed < MOST_PASSED && to < begun && isEmpty(content)) {
      from = to;
      continue;
    }
    const isSame = rows.length === 0 && passed === 0 && since !== undefined && !isSnapshot;
    return {
      cursor: isSame ? since : await cursorAt(db, to, begun),
      ...(isSnapshot ? { snapshot: true as const } : {}),
      more,
      ...content,
    };
  }
}

/** The current cursor. */
export async function feedCursor(db: Database): Promise<string> {
  return cursorAt(db, await lastSeq(db), 0);
}

/** What a page says, besides where it stands. */
type Content = Pick<FeedPage, 'changed' | 'deleted' | 'settings' | 'lookups'>;

/** Reads the first rows, as many as fit into a page. */
async function readFitting(db: Database, found: readonly Selectable<FeedTable>[], begun: number) {
  let content: Content = { changed: {}, deleted: {} };
  let [read, length] = [0, 0];
  while (read < found.length && length < MOST_CONTENT) {
    const part = await readChanged(db, found.slice(read, read + READ_AT_ONCE), begun);
    read = Math.min(read + READ_AT_ONCE, found.length);
    for (const records of Object.values(part.changed)) for (const record of records) length += lengthOf(record);
    content = {
      ...content,
      ...part,
      changed: joined(content.changed, part.changed),
      deleted: joined(content.deleted, part.deleted),
    };
  }
  return { rows: found.slice(0, read), content };
}

/** Lists by kind, those of the second behind those of the first. */
function joined<T>(
  one: Partial<Record<ResourceName, readonly T[]>>,
  other: Partial<Record<ResourceName, readonly T[]>>,
): Partial<Record<ResourceName, readonly T[]>> {
  const lists = { ...one };
  for (const { name } of RESOURCES) {
    const more = other[name];
    if (more !== undefined) lists[name] = [...(lists[name] ?? []), ...more];
  }
  return lists;
}

/** Characters of a record's texts. */
function lengthOf(record: ServerRecord): number {
  return Object.values(record).reduce<number>((sum, one) => sum + (typeof one === 'string' ? one.length : 0), 0);
}

/** Reads what rows of the feed name. Leaves out what was deleted up to the number at which a snapshot began. */
async function readChanged(db: Database, rows: readonly Selectable<FeedTable>[], begun: number): Promise<Content> {
  const changed: Partial<Record<ResourceName, readonly ServerRecord[]>> = {};
  const deleted: Partial<Record<ResourceName, readonly number[]>> = {};
  const bySubject = Map.groupBy(rows, ({ subject }) => subject);
  for (const resource of RESOURCES) {
    const named = bySubject.get(resource.name) ?? [];
    if (named.length === 0) continue;
    const records = await recordsById(
      db,
      resource,
      named.map((row) => row.record_id),
    );
    const present = new Set(records.map(({ id }) => id));
    const gone = named.filter(({ record_id, seq }) => seq > begun && !present.has(record_id));
    if (records.length > 0) changed[resource.name] = records;
    if (gone.length > 0) deleted[resource.name] = gone.map((row) => row.record_id);
  }
  return {
    changed,
    deleted,
    ...(bySubject.has(siteMeta.name)
      ? { settings: toRecord(siteMeta, await rowOf(db, siteMeta, siteMeta.only), []) }
      : {}),
    ...(bySubject.has(LOOKUPS_SUBJECT) ? { lookups: await allLookups(db) } : {}),
  };
}

function isEmpty({ changed, deleted, settings, lookups }: Content): boolean {
  const isNothing = Object.keys(changed).length === 0 && Object.keys(deleted).length === 0;
  return isNothing && settings === undefined && lookups === undefined;
}

/** Where a device stands. */
interface Place extends Position {
  /** The number at which the snapshot that it is reading began; 0 if it is not reading one. */
  readonly begun: number;
}

/** The place in a cursor. Undefined if this database's history does not contain it. */
async function knownPlace(db: Database, cursor: string | undefined): Promise<Place | undefined> {
  const [, epoch, number, begun = 0] = /^([\w-]+)\.(\d{1,15})(?:~(\d{1,15}))?$/.exec(cursor ?? '') ?? [];
  if (epoch === undefined) return undefined;
  const place = { epoch, seq: Number(number), begun: Number(begun) };
  return (await isKnown(db, place)) ? place : undefined;
}

/** The cursor of a number, within a snapshot that began at `begun` until it has come that far. */
async function cursorAt(db: Database, number: number, begun: number): Promise<string> {
  const { epoch, seq } = await positionOf(db, number);
  return `${epoch}.${seq}${seq < begun ? `~${begun}` : ''}`;
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
