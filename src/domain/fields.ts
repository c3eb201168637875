/**
 * The kinds of field in a record. A definition is pure data: no functions, no markup, no conditions
 * (`structuredClone(resource)` equals it). *How* a kind is shown, sent, stored or validated is one mapped
 * type per layer (`{ [K in FieldKind]: … }`), so that a missing kind is a compile error.
 */

interface FieldBase {
  /** The name in requests, of the form control and of the database column. */
  readonly name: string;
  /** The text of the control's `<label>`. */
  readonly label: string;
  /** Required on create. An update may omit files and keeps the stored ones. */
  readonly required: boolean;
}

/** A line of text. `format` adds the server's rule and the matching on-screen keyboard. */
export interface TextField extends FieldBase {
  readonly kind: 'text';
  readonly maxLength: number;
  readonly format?: 'url' | 'email' | 'tel';
}

/** Multi-line text. `rows` is the height of the text area. */
export interface LongTextField extends FieldBase {
  readonly kind: 'longText';
  readonly maxLength: number;
  readonly rows: number;
}

/** A whole number, entered with the given step. */
export interface IntegerField extends FieldBase {
  readonly kind: 'integer';
  readonly step: number;
}

/** A choice from a fixed list. The stored value is the text itself. */
export interface ChoiceField extends FieldBase {
  readonly kind: 'choice';
  readonly options: readonly string[];
}

/** A choice from a list that the server supplies. `dependsOn` names the field that the list depends on. */
export interface LookupField extends FieldBase {
  readonly kind: 'lookup';
  readonly lookup: LookupName;
  readonly dependsOn?: string;
}

/** A document (the catalogue). A new one replaces the stored one. */
export interface FileField extends FieldBase {
  readonly kind: 'file';
  readonly accept: readonly FileType[];
}

/** A single image. A new one replaces the stored one. */
export interface ImageField extends FieldBase {
  readonly kind: 'image';
  readonly accept: readonly FileType[];
}

/** Any number of images, each with its own id. New ones are added. In requests, `[]` is appended to the name. */
export interface ImagesField extends FieldBase {
  readonly kind: 'images';
  readonly accept: readonly FileType[];
}

export type Field =
  | TextField
  | LongTextField
  | IntegerField
  | ChoiceField
  | LookupField
  | FileField
  | ImageField
  | ImagesField;
export type FieldKind = Field['kind'];
export type FieldOf<K extends FieldKind> = Extract<Field, { kind: K }>;

/** The lists that the server supplies. */
export type LookupName = 'generator-series' | 'ups-types' | 'gti-brands';

/** Media types of files that can be sent. */
export type FileType =
  | 'image/jpeg'
  | 'image/png'
  | 'image/webp'
  | 'image/gif'
  | 'application/pdf'
  | 'application/msword'
  | 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/** The default length limit of text: that of a VARCHAR column. */
export const TEXT_LENGTH = 255;

/** Media types of photos. GIF is allowed if the server accepts it. */
export const IMAGE_TYPES = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/gif',
] as const satisfies readonly FileType[];

/** Media types of catalogue files: PDF, Word document or image. */
export const CATALOG_TYPES = [
  'application/pdf',
  'application/msword',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'image/jpeg',
  'image/png',
  'image/webp',
] as const satisfies readonly FileType[];

/** Display names of media types. */
export const FILE_TYPE_NAMES: Readonly<Record<FileType, string>> = {
  'image/jpeg': 'JPEG',
  'image/png': 'PNG',
  'image/webp': 'WebP',
  'image/gif': 'GIF',
  'application/pdf': 'PDF',
  'application/msword': 'Word',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'Word',
};

/** What each kind of field carries: text, a file that replaces the previous one, or files that are added. */
const CARRIES = {
  text: 'text',
  longText: 'text',
  integer: 'text',
  choice: 'text',
  lookup: 'text',
  file: 'file',
  image: 'file',
  images: 'files',
} as const satisfies Readonly<Record<FieldKind, 'text' | 'file' | 'files'>>;

type Carrying<C> = { [K in FieldKind]: (typeof CARRIES)[K] extends C ? K : never }[FieldKind];

/** Fields whose value is text in requests and rows. */
export type ValueField = FieldOf<Carrying<'text'>>;
/** Fields that carry files. */
export type AttachmentField = FieldOf<Carrying<'file' | 'files'>>;

/** True for fields that carry files (`catalog`, `image`, `images`). */
export function isAttachment(field: Field): field is AttachmentField {
  return CARRIES[field.kind] !== 'text';
}

/** True for fields with a single file, which a new one replaces. */
export function isSingleFile(field: Field): field is FieldOf<Carrying<'file'>> {
  return CARRIES[field.kind] === 'file';
}

/** True for fields with several files, each with its own id. New ones are added. */
export function isManyFiles(field: Field): field is FieldOf<Carrying<'files'>> {
  return CARRIES[field.kind] === 'files';
}

/** True for fields whose value is text. */
export function isValue(field: Field): field is ValueField {
  return !isAttachment(field);
}

/** A field's name in requests: `images` becomes `images[]` (PHP's syntax for a repeated name). */
export function wireName(field: Field): string {
  return isManyFiles(field) ? `${field.name}[]` : field.name;
}
