import { isValue, type ValueField } from '../../domain/fields.ts';
import { MAX_FILE_BYTES } from '../../domain/limits.ts';
import type { Resource } from '../../domain/resource.ts';
import { type FieldErrors, type Values, validate } from '../../domain/validate.ts';
import { withSchemes } from '../../domain/web-address.ts';
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

/** The file names that were chosen for all lines without any, by field. */
export type Fills = Readonly<Record<string, readonly string[]>>;

/** Names the files chosen for all in a line that names none and needs some. */
export function withFills(line: ImportLine, fills: Fills): ImportLine {
  const lacking = Object.entries(fills).filter(
    ([field]) => line.errors[field] !== undefined && (line.fileNames[field] ?? []).length === 0,
  );
  if (lacking.length === 0) return line;
  const filled = new Set(lacking.map(([field]) => field));
  return {
    ...line,
    fileNames: { ...line.fileNames, ...Object.fromEntries(lacking) },
    errors: Object.fromEntries(Object.entries(line.errors).filter(([field]) => !filled.has(field))),
  };
}

/** So many lines with the same error are told of once. */
const MANY = 3;

/** One error of many lines. */
export interface Cause {
  readonly field: string;
  readonly text: string;
  readonly lines: readonly ImportLine[];
}

/** The errors that many lines share, most frequent first. */
export function sharedCauses(lines: readonly ImportLine[]): readonly Cause[] {
  const found = new Map<string, Cause & { readonly lines: ImportLine[] }>();
  for (const line of lines) {
    for (const [field, [text = '']] of Object.entries(line.errors)) {
      const key = `${field} ${text}`;
      const cause = found.get(key) ?? { field, text, lines: [] };
      cause.lines.push(line);
      found.set(key, cause);
    }
  }
  return [...found.values()]
    .filter((cause) => cause.lines.length >= MANY)
    .toSorted((one, other) => other.lines.length - one.lines.length);
}

/** What the server would refuse of the values, with the allowed values of choices. */
export function valueErrors(resource: Resource, values: Values): FieldErrors {
  const fields = resource.fields.filter(isValue);
  const errors = validate(fields, {
    values: withSchemes(fields, values),
    files: [],
    creating: false,
    maxFileBytes: MAX_FILE_BYTES,
  });
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
