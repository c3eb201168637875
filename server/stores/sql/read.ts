import { sql } from 'kysely';
import { isAttachment, isManyFiles, isSingleFile } from '../../../src/domain/fields.ts';
import { type AnyResource, listedFields, type Resource, type ServerRecord } from '../../../src/domain/resource.ts';
import type { Database, RecordRow } from './tables.ts';
import { tableOf } from './tables.ts';
import { notFound } from '../../errors/refusal.ts';
import type { StoredFile } from '../../uploads/storage.ts';
import type { VersionedRecord } from '../store.ts';
import { hasImages, type ImageRow, imagesOf, ownFiles } from './record-files.ts';

/** Records per page of a paged list. */
const PAGE_SIZE = 100;

/**
 * The rows of a list: the columns of the list screen, those of `listedFields`, and the base version for deletes; not whole
 * records. `page` counts from 1 and applies to paged lists. `most` limits the others.
 */
export async function listRows(db: Database, resource: Resource, page: number, most?: number): Promise<object[]> {
  const all = db.selectFrom(tableOf(resource)).select(listColumns(resource)).orderBy('id');
  if (resource.paged) return onPage(all, page).execute();
  return most === undefined ? all.execute() : all.limit(most).execute();
}

function listColumns(resource: Resource) {
  const names = ['id', ...listedFields(resource), 'version'];
  return [...names.map((name) => sql.ref(`${tableOf(resource)}.${name}`).as(name)), ...filesTold(resource)];
}

/** A list row that changed since a feed number. The row is undefined if the record is gone. */
export interface ChangedRow {
  readonly id: number;
  readonly seq: number;
  readonly row: object | undefined;
}

/** The list rows that changed since a feed number, all as of one moment. */
export async function listRowsSince(db: Database, resource: Resource, since: number): Promise<ChangedRow[]> {
  const table = tableOf(resource);
  const rows = await db
    .selectFrom('feed')
    .leftJoin(table, `${table}.id`, 'feed.record_id')
    .select(['feed.seq as of_seq', 'feed.record_id as of_record', ...listColumns(resource)])
    .where('feed.subject', '=', resource.name)
    .where('feed.seq', '>', since)
    .execute();
  return rows.map(({ of_seq, of_record, ...row }) => ({
    id: of_record,
    seq: of_seq,
    row: row['id'] === null ? undefined : row,
  }));
}

/** The first photo of a record that has several, and whether it has a catalogue. */
function filesTold(resource: Resource) {
  const told = [];
  if (hasImages(resource)) {
    told.push(
      sql<string | null>`(select images.image from images where images.resource = ${resource.name}
        and images.record_id = ${sql.table(tableOf(resource))}.id order by images.id limit 1)`.as('photo'),
    );
  }
  const document = resource.fields.find(({ kind }) => kind === 'file');
  if (document !== undefined)
    told.push(sql<number>`CASE WHEN ${sql.ref(document.name)} <> '' THEN 1 ELSE 0 END`.as('has_catalog'));
  return told;
}

/** The same list with whole records, for the offline copy. */
export async function listRecords(db: Database, resource: Resource, page: number): Promise<object[]> {
  const all = db.selectFrom(tableOf(resource)).selectAll().orderBy('id');
  const rows = (await (resource.paged ? onPage(all, page) : all).execute()) as RecordRow[];
  if (!hasImages(resource)) return rows.map((row) => toRecord(resource, row, []));
  const images = await imagesByRecord(db, resource);
  return rows.map((row) => toRecord(resource, row, images.get(row.id) ?? []));
}

/** The existing records among these ids, whole, as in a list. */
export async function recordsById(db: Database, resource: Resource, ids: readonly number[]): Promise<ServerRecord[]> {
  const rows = await db.selectFrom(tableOf(resource)).selectAll().where('id', 'in', among(ids)).orderBy('id').execute();
  const images = hasImages(resource) ? await imagesByRecord(db, resource, ids) : new Map<number, ImageRow[]>();
  return (rows as RecordRow[]).map((row) => toRecord(resource, row, images.get(row.id) ?? []));
}

/** A whole record, with the metadata of its files if its kind has any. Throws 404. */
export async function readRecord(db: Database, resource: AnyResource, id: number): Promise<VersionedRecord> {
  // read together: a remote database answers both in one round trip
  const [row, images] = await Promise.all([
    rowOf(db, resource, id),
    hasImages(resource) ? imagesOf(db, resource, id) : [],
  ]);
  const files = resource.fields.some(isAttachment) ? await filesOf(db, resource, row, images) : [];
  return wholeRecord(resource, { row, images, files });
}

/** The stored parts of one record. */
export interface RecordParts {
  readonly row: RecordRow;
  readonly images: readonly ImageRow[];
  /** Files of its own columns and of its images. */
  readonly files: readonly StoredFile[];
}

/** Assembles a whole record from its parts, as `readRecord` returns it. */
export function wholeRecord(resource: AnyResource, { row, images, files }: RecordParts): VersionedRecord {
  const record = { ...toRecord(resource, row, images), version: row.version };
  return resource.fields.some(isAttachment) ? { ...record, files: filesGiven(resource, row, images, files) } : record;
}

/** The row of a record. Throws 404. */
export async function rowOf(db: Database, resource: AnyResource, id: number): Promise<RecordRow> {
  const row = await db.selectFrom(tableOf(resource)).selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw notFound(`This ${resource.label.one} no longer exists.`);
  return row as RecordRow;
}

interface Pageable<T> {
  limit(count: number): Pageable<T>;
  offset(count: number): Pageable<T>;
  execute(): Promise<T[]>;
}

function onPage<T>(query: Pageable<T>, page: number): Pageable<T> {
  return query.limit(PAGE_SIZE).offset((page - 1) * PAGE_SIZE);
}

/** A record as it is answered: its fields, and nothing else of its row. */
export function toRecord(resource: AnyResource, row: RecordRow, images: readonly ImageRow[]): ServerRecord {
  const { id, version, created_at, updated_at } = row;
  // not the columns of a newer version, which may run beside this one
  const fields = Object.fromEntries(
    resource.fields.filter((field) => !isManyFiles(field)).map(({ name }) => [name, row[name] ?? null]),
  );
  return { id, ...fields, created_at, updated_at, ...(hasImages(resource) ? { images } : {}), version };
}

/**
 * A list of ids as one parameter, so that the statement is the same for any number of them. They are the keys of an object,
 * which every database expands with the same SQL.
 */
function among(ids: readonly number[]) {
  const keys = JSON.stringify(Object.fromEntries(ids.map((id) => [id, 0])));
  return sql<number>`(SELECT CAST(key AS BIGINT) FROM json_each(${keys}))`;
}

/** The images of a kind's records, or of some of them. */
async function imagesByRecord(
  db: Database,
  resource: Resource,
  ids?: readonly number[],
): Promise<Map<number, ImageRow[]>> {
  const all = db.selectFrom('images').selectAll().where('resource', '=', resource.name).orderBy('id');
  const rows = await (ids === undefined ? all : all.where('record_id', 'in', among(ids))).execute();
  const byRecord = new Map<number, ImageRow[]>();
  for (const { record_id, id, image } of rows) {
    const images = byRecord.get(record_id);
    if (images === undefined) byRecord.set(record_id, [{ id, image }]);
    else images.push({ id, image });
  }
  return byRecord;
}

async function filesOf(
  db: Database,
  resource: AnyResource,
  row: RecordRow,
  images: readonly ImageRow[],
): Promise<StoredFile[]> {
  const names = [...ownFiles(resource, row), ...images.map((image) => image.image)];
  if (names.length === 0) return [];
  return db.selectFrom('files').selectAll().where('name', 'in', names).execute();
}

/** The metadata of those of these files that are stored. */
export async function filesNamed(db: Database, names: readonly string[]): Promise<StoredFile[]> {
  if (names.length === 0) return [];
  const keys = JSON.stringify(Object.fromEntries(names.map((name) => [name, 0])));
  const wanted = sql<string>`(SELECT key FROM json_each(${keys}))`;
  return db.selectFrom('files').selectAll().where('name', 'in', wanted).execute();
}

/** The metadata of each received file of a record. It proves delivery although pictures are re-encoded. */
function filesGiven(
  resource: AnyResource,
  row: RecordRow,
  images: readonly ImageRow[],
  files: readonly StoredFile[],
): object[] {
  const fieldByName = new Map(images.map((image) => [image.image, 'images']));
  for (const field of resource.fields) {
    const name = row[field.name];
    if (isSingleFile(field) && typeof name === 'string') fieldByName.set(name, field.name);
  }
  const names = [...ownFiles(resource, row), ...images.map((image) => image.image)];
  return files
    .toSorted((one, other) => names.indexOf(one.name) - names.indexOf(other.name))
    .map((file) => ({
      field: fieldByName.get(file.name),
      name: file.name,
      sha256: file.received_sha256,
      size: file.received_size,
      originalName: file.original_name,
      type: file.type,
    }));
}
