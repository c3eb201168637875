import { type AttachmentField, isAttachment, isValue } from '../../domain/fields.ts';
import { type Resource, textOf } from '../../domain/resource.ts';
import { type FieldErrors, requiredText } from '../../domain/validate.ts';
import type { Row } from '../list/list-rules.ts';
import { say, t } from '../../language/t.ts';

/** The id of a line, and what is known of its record. */
interface LineId {
  readonly id: string;
  readonly row: Row | undefined;
  readonly told: Readonly<Record<string, string>>;
  /** An earlier line with this id. */
  readonly before: number | undefined;
  /** False if this device cannot tell which records exist. */
  readonly isListHere: boolean;
}

/** Errors of a line's id. An update needs the whole record: unknown fields without a column would be emptied. */
export function idErrors(resource: Resource, { id, row, told, before, isListHere }: LineId): FieldErrors {
  if (id === '') return {};
  const what = say(resource.label.one);
  if (before !== undefined) return { id: [t('Line {line} is for {what} {id} too.', { line: before, what, id })] };
  if (row === undefined) return { id: [isListHere ? t('There is no {what} {id}.', { what, id }) : notHere(what, id)] };
  if (row['pending'] === 'delete') return { id: [t('{what} {id} is waiting to be deleted.', { what, id })] };
  const unknown = resource.fields
    .filter(isValue)
    .some(({ name }) => told[name] === undefined && row[name] === undefined);
  return unknown ? { id: [notHere(what, id)] } : {};
}

function notHere(what: string, id: string): string {
  return t('{what} {id} isn’t fully on this device. Try again with a connection.', { what, id });
}

/**
 * Errors of a line that ends before columns (`cut`) in which its record has a value: it may have been emptied, since spreadsheets
 * leave out empty cells at the end, or never exported.
 */
export function cutErrors(cut: readonly (string | undefined)[], row: Row | undefined): FieldErrors {
  const filled = cut.filter((name) => name !== undefined && name !== 'id' && textOf(row?.[name]) !== '');
  return Object.fromEntries(
    filled.map((name) => [name, [t('The line ends before this column. Is this value right?')]]),
  );
}

/** Errors of the files a line names. `picked` are those chosen with the CSV file. */
export function fileErrors(
  resource: Resource,
  fileNames: Readonly<Record<string, readonly string[]>>,
  picked: ReadonlySet<string>,
  creating: boolean,
): FieldErrors {
  const errors: Record<string, string[]> = {};
  for (const field of resource.fields.filter(isAttachment)) {
    const names = fileNames[field.name] ?? [];
    const missing = names.filter((name) => !picked.has(name));
    if (missing.length > 0)
      errors[field.name] = [t('Choose {names} along with this file.', { names: missing.join(', ') })];
    else if (creating && isMissing(field, names)) errors[field.name] = [requiredText(field.name)];
  }
  return errors;
}

function isMissing(field: AttachmentField, names: readonly string[]): boolean {
  return field.required && names.length === 0;
}
