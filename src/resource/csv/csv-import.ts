import { isAttachment, isValue } from '../../domain/fields.ts';
import { sameText } from '../../domain/outbox/conflict.ts';
import type { Resource } from '../../domain/resource.ts';
import type { FieldErrors, Values } from '../../domain/validate.ts';
import type { Row } from '../list/list-rules.ts';
import { numberedRows, parseCsv } from './csv.ts';
import { fileErrors, idErrors } from './import-errors.ts';
import { valueErrors } from './line-fixes.ts';
import { sayTitle } from '../say-title.ts';

/** A parsed line of a CSV file, ready for preview and import. */
export interface ImportLine {
  /** Its row in a spreadsheet, counted from 1. */
  readonly line: number;
  /** The record to update; absent for a new one. */
  readonly recordId?: string;
  readonly title: string;
  readonly values: Values;
  /** File names by field; a cell separates several with semicolons. */
  readonly fileNames: Readonly<Record<string, readonly string[]>>;
  /** What the server would refuse, by field. */
  readonly errors: FieldErrors;
  /** Present if the record already has these values, and the line names no files. */
  readonly unchanged?: true;
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
  const [{ cells: heading } = { cells: [] }, ...body] = numberedRows(text);
  const columns = heading.map((name) => columnOf(resource, name));
  const known = new Map(rows.map((row) => [row.recordId, row]));
  const lines = body.map(({ number, cells }) => {
    const told = Object.fromEntries(
      columns.flatMap((column, place) => (column === undefined ? [] : [[column, (cells[place] ?? '').trim()]])),
    );
    return lineOf(resource, told, known, picked, number);
  });
  return { lines, ignored: heading.filter((_, place) => columns[place] === undefined) };
}

/** Counts lines that create, update, or have errors. */
export function countLines(lines: readonly ImportLine[]): { created: number; changed: number; wrong: number } {
  const good = lines.filter(isReady);
  const changed = good.filter((line) => line.recordId !== undefined).length;
  return { created: good.length - changed, changed, wrong: lines.filter(hasErrors).length };
}

/** True if importing the line creates or changes a record. */
export function isReady(line: ImportLine): boolean {
  return !hasErrors(line) && line.unchanged === undefined;
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
    ...fileErrors(resource, fileNames, picked, id === ''),
  };
  return {
    line,
    ...(row === undefined ? {} : { recordId: id }),
    title: sayTitle(resource, { ...values, ...(id === '' ? {} : { id }) }),
    values,
    fileNames,
    errors: { ...errors, ...idErrors(resource, id, row, told) },
    ...(row !== undefined && isUnchanged(resource, row, values, fileNames) && { unchanged: true }),
  };
}

function isUnchanged(resource: Resource, row: Row, values: Values, fileNames: ImportLine['fileNames']): boolean {
  if (Object.values(fileNames).some((names) => names.length > 0)) return false;
  return resource.fields
    .filter(isValue)
    .every(({ name }) => row[name] !== undefined && sameText(values[name], textIn(row, name)));
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
