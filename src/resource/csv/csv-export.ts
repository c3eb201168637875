import { isValue, type ValueField } from '../../domain/fields.ts';
import { isLocalId } from '../../domain/outbox/vocabulary.ts';
import { type Resource, textOf } from '../../domain/resource.ts';
import type { Row } from '../list/list-rules.ts';
import { formatCsv } from './csv.ts';

/**
 * The rows as CSV, ids first and columns named as on the wire, so that the file can be imported again. It has the columns whose
 * values are known for most of the records on the server. A record with an unknown value among them is left out: an import would
 * empty it. So is what waits to be deleted, and what the server has refused to create.
 */
export function listCsv(resource: Resource, rows: readonly Row[]): string {
  const fields = exportedFields(resource, rows.filter(isExported));
  const heading = ['id', ...fields.map((field) => field.name)];
  const lines = rows
    .filter((row) => isExported(row) && isWhole(fields, row))
    .map((row) => [row.recordId, ...fields.map((field) => textOf(row[field.name]))]);
  return formatCsv([heading, ...lines]);
}

/** The number of records that `listCsv` leaves out because not all of their values are known here. */
export function countUnknown(resource: Resource, rows: readonly Row[]): number {
  const exported = rows.filter(isExported);
  const fields = exportedFields(resource, exported);
  return exported.filter((row) => !isWhole(fields, row)).length;
}

function isExported(row: Row): boolean {
  return row['pending'] !== 'delete' && !(row['pending'] === 'create' && row['status'] === 'refused');
}

function exportedFields({ fields }: Resource, rows: readonly Row[]): ValueField[] {
  const stored = rows.filter(({ recordId }) => !isLocalId(recordId));
  return fields.filter(isValue).filter(({ name }) => {
    const known = (row: Row) => row[name] !== undefined;
    return stored.length === 0 ? rows.some(known) : stored.filter(known).length * 2 > stored.length;
  });
}

function isWhole(fields: readonly ValueField[], row: Row): boolean {
  return isLocalId(row.recordId) || fields.every(({ name }) => row[name] !== undefined);
}

/** Downloads content as a file. */
export function download(content: Blob, fileName: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  // Safari reads the address after the click has returned.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
