import { device } from '../../api/device.ts';
import { recordCopy } from '../../api/sources.ts';
import { isLocalId } from '../../domain/outbox/vocabulary.ts';
import type { Resource } from '../../domain/resource.ts';
import { isWholeRow } from '../list/bulk-edit.ts';
import type { Row } from '../list/list-rules.ts';

/**
 * The rows of a list with everything this device knows of their records. A list may have only its columns; what was made or
 * changed here, and the columns, which are newer, lie over the kept records.
 */
export async function wholeRows(resource: Resource, rows: readonly Row[]): Promise<Row[]> {
  const { cache } = await device();
  const kept = await cache.readWhole(resource.name);
  const records = new Map(kept?.records.map((record) => [String(record.id), record]));
  return rows.map((row) => together(records.get(row.recordId), row));
}

/** A list and a record that were read at different times have no version together. */
function together(record: Readonly<Record<string, unknown>> | undefined, row: Row): Row {
  const whole: Row = { ...record, ...row };
  if (record === undefined || record['version'] === whole['version']) return whole;
  return { ...whole, version: undefined };
}

/** The same for a few rows, those that still lack something being asked for one by one. */
export async function completeRows(resource: Resource, rows: readonly Row[]): Promise<Row[]> {
  const complete: Row[] = [];
  for (const row of await wholeRows(resource, rows)) {
    complete.push(
      isWholeRow(resource, row) || isLocalId(row.recordId) ? row : together(await asked(resource, row), row),
    );
  }
  return complete;
}

async function asked(resource: Resource, row: Row) {
  const copy = recordCopy(resource, Number(row.recordId));
  await copy.refresh();
  return copy.state().value;
}
