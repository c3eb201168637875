/**
 * The kinds of field a record can have. A definition is data: no functions, no markup, no conditions
 * (`structuredClone(resource)` equals it). *How* a kind is shown, sent, stored or checked is one mapped
 * type per layer (`{ [K in FieldKind]: … }`), so that a new kind is a compile error wherever it is missing.
 */

interface FieldBase {
  /** The name on the wire, of the form control and of the stored column. */
  readonly name: string;
  /** What people read; the text of the control's `<label>`. */
  readonly label: string;
  /** Must be there when a record is created. Files may be left out of an update: the stored ones are kept. */
  readonly required: boolean;
}

/** One line of text. `format` adds the server's rule and the fitting on-screen keyboard. */
export interface TextField extends FieldBase {
  readonly kind: 'text';
  readonly maxLength: number;
  readonly format?: 'url' | 'email' | 'tel';
}

/** Several lines of text; `rows` is the height of the text area. */
export interface LongTextField extends FieldBase {
  readonly kind: 'longText';
  readonly maxLength: number;
  readonly rows: number;
}

/** A whole number, typed with the given step. */
export interface IntegerField extends FieldBase {
  readonly kind: 'integer';
  readonly step: number;
}

/** One of a fixed list of values. The stored value is the text itself. */
export interface ChoiceField extends FieldBase {
  readonly kind: 'choice';
  readonly options: readonly string[];
}

/** One of a list that the server supplies; `dependsOn` names the field whose value the list depends on. */
export interface LookupField extends FieldBase {
  readonly kind: 'lookup';
  readonly lookup: LookupName;
  readonly dependsOn?: string;
}

/** One document (the catalogue). A new one replaces the stored one. */
export interface FileField extends FieldBase {
  readonly kind: 'file';
  readonly accept: readonly FileType[];
}

/** One image. A new one replaces the stored one. */
export interface ImageField extends FieldBase {
  readonly kind: 'image';
  readonly accept: readonly FileType[];
}

/** Any number of images, each with an id of its own. New ones are added; on the wire the name gets `[]`. */
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

/** Media types of files that can travel. */
export type FileType =
  | 'image/jpeg'
  | 'image/png'
  | 'image/webp'
  | 'image/gif'
  | 'application/pdf'
  | 'application/msword'
  | 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/** Every field's rule for text where the definition names none: the length of a VARCHAR column. */
export const TEXT_LENGTH = 255;

/** What a photo may be. GIF is taken where the server takes it. */
export const IMAGE_TYPES = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/gif',
] as const satisfies readonly FileType[];

/** What a catalogue file may be: a PDF, a Word document or an image. */
export const CATALOG_TYPES = [
  'application/pdf',
  'application/msword',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'image/jpeg',
  'image/png',
  'image/webp',
] as const satisfies readonly FileType[];

/** How people name a media type. */
export const FILE_TYPE_NAMES: Readonly<Record<FileType, string>> = {
  'image/jpeg': 'JPEG',
  'image/png': 'PNG',
  'image/webp': 'WebP',
  'image/gif': 'GIF',
  'application/pdf': 'PDF',
  'application/msword': 'Word',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'Word',
};

/** What a field of each kind carries: a text, one file in the place of the one before, or files that add up. */
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

/** Fields whose value is text on the wire and in a row. */
export type ValueField = FieldOf<Carrying<'text'>>;
/** Fields that carry files. */
export type AttachmentField = FieldOf<Carrying<'file' | 'files'>>;

/** True for fields that carry files (`catalog`, `image`, `images`). */
export function isAttachment(field: Field): field is AttachmentField {
  return CARRIES[field.kind] !== 'text';
}

/** True for fields that carry one file, which a new one replaces. */
export function isSingleFile(field: Field): field is FieldOf<Carrying<'file'>> {
  return CARRIES[field.kind] === 'file';
}

/** True for fields whose files add up, each with an id of its own. */
export function isManyFiles(field: Field): field is FieldOf<Carrying<'files'>> {
  return CARRIES[field.kind] === 'files';
}

/** True for fields whose value is text. */
export function isValue(field: Field): field is ValueField {
  return !isAttachment(field);
}

/** The name a field's files or text travel under: `images` becomes `images[]` (PHP's way of repeating a name). */
export function wireName(field: Field): string {
  return isManyFiles(field) ? `${field.name}[]` : field.name;
}
