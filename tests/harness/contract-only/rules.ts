import { type Field, isAttachment } from '../../../src/domain/fields.ts';
import type { Errors } from './answers.ts';
import { type Body, type Input, isUpload } from './body.ts';
import type { ContentType } from './content-type.ts';
import { UPS_TYPES } from './seed.ts';

/** 5 MB. */
const MAX_IMAGE_KILOBYTES = 5120;
const IMAGE_TYPES: readonly ContentType[] = ['jpg', 'png', 'gif'];
const CATALOG_TYPES: readonly ContentType[] = ['pdf', 'doc', 'docx', 'jpg', 'png'];

/** Returns every rule that the input breaks, in the words of Laravel 8. An update may omit files. */
export function brokenRules(fields: readonly Field[], body: Body, creating: boolean): Errors {
  const errors: Errors = {};
  for (const field of fields) {
    const value = body.get(field.name) ?? null;
    if (value === null) {
      if (isAttachment(field) ? creating : field.required)
        errors[field.name] = [`The ${words(field.name)} field is required.`];
    } else if (field.kind === 'images') Object.assign(errors, imagesErrors(field.name, value));
    else note(errors, field.name, valueErrors(field, value));
  }
  return errors;
}

function valueErrors(field: Field, value: Input): string[] {
  const name = words(field.name);
  if (field.kind === 'image') return imageErrors(field.name, value);
  if (field.kind === 'file') return catalogErrors(field.name, value);
  if (typeof value !== 'string') return [`The ${name} must be a string.`];
  switch (field.kind) {
    case 'text':
      return textErrors(name, value, field.format);
    case 'integer':
      return /^[+-]?\d+$/.test(value) ? [] : [`The ${name} must be an integer.`];
    case 'choice':
      return field.options.includes(value) ? [] : [`The selected ${name} is invalid.`];
    case 'lookup':
      return field.lookup !== 'ups-types' || UPS_TYPES.includes(value) ? [] : [`The selected ${name} is invalid.`];
    default:
      return [];
  }
}

function textErrors(name: string, value: string, format: 'url' | 'email' | 'tel' | undefined): string[] {
  const texts: string[] = [];
  if (format === 'url' && !URL.canParse(value)) texts.push(`The ${name} must be a valid URL.`);
  if (format === 'email' && !/^[^\s@]+@[^\s@]+$/.test(value)) texts.push(`The ${name} must be a valid email address.`);
  if (value.length > 255) texts.push(`The ${name} must not be greater than 255 characters.`);
  return texts;
}

function imagesErrors(name: string, value: Input): Errors {
  if (!Array.isArray(value)) return { [name]: [`The ${name} must be an array.`] };
  const errors: Errors = {};
  value.forEach((item: Input, index) => note(errors, `${name}.${index}`, imageErrors(`${name}.${index}`, item)));
  return errors;
}

function imageErrors(name: string, value: Input): string[] {
  if (isUpload(value) && value.failed) return [`The ${name} failed to upload.`];
  const texts: string[] = [];
  if (!isUpload(value) || !isOneOf(IMAGE_TYPES, value.type)) {
    texts.push(`The ${name} must be an image.`, `The ${name} must be a file of type: jpeg, png, jpg, gif.`);
  }
  if (isUpload(value) && value.bytes.length > MAX_IMAGE_KILOBYTES * 1024) {
    texts.push(`The ${name} must not be greater than ${MAX_IMAGE_KILOBYTES} kilobytes.`);
  }
  return texts;
}

function catalogErrors(name: string, value: Input): string[] {
  const wrongType = `The ${name} must be a file of type: pdf, doc, docx, jpeg, jpg, png.`;
  if (!isUpload(value)) return [`The ${name} must be a file.`, wrongType];
  if (value.failed) return [`The ${name} failed to upload.`];
  return isOneOf(CATALOG_TYPES, value.type) ? [] : [wrongType];
}

function isOneOf(types: readonly ContentType[], type: ContentType | undefined): boolean {
  return type !== undefined && types.includes(type);
}

function note(errors: Errors, name: string, texts: string[]): void {
  if (texts.length > 0) errors[name] = texts;
}

function words(name: string): string {
  return name.replaceAll('_', ' ');
}
