import { isManyFiles, isSingleFile } from '../../../src/domain/fields.ts';
import type { AnyResource } from '../../../src/domain/resource.ts';
import { invalid } from '../../errors/refusal.ts';
import type { StoredFile } from '../../uploads/storage.ts';
import type { Database, RecordRow, Writing } from './tables.ts';

/** Names in one statement. Every database takes more values than this. */
const NAMES_AT_ONCE = 500;

/** A stored file and its field. */
export interface PlacedFile {
  readonly field: string;
  readonly stored: StoredFile;
}

/** One image of a record. */
export interface ImageRow {
  readonly id: number;
  readonly image: string;
}

/** Stores the rows of a change's files. */
export async function keepFiles(writing: Writing, placed: readonly PlacedFile[]): Promise<void> {
  if (placed.length === 0) return;
  await writing
    .insertInto('files')
    .values(placed.map((file) => file.stored))
    .execute();
}

/** Drops the rows of files that nothing references any more. They leave the disk after the commit. */
export async function dropFiles(writing: Writing, names: readonly string[]): Promise<void> {
  for (let at = 0; at < names.length; at += NAMES_AT_ONCE) {
    const some = names.slice(at, at + NAMES_AT_ONCE);
    await writing.deleteFrom('files').where('name', 'in', some).execute();
    await writing
      .insertInto('removed_files')
      .values(some.map((name) => ({ name })))
      .execute();
  }
}

/** A record whose files are kept, and since when, ISO 8601. */
export interface KeptOf {
  readonly resource: string;
  readonly record_id: number;
  readonly since: string;
}

/** Keeps files that a record has no more, out of the public's reach, so that they can be restored. */
export async function keepAside(writing: Writing, of: KeptOf, names: readonly string[]): Promise<void> {
  for (let at = 0; at < names.length; at += NAMES_AT_ONCE) {
    const rows = names.slice(at, at + NAMES_AT_ONCE).map((name) => ({ name, ...of }));
    await writing.insertInto('trashed_files').values(rows).execute();
  }
}

/** Images of one record: the answer that shows them is one page. */
const MOST_IMAGES = 500;

/** Adds images to a record in the given order, under the given ids if any. Returns their ids. Throws 422 if it has too many. */
export async function addImages(
  writing: Writing,
  resource: AnyResource,
  recordId: number,
  placed: readonly PlacedFile[],
  given: readonly (number | undefined)[] = [],
): Promise<readonly number[]> {
  const rows = placed.map(({ stored }, index) => ({
    ...(given[index] === undefined ? {} : { id: given[index] }),
    resource: resource.name,
    record_id: recordId,
    image: stored.name,
  }));
  if (rows.length === 0) return [];
  const { count } = await writing
    .selectFrom('images')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('resource', '=', resource.name)
    .where('record_id', '=', recordId)
    .executeTakeFirstOrThrow();
  if (Number(count) + rows.length > MOST_IMAGES)
    throw invalid({ images: [`A record holds at most ${MOST_IMAGES} images. Delete some first.`] });
  if (given.length === 0) {
    const added = await writing.insertInto('images').values(rows).returning('id').execute();
    return added.map(({ id }) => id).toSorted((one, other) => one - other);
  }
  const ids: number[] = [];
  for (const row of rows) {
    const { id } = await writing.insertInto('images').values(row).returning('id').executeTakeFirstOrThrow();
    ids.push(id);
  }
  return ids;
}

/** The images of one record, oldest first. */
export function imagesOf(db: Database, resource: AnyResource, recordId: number): Promise<ImageRow[]> {
  return db
    .selectFrom('images')
    .select(['id', 'image'])
    .where('resource', '=', resource.name)
    .where('record_id', '=', recordId)
    .orderBy('id')
    .execute();
}

/** The metadata of a stored file that anyone may read: not of one in the trash. */
export function publicFile(db: Database, name: string): Promise<StoredFile | undefined> {
  const trashed = db.selectFrom('trashed_files').select('name').where('name', '=', name);
  const file = db.selectFrom('files').selectAll().where('name', '=', name);
  return file.where(({ not, exists }) => not(exists(trashed))).executeTakeFirst();
}

/** Names of all stored pictures, newest first. */
export async function storedPictures(db: Database): Promise<string[]> {
  const pictures = db.selectFrom('files').select('name').where('type', 'like', 'image/%');
  const rows = await pictures.orderBy('created_at', 'desc').execute();
  return rows.map((row) => row.name);
}

/** Names of the files in a row's own columns (`catalog`, `image`). */
export function ownFiles(resource: AnyResource, row: RecordRow): string[] {
  return resource.fields
    .filter(isSingleFile)
    .map((field) => row[field.name])
    .filter((name): name is string => typeof name === 'string');
}

/** True for kinds with a list of images besides their columns. */
export function hasImages(resource: AnyResource): boolean {
  return resource.fields.some(isManyFiles);
}
