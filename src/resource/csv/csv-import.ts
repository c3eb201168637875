import { type AttachmentField, isAttachment, isValue, type ValueField } from '../../domain/fields.ts';
import { sameText } from '../../domain/outbox/conflict.ts';
import { isLocalId } from '../../domain/outbox/vocabulary.ts';
import type { Resource } from '../../domain/resource.ts';
import type { FieldErrors, Values } from '../../domain/validate.ts';
import { withScheme } from '../../domain/web-address.ts';
import type { Row } from '../list/list-rules.ts';
import { numberedRows, parseCsv } from './csv.ts';
import { cutErrors, fileErrors, idErrors } from './import-errors.ts';
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
  const named = heading.map((name) => columnOf(resource, name));
  // of two columns for one field the first counts
  const columns = named.map((column, place) => (named.indexOf(column) === place ? column : undefined));
  const file: FileFacts = {
    known: new Map(rows.map((row) => [row.recordId, row])),
    isListHere: rows.length === 0 || rows.some(({ recordId }) => !isLocalId(recordId)),
    picked,
    seen: new Map(),
  };
  const lines = body.map(({ number, cells }) => {
    const told = Object.fromEntries(
      columns.flatMap((column, place) => {
        const cell = cells[place];
        return column === undefined || cell === undefined ? [] : [[column, cell]];
      }),
    );
    return lineOf(resource, told, { ...file, cut: columns.slice(cells.length) }, number);
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

/** What a line is read with. */
interface FileFacts {
  /** The records of the list, by id. */
  readonly known: ReadonlyMap<string, Row>;
  /** False if this device has only records that were created here, so that it cannot tell which exist. */
  readonly isListHere: boolean;
  readonly picked: ReadonlySet<string>;
  /** The line that changes a record, of those read before, by its id. */
  readonly seen: Map<string, number>;
}

/** `cut` holds the columns for which the line has no cell. */
interface LineFacts extends FileFacts {
  readonly cut: readonly (string | undefined)[];
}

function lineOf(
  resource: Resource,
  told: Readonly<Record<string, string>>,
  facts: LineFacts,
  line: number,
): ImportLine {
  const { known, picked, seen, cut, isListHere } = facts;
  const id = (told['id'] ?? '').trim();
  const row = known.get(id);
  const values: Record<string, string> = {};
  for (const field of resource.fields.filter(isValue)) values[field.name] = valueIn(told[field.name], row, field);
  const fileNames = Object.fromEntries(
    resource.fields.filter(isAttachment).map((field) => [field.name, namesIn(told[field.name], row, field)]),
  );
  const unchanged = row !== undefined && isUnchanged(resource, row, values, fileNames);
  const before = seen.get(id);
  // a line that changes nothing stands in nobody's way
  if (id !== '' && before === undefined && !unchanged) seen.set(id, line);
  const errors = {
    ...valueErrors(resource, values),
    ...cutErrors(cut, row),
    ...fileErrors(resource, fileNames, picked, id === ''),
  };
  return {
    line,
    ...(row === undefined ? {} : { recordId: id }),
    title: sayTitle(resource, { ...values, ...(id === '' ? {} : { id }) }),
    values,
    fileNames,
    errors: { ...errors, ...idErrors(resource, { id, row, told, before, isListHere }) },
    ...(unchanged && { unchanged: true }),
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

/** The file names in a cell. The names of an existing record's stored files change nothing. */
function namesIn(cell: string | undefined, row: Row | undefined, { name: field }: AttachmentField): string[] {
  const names = (cell ?? '').split(';').map((name) => name.trim());
  const stored = storedNames(row, field);
  return names.filter((name) => name !== '' && !stored.includes(name));
}

function storedNames(row: Row | undefined, field: string): string[] {
  const value = row?.[field];
  if (!Array.isArray(value)) return [textIn(row, field)];
  return value.map((one: unknown) => textIn(one as Row, 'image'));
}

/** Spaces around a value are none of it, unless the record has exactly this text. A missing cell keeps what the record has. */
function valueIn(cell: string | undefined, row: Row | undefined, field: ValueField): string {
  const before = textIn(row, field.name);
  return cell === undefined || cell === before ? before : withScheme(field, cell.trim());
}

function textIn(row: Row | undefined, name: string): string {
  const value = row?.[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
