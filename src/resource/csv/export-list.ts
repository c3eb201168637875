import type { Resource } from '../../domain/resource.ts';
import type { Row } from '../list/list-rules.ts';
import { download, listCsv } from './csv-export.ts';
import { wholeRows } from './whole-rows.ts';

/** Downloads the rows of a list as a CSV file, with everything this device knows about their records. */
export async function exportList(resource: Resource, rows: readonly Row[]): Promise<void> {
  const text = listCsv(resource, await wholeRows(resource, rows));
  download(new Blob([text], { type: 'text/csv;charset=utf-8' }), `${resource.name}.csv`);
}
