import { type AttachmentField, type Field, isManyFiles, isValue, wireName } from '../../domain/fields.ts';
import type { Resource } from '../../domain/resource.ts';
import { type FieldErrors, type Values, validate } from '../../domain/validate.ts';
import { withSchemes } from '../../domain/web-address.ts';
import { type FormFile, filesOf } from '../../fields/form-file.ts';
import { t } from '../../language/t.ts';

/** The values and files of a form. */
export interface FormContent {
  readonly values: Values;
  readonly files: readonly FormFile[];
}

/** The content of a new record: every text field empty. */
export function emptyContent(resource: Pick<Resource, 'fields'>): FormContent {
  return { values: Object.fromEntries(resource.fields.filter(isValue).map((field) => [field.name, ''])), files: [] };
}

/** True if the content differs from `start`. */
export function differs(start: FormContent, now: FormContent): boolean {
  const names = new Set([...Object.keys(start.values), ...Object.keys(now.values)]);
  const typed = [...names].some((name) => (start.values[name] ?? '') !== (now.values[name] ?? ''));
  const keys = (content: FormContent) => content.files.map((file) => file.key).join();
  return typed || keys(start) !== keys(now);
}

/** The names of the fields that were typed into since `base`, or all fields of a draft without one. */
export function typedFields({
  values,
  base,
}: {
  readonly values: Values;
  readonly base?: { readonly values: Values };
}): string[] {
  return Object.keys(values).filter((name) => base === undefined || values[name] !== (base.values[name] ?? ''));
}

/** The current values, and the files that were not part of the save. */
export function typedSince(saved: FormContent, now: FormContent): FormContent {
  const keys = new Set(saved.files.map(({ key }) => key));
  return { values: now.values, files: now.files.filter(({ key }) => !keys.has(key)) };
}

/** Only the values and files changed since the save. */
export function changedSince(saved: FormContent, now: FormContent): FormContent {
  const typed = Object.entries(now.values).filter(([name, value]) => value !== (saved.values[name] ?? ''));
  return { ...typedSince(saved, now), values: Object.fromEntries(typed) };
}

/** The first error of a field. Errors of single files (`images.0`) belong to those files, if they exist. */
export function firstError(field: Field, errors: FieldErrors, files: readonly FormFile[]): string | undefined {
  const own = errors[field.name]?.[0] ?? errors[wireName(field)]?.[0];
  if (own !== undefined || !isManyFiles(field)) return own;
  const count = filesOf(files, field).length;
  const stray = Object.keys(errors).find((key) => isMember(field, key) && memberOf(key) >= count);
  return stray === undefined ? memberSummary(field, errors) : errors[stray]?.[0];
}

/** The first message of each error without a field in the form, so that nothing the server says is lost. */
export function unplacedErrors(fields: readonly Field[], errors: FieldErrors): string[] {
  const belongs = (key: string) =>
    fields.some((field) => key === field.name || key === wireName(field) || isMember(field, key));
  return Object.entries(errors).flatMap(([key, [text]]) => (text === undefined || belongs(key) ? [] : [text]));
}

/** The first error of each file of a field, in order. */
export function fileErrors(field: AttachmentField, errors: FieldErrors, count: number): (string | undefined)[] {
  return Array.from({ length: count }, (_, at) => errors[`${field.name}.${at}`]?.[0]);
}

/** What the server would refuse, as far as this device knows. */
export function hintsFor(
  fields: readonly Field[],
  content: FormContent,
  facts: { readonly creating: boolean; readonly maxFileBytes: number },
): FieldErrors {
  const files = content.files.map(({ field, type, blob }) => ({ field, type, size: blob.size }));
  return validate(fields, { values: withSchemes(fields, content.values), files, ...facts });
}

function memberSummary(field: Field, errors: FieldErrors): string | undefined {
  const wrong = Object.keys(errors).filter((key) => isMember(field, key));
  if (wrong.length === 0) return undefined;
  return wrong.length === 1
    ? errors[wrong[0] ?? '']?.[0]
    : t('{count} photos have a problem. See each one.', { count: wrong.length });
}

function isMember(field: Field, key: string): boolean {
  return key.startsWith(`${field.name}.`);
}

function memberOf(key: string): number {
  return Number(key.slice(key.indexOf('.') + 1));
}
