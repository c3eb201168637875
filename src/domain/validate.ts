import {
  type AttachmentField,
  type Field,
  FILE_TYPE_NAMES,
  type FileType,
  isAttachment,
  isManyFiles,
  type ValueField,
} from './fields.ts';

/**
 * The server's validation rules, in one place. The server enforces them, and an offline device warns of what the server
 * would refuse. The messages are those of a stock Laravel back end, so that users see the same words from either kind of
 * server, except that sizes are in megabytes instead of kilobytes.
 */

const MEGABYTE = 1024 * 1024;

/** Control characters, except line ends and tabs. No keyboard types them. Invisible, they break exports and terminals. */
const CONTROL_CHARACTERS = /[^\P{Cc}\n\r\t]/u;

/** Messages per field. The first one is shown. Members of `images` have their own keys: `images.0`. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** The text values of a record by field name. Empty means none. */
export type Values = Readonly<Record<string, string>>;

/** The facts about a file that the rules check. `size` is in bytes. */
export interface FileFacts {
  /** The field's name, without `[]`. */
  readonly field: string;
  readonly type: string;
  readonly size: number;
}

export interface ValidationInput {
  readonly values: Values;
  readonly files: readonly FileFacts[];
  /** Files are required on create only. An update keeps the stored ones. */
  readonly creating: boolean;
  /** Largest file in bytes. */
  readonly maxFileBytes: number;
  /** The allowed values of lookup fields, if known. */
  readonly lookups?: Readonly<Record<string, readonly string[]>>;
}

/** Validates values and files against the definition's fields. Returns an empty object if all are valid. */
export function validate(fields: readonly Field[], input: ValidationInput): FieldErrors {
  const errors: Record<string, string[]> = {};
  for (const field of fields) {
    if (isAttachment(field)) Object.assign(errors, attachmentErrors(field, input));
    else {
      const text = valueError(field, (input.values[field.name] ?? '').trim(), input.lookups?.[field.name]);
      if (text !== undefined) errors[field.name] = [text];
    }
  }
  return errors;
}

/** A field's name in a sentence: `generator_model` becomes "generator model". */
export function attributeName(name: string): string {
  return name.replaceAll('_', ' ');
}

/** The message for a missing required field. */
export function requiredText(name: string): string {
  return `The ${attributeName(name)} field is required.`;
}

function valueError(field: ValueField, value: string, lookupValues: readonly string[] | undefined): string | undefined {
  if (value === '') return field.required ? requiredText(field.name) : undefined;
  const attribute = attributeName(field.name);
  if (CONTROL_CHARACTERS.test(value)) return `The ${attribute} must not contain control characters.`;
  switch (field.kind) {
    case 'text':
      if (value.length > field.maxLength) return tooLong(attribute, field.maxLength);
      if (field.format === 'url' && !isWebAddress(value)) return `The ${attribute} must be a valid URL.`;
      if (field.format === 'email' && !isEmail(value)) return `The ${attribute} must be a valid email address.`;
      return undefined;
    case 'longText':
      return value.length > field.maxLength ? tooLong(attribute, field.maxLength) : undefined;
    case 'integer':
      return isInteger(value) ? undefined : `The ${attribute} must be an integer.`;
    case 'choice':
      return field.options.includes(value) ? undefined : `The selected ${attribute} is invalid.`;
    case 'lookup':
      return lookupValues === undefined || lookupValues.includes(value)
        ? undefined
        : `The selected ${attribute} is invalid.`;
    default:
      return field satisfies never;
  }
}

/** The error key of the `index`th file of a field: `catalog`, `images.1`. */
export function errorKey(field: Field, index: number): string {
  return isAttachment(field) && isManyFiles(field) ? `${field.name}.${index}` : field.name;
}

function attachmentErrors(field: AttachmentField, input: ValidationInput): Record<string, string[]> {
  const files = input.files.filter((file) => file.field === field.name);
  if (files.length === 0) return input.creating && field.required ? { [field.name]: [requiredText(field.name)] } : {};
  const errors: Record<string, string[]> = {};
  files.forEach((file, index) => {
    const key = errorKey(field, index);
    const texts = fileErrors(field, key, file, input.maxFileBytes);
    if (texts.length > 0) errors[key] = texts;
  });
  return errors;
}

function fileErrors(field: AttachmentField, key: string, file: FileFacts, maxFileBytes: number): string[] {
  const texts: string[] = [];
  if (!(field.accept as readonly string[]).includes(file.type)) {
    const names = [...new Set(field.accept.map((type: FileType) => FILE_TYPE_NAMES[type]))].join(', ');
    texts.push(`The ${attributeName(key)} must be a file of type: ${names}.`);
  }
  if (file.size === 0) texts.push(`The ${attributeName(key)} is empty.`);
  if (file.size > maxFileBytes) texts.push(tooLargeText(file.size, maxFileBytes));
  return texts;
}

/** The message for a file that is too large. Takes bytes. The size is rounded up, so that it never reads as the limit. */
export function tooLargeText(size: number, limit: number): string {
  const [unit, name] = limit < MEGABYTE ? [1024, 'kB'] : [MEGABYTE, 'MB'];
  const tooLarge = Math.ceil((size / unit) * 10) / 10;
  return `Too large: ${tooLarge} ${name}. The limit is ${limitText(limit)}.`;
}

/** Formats a limit in bytes: "64 kB", "10 MB". */
export function limitText(limit: number): string {
  return limit < MEGABYTE ? `${Math.floor(limit / 1024)} kB` : `${Math.floor((limit / MEGABYTE) * 10) / 10} MB`;
}

function tooLong(attribute: string, maxLength: number): string {
  return `The ${attribute} must not be greater than ${maxLength} characters.`;
}

function isInteger(value: string): boolean {
  return /^[+-]?\d{1,10}$/.test(value) && Math.abs(Number(value)) <= 2_147_483_647;
}

function isWebAddress(value: string): boolean {
  return /^https?:\/\/[^\s/?#]+\.?[^\s]*$/i.test(value);
}

function isEmail(value: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value);
}
