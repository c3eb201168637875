import type { FastifyRequest } from 'fastify';
import { type Field, isAttachment } from '../../src/domain/fields.ts';
import { invalid } from '../errors/refusal.ts';
import { requiredText, type Values } from '../../src/domain/validate.ts';
import { isForm, type ReceivedForm } from '../uploads/form.ts';
import type { ReceivedFile } from '../uploads/received.ts';

/** A form, sorted into the fields of a record. */
export interface Submitted {
  readonly values: Values;
  readonly files: readonly ReceivedFile[];
  /** File fields that were sent as text. */
  readonly textForFile: readonly string[];
}

/** Alternative field names of some clients: one add screen for UPS sends `series`. */
const OTHER_NAMES: Readonly<Record<string, string>> = { type: 'series' };

/** The form of a request. A JSON object or a plain form counts as a form without files. */
export function formOf(request: FastifyRequest): ReceivedForm {
  const body: unknown = request.body;
  if (isForm(body)) return body;
  if (typeof body !== 'object' || body === null) return { texts: new Map(), files: [] };
  const texts = Object.entries(body).filter((entry): entry is [string, string | number] => isText(entry[1]));
  return { texts: new Map(texts.map(([name, value]) => [name, String(value)])), files: [] };
}

/** Sorts a form into the given fields. Trims texts and normalises line ends to `\n`, because forms send `\r\n`. */
export function readSubmitted(fields: readonly Field[], form: ReceivedForm): Submitted {
  const values = fields
    .filter((field) => !isAttachment(field))
    .map((field) => [field.name, textOf(field, form)] as const);
  const attachments = fields.filter(isAttachment).map((field) => field.name);
  return {
    values: Object.fromEntries(values),
    files: filesFor(fields, form.files),
    textForFile: attachments.filter((name) => ['', '[]'].some((end) => form.texts.get(name + end)?.trim())),
  };
}

/** The error key of a file. Members of `images` have their own keys. */
export function errorKeyOf(fields: readonly Field[], files: readonly ReceivedFile[], file: ReceivedFile): string {
  const isMany = fields.some((field) => field.name === file.field && field.kind === 'images');
  const place = files.filter((other) => other.field === file.field).indexOf(file);
  return isMany ? `${file.field}.${place}` : file.field;
}

function textOf(field: Field, form: ReceivedForm): string {
  const other = field.kind === 'lookup' ? OTHER_NAMES[field.name] : undefined;
  const text = form.texts.get(field.name) ?? (other === undefined ? undefined : form.texts.get(other)) ?? '';
  return text.replaceAll('\r\n', '\n').trim();
}

/** The files of the given fields. A single-file field takes the last of several. */
function filesFor(fields: readonly Field[], files: readonly ReceivedFile[]): ReceivedFile[] {
  return fields.filter(isAttachment).flatMap((field) => {
    const own = files.filter((file) => file.field === field.name && !isEmptyPick(file));
    return field.kind === 'images' ? own : own.slice(-1);
  });
}

/** True for the empty part that a browser sends for a file input without a file. */
function isEmptyPick(file: ReceivedFile): boolean {
  return file.size === 0 && file.originalName === '';
}

function isText(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

/** Throws 422 with a message for each empty text. */
export function refuseMissing(texts: Readonly<Record<string, string>>): void {
  const missing = Object.entries(texts).filter(([, text]) => text === '');
  if (missing.length > 0) throw invalid(Object.fromEntries(missing.map(([name]) => [name, [requiredText(name)]])));
}
