import { type Field, isManyFiles, isSingleFile, isValue, type ValueField } from '../../../src/domain/fields.ts';
import type { AnyResource, Resource } from '../../../src/domain/resource.ts';
import type { Values } from '../../../src/domain/validate.ts';
import type { RecordRow, Writing } from './tables.ts';
import { tableOf } from './tables.ts';
import { notFound } from '../../errors/refusal.ts';
import { timestamp } from '../../services.ts';
import type { SqlServices } from './services.ts';
import { addImages, dropFiles, imagesOf, keepAside, keepFiles, ownFiles, type PlacedFile } from './record-files.ts';
import { rowOf } from './read.ts';
import { type Marks, newVersion } from './versions.ts';

type Columns = Record<string, string | number | null>;

/** The changed record, and its version after the change. */
export interface Written {
  readonly id: number;
  readonly version: string;
  /** The ids of the images that were added, in order. Absent if none. */
  readonly images?: readonly number[];
}

/** The ids to give. Others are given where one is undefined. */
export interface GivenIds {
  readonly record?: number | undefined;
  readonly images: readonly (number | undefined)[];
}

/** Versions, times, and for how long the files of earlier versions are kept. */
export type Keeping = Marks & Pick<SqlServices, 'settings'>;

/** What a record has no more is kept for its history, as long as deleted records are. */
async function letGo(
  keeping: Keeping,
  writing: Writing,
  { resource, id }: { readonly resource: AnyResource; readonly id: number },
  names: readonly string[],
): Promise<void> {
  if (keeping.settings.trashDays === 0) return dropFiles(writing, names);
  await keepAside(writing, { resource: resource.name, record_id: id, since: timestamp(keeping) }, names);
}

/** Adds a record with its files. */
export async function createRecord(
  marks: Marks,
  writing: Writing,
  resource: Resource,
  values: Values,
  placed: readonly PlacedFile[],
  given?: GivenIds,
): Promise<Written> {
  await keepFiles(writing, placed);
  const at = timestamp(marks);
  const version = newVersion(marks);
  const columns = { ...columnsOf(resource.fields, values), ...fileColumns(resource, placed) };
  const { id } = await writing
    .insertInto(tableOf(resource))
    .values({
      ...(given?.record === undefined ? {} : { id: given.record }),
      version,
      created_at: at,
      updated_at: at,
      ...columns,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const images = await addImages(writing, resource, id, imagesAmong(resource, placed), given?.images);
  return { id, version, ...(images.length === 0 ? {} : { images }) };
}

/** Replaces a record's texts. New files replace (`catalog`, `image`) or are added (`images`); omitted ones are kept. */
export async function updateRecord(
  marks: Keeping,
  writing: Writing,
  resource: AnyResource,
  id: number,
  values: Values,
  placed: readonly PlacedFile[],
  given?: GivenIds,
): Promise<Written> {
  const before = await rowOf(writing, resource, id);
  const replacing = fileColumns(resource, placed);
  await keepFiles(writing, placed);
  const version = await touch(marks, writing, resource, id, { ...columnsOf(resource.fields, values), ...replacing });
  const images = await addImages(writing, resource, id, imagesAmong(resource, placed), given?.images);
  const replaced = Object.keys(replacing).map((name) => before[name]);
  await letGo(
    marks,
    writing,
    { resource, id },
    replaced.filter((name): name is string => typeof name === 'string'),
  );
  return { id, version, ...(images.length === 0 ? {} : { images }) };
}

/** Deletes a record and drops its files. */
export async function deleteRecord(writing: Writing, resource: Resource, row: RecordRow): Promise<void> {
  const images = await imagesOf(writing, resource, row.id);
  await writing.deleteFrom('images').where('resource', '=', resource.name).where('record_id', '=', row.id).execute();
  await writing.deleteFrom(tableOf(resource)).where('id', '=', row.id).execute();
  await dropFiles(writing, [...ownFiles(resource, row), ...images.map((image) => image.image)]);
}

/** Deletes one image of a record, which gives the record a new version. Throws 404. */
export async function deleteImage(
  marks: Keeping,
  writing: Writing,
  resource: Resource,
  image: { readonly id: number; readonly recordId: number; readonly image: string },
): Promise<Written> {
  const { numDeletedRows } = await writing.deleteFrom('images').where('id', '=', image.id).executeTakeFirst();
  if (numDeletedRows === 0n) throw notFound('This image no longer exists.');
  await letGo(marks, writing, { resource, id: image.recordId }, [image.image]);
  return { id: image.recordId, version: await touch(marks, writing, resource, image.recordId, {}) };
}

/** How each kind of field stores its text. */
const STORED: { readonly [K in ValueField['kind']]: (text: string) => string | number } = {
  text: String,
  longText: String,
  integer: Number,
  choice: String,
  lookup: String,
};

/** Converts texts to columns. An empty text is null. */
export function columnsOf(fields: readonly Field[], values: Values): Columns {
  const columns: Columns = {};
  for (const field of fields.filter(isValue)) {
    const value = values[field.name];
    if (value !== undefined) columns[field.name] = value === '' ? null : STORED[field.kind](value);
  }
  return columns;
}

async function touch(
  marks: Marks,
  writing: Writing,
  resource: AnyResource,
  id: number,
  columns: Columns,
): Promise<string> {
  const version = newVersion(marks);
  await writing
    .updateTable(tableOf(resource))
    .set({ ...columns, version, updated_at: timestamp(marks) })
    .where('id', '=', id)
    .execute();
  return version;
}

function fileColumns(resource: AnyResource, placed: readonly PlacedFile[]): Columns {
  const single = resource.fields.filter(isSingleFile);
  const files = single.flatMap((field) => placed.filter((file) => file.field === field.name));
  return Object.fromEntries(files.map((file) => [file.field, file.stored.name]));
}

function imagesAmong(resource: AnyResource, placed: readonly PlacedFile[]): PlacedFile[] {
  return placed.filter((file) => resource.fields.some((field) => isManyFiles(field) && field.name === file.field));
}
