import { isValue } from '../../domain/fields.ts';
import { isLocalId } from '../../domain/outbox/vocabulary.ts';
import { type Resource, textOf } from '../../domain/resource.ts';
import type { Row } from '../list/list-rules.ts';
import { formatCsv } from './csv.ts';

/**
 * The rows as CSV, ids first and columns named as on the wire, so that the file can be imported again. A column whose value
 * is unknown for a record on the server is left out: an import would empty it there.
 */
export function listCsv(resource: Resource, rows: readonly Row[]): string {
  const isKnown = (name: string) => rows.every((row) => row[name] !== undefined || isLocalId(row.recordId));
  const fields = resource.fields
    .filter(isValue)
    .filter(({ name }) => rows.some((row) => row[name] !== undefined) && isKnown(name));
  const heading = ['id', ...fields.map((field) => field.name)];
  const lines = rows.map((row) => [row.recordId, ...fields.map((field) => textOf(row[field.name]))]);
  return formatCsv([heading, ...lines]);
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
