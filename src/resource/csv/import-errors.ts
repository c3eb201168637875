import { type AttachmentField, isAttachment, isValue } from '../../domain/fields.ts';
import type { Resource } from '../../domain/resource.ts';
import { type FieldErrors, requiredText } from '../../domain/validate.ts';
import type { Row } from '../list/list-rules.ts';
import { say, t } from '../../language/t.ts';

/** Errors of a line's id. An update needs the whole record: unknown fields without a column would be emptied. */
export function idErrors(
  resource: Resource,
  id: string,
  row: Row | undefined,
  told: Readonly<Record<string, string>>,
): FieldErrors {
  if (id === '') return {};
  if (row === undefined) return { id: [t('There is no {what} {id}.', { what: say(resource.label.one), id })] };
  const unknown = resource.fields
    .filter(isValue)
    .some(({ name }) => told[name] === undefined && row[name] === undefined);
  return unknown
    ? {
        id: [
          t('{what} {id} isn’t fully on this device. Try again with a connection.', {
            what: say(resource.label.one),
            id,
          }),
        ],
      }
    : {};
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
