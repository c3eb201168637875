import { type Field, isAttachment, isManyFiles, isSingleFile } from '../../src/domain/fields.ts';
import { type AnyResource, type ServerRecord, uploadAddress } from '../../src/domain/resource.ts';
import { shownValue } from '../../src/domain/shown.ts';
import { downloadName } from '../protocol/download-name.ts';
import { PICTURE_WIDTHS, type PictureWidth } from '../uploads/picture-sizes.ts';
import type { StoredFile } from '../uploads/storage.ts';

/** Names that the wire abbreviates. All others are the definition's, in camel case. */
const PUBLIC_NAMES: Readonly<Record<string, string>> = { fb: 'facebook', tw: 'twitter', li: 'linkedin' };

/** A picture: its own address, and those of its smaller versions by width in pixels. */
export interface ContentImage {
  readonly url: string;
  readonly widths: Readonly<Record<PictureWidth, string>>;
}

/** A document to download. `size` is in bytes. */
export interface ContentFile {
  readonly url: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
}

/** A value as the public sees it: empty texts are null. */
export type ContentValue = string | number | null | ContentImage | readonly ContentImage[] | ContentFile;

/** A record as the public sees it: no version, no administrator. `updatedAt` is ISO 8601 in UTC. */
export interface ContentRecord {
  readonly id: number;
  readonly updatedAt: string;
  readonly [field: string]: ContentValue;
}

/** A record with its JSON, which every answer that contains it shares. */
export interface ContentItem {
  readonly record: ContentRecord;
  readonly json: string;
}

/** What the public shape of a record is made from. */
export interface ContentSources {
  /** Comes before the path of an address: empty, or the origin of a public host. */
  readonly origin: string;
  /** The metadata of stored documents, by name. */
  readonly files: ReadonlyMap<string, Pick<StoredFile, 'name' | 'type' | 'size' | 'original_name'>>;
}

/** The name of a field in the content API. */
export function publicName({ name }: Pick<Field, 'name'>): string {
  return PUBLIC_NAMES[name] ?? name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The public shape of a record. */
export function contentItem(resource: AnyResource, stored: ServerRecord, sources: ContentSources): ContentItem {
  const values = resource.fields.map((field) => [publicName(field), contentValue(field, stored, sources)] as const);
  const record = { id: stored.id, ...Object.fromEntries(values), updatedAt: String(stored['updated_at']) };
  return { record, json: JSON.stringify(record) };
}

/** Names of the documents that a record refers to. */
export function documentsOf(resource: AnyResource, record: ServerRecord): string[] {
  const documents = resource.fields.filter((field) => field.kind === 'file').map((field) => record[field.name]);
  return documents.filter((name): name is string => typeof name === 'string' && name !== '');
}

function contentValue(field: Field, record: ServerRecord, sources: ContentSources): ContentValue {
  if (isManyFiles(field)) return (record.images ?? []).map(({ image }) => imageAt(sources.origin, image));
  const value = record[field.name];
  if (isSingleFile(field)) {
    if (typeof value !== 'string' || value === '') return null;
    return field.kind === 'image' ? imageAt(sources.origin, value) : fileAt(sources, value);
  }
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value !== '' ? shownValue(value) : null;
}

function imageAt(origin: string, name: string): ContentImage {
  const url = origin + uploadAddress(name);
  const widths = PICTURE_WIDTHS.map((width) => [width, `${url}?width=${width}`] as const);
  return { url, widths: Object.fromEntries(widths) as ContentImage['widths'] };
}

function fileAt({ origin, files }: ContentSources, name: string): ContentFile | null {
  const file = files.get(name);
  if (file === undefined) return null;
  return { url: origin + uploadAddress(name), name: downloadName(file), type: file.type, size: file.size };
}

/** True for fields by whose value a list is filtered and sorted. */
export function isFilterable(field: Field): boolean {
  return !isAttachment(field) && field.kind !== 'longText';
}
