import { isValue, type ValueField } from '../../domain/fields.ts';
import { MAX_FILE_BYTES } from '../../domain/limits.ts';
import type { Resource } from '../../domain/resource.ts';
import { type FieldErrors, type Values, validate } from '../../domain/validate.ts';
import { formatCsv } from './csv.ts';
import type { ImportLine } from './csv-import.ts';
import { say, t } from '../../language/t.ts';
import { sayTitle } from '../say-title.ts';

/** Applies fixes to a line and validates it again. Errors of its files and id stay. */
export function withFixes(resource: Resource, line: ImportLine, fixes: Values): ImportLine {
  const { unchanged: _, ...others } = line;
  const values = { ...line.values, ...fixes };
  const { recordId } = line;
  const title = sayTitle(resource, { ...values, ...(recordId === undefined ? {} : { id: recordId }) });
  return {
    ...others,
    title,
    values,
    errors: { ...otherErrors(resource, line.errors), ...valueErrors(resource, values) },
  };
}

/** What the server would refuse of the values, with the allowed values of choices. */
export function valueErrors(resource: Resource, values: Values): FieldErrors {
  const fields = resource.fields.filter(isValue);
  const errors = validate(fields, { values, files: [], creating: false, maxFileBytes: MAX_FILE_BYTES });
  const named = fields.flatMap((field) => {
    const [text] = errors[field.name] ?? [];
    return text === undefined ? [] : [[field.name, [`${say(text)}${allowedWords(field)}`]] as const];
  });
  return { ...errors, ...Object.fromEntries(named) };
}

/** The fields of a line that can be fixed by typing. */
export function wrongFields(resource: Resource, { errors }: ImportLine): ValueField[] {
  return resource.fields.filter(isValue).filter(({ name }) => errors[name] !== undefined);
}

/** An empty CSV file with all columns. */
export function templateCsv(resource: Resource): string {
  return formatCsv([['id', ...resource.fields.map(({ name }) => name)]]);
}

/** " Allowed: Single Phase, Three Phase.", or an empty string for free text. */
function allowedWords(field: ValueField): string {
  return field.kind === 'choice' ? ` ${t('Allowed: {names}.', { names: field.options.join(', ') })}` : '';
}

function otherErrors(resource: Resource, errors: FieldErrors): FieldErrors {
  const names = resource.fields.filter(isValue).map(({ name }) => name);
  return Object.fromEntries(Object.entries(errors).filter(([name]) => !names.includes(name)));
}
