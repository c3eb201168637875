import { isAttachment, isValue } from '../../domain/fields.ts';
import type { Resource } from '../../domain/resource.ts';
import type { FieldErrors, Values } from '../../domain/validate.ts';
import type { Row } from '../list/list-rules.ts';
import { parseCsv } from './csv.ts';
import { fileErrors, idErrors } from './import-errors.ts';
import { valueErrors } from './line-fixes.ts';
import { sayTitle } from '../say-title.ts';

/** A parsed line of a CSV file, ready for preview and import. */
export interface ImportLine {
  /** Its line number; the heading is line 1. */
  readonly line: number;
  /** The record to update; absent for a new one. */
  readonly recordId?: string;
  readonly title: string;
  readonly values: Values;
  /** File names by field; a cell separates several with semicolons. */
  readonly fileNames: Readonly<Record<string, readonly string[]>>;
  /** What the server would refuse, by field. */
  readonly errors: FieldErrors;
}

export interface ImportPlan {
  readonly lines: readonly ImportLine[];
  /** Columns that match no field. */
  readonly ignored: readonly string[];
}

/**
 * Parses a CSV file into changes. A line with a known id updates that record, a line without an id creates one. An updated record
 * keeps fields without a column, so its row must be complete. `picked` are the names of the files chosen with the CSV file.
 */
export function planImport(
  resource: Resource,
  text: string,
  rows: readonly Row[],
  picked: ReadonlySet<string>,
): ImportPlan {
  const [heading = [], ...body] = parseCsv(text);
  const columns = heading.map((name) => columnOf(resource, name));
  const known = new Map(rows.map((row) => [row.recordId, row]));
  const lines = body.map((cells, at) => {
    const told = Object.fromEntries(
      columns.flatMap((column, place) => (column === undefined ? [] : [[column, (cells[place] ?? '').trim()]])),
    );
    return lineOf(resource, told, known, picked, at + 2);
  });
  return { lines, ignored: heading.filter((_, place) => columns[place] === undefined) };
}

/** Counts lines that create, update, or have errors. */
export function countLines(lines: readonly ImportLine[]): { created: number; changed: number; wrong: number } {
  const good = lines.filter((line) => !hasErrors(line));
  const changed = good.filter((line) => line.recordId !== undefined).length;
  return { created: good.length - changed, changed, wrong: lines.length - good.length };
}

export function hasErrors(line: ImportLine): boolean {
  return Object.keys(line.errors).length > 0;
}

function lineOf(
  resource: Resource,
  told: Readonly<Record<string, string>>,
  known: ReadonlyMap<string, Row>,
  picked: ReadonlySet<string>,
  line: number,
): ImportLine {
  const id = told['id'] ?? '';
  const row = known.get(id);
  const values: Record<string, string> = {};
  for (const { name } of resource.fields.filter(isValue)) values[name] = told[name] ?? textIn(row, name);
  const fileNames = Object.fromEntries(
    resource.fields
      .filter(isAttachment)
      .map((field) => [field.name, namesIn(told[field.name], picked, row !== undefined)]),
  );
  const errors = {
    ...valueErrors(resource, values),
    ...fileErrors(resource, fileNames, picked, row === undefined),
  };
  return {
    line,
    ...(row === undefined ? {} : { recordId: id }),
    title: sayTitle(resource, { ...values, ...(id === '' ? {} : { id }) }),
    values,
    fileNames,
    errors: { ...errors, ...idErrors(resource, id, row, told) },
  };
}

/** The record ids in a file. */
export function importedIds(text: string): string[] {
  const [heading = [], ...body] = parseCsv(text);
  const place = heading.findIndex((name) => name.trim().toLowerCase() === 'id');
  return place === -1 ? [] : body.map((cells) => (cells[place] ?? '').trim()).filter((id) => id !== '');
}

/** Matches a column to a field by name or label, ignoring case. */
function columnOf(resource: Resource, heading: string): string | undefined {
  const wanted = heading.trim().toLowerCase();
  if (wanted === 'id') return 'id';
  return resource.fields.find(({ name, label }) => name.toLowerCase() === wanted || label.toLowerCase() === wanted)
    ?.name;
}

/** The file names in a cell. For an existing record, names that were not picked mean its stored files. */
function namesIn(cell: string | undefined, picked: ReadonlySet<string>, keepsStored: boolean): string[] {
  const names = (cell ?? '').split(';').map((name) => name.trim());
  return names.filter((name) => name !== '' && (!keepsStored || picked.has(name)));
}

function textIn(row: Row | undefined, name: string): string {
  const value = row?.[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
