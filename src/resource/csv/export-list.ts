import type { Resource } from '../../domain/resource.ts';
import type { Row } from '../list/list-rules.ts';
import { notify } from '../../stores/notifications.ts';
import { t } from '../../language/t.ts';
import { countUnknown, download, listCsv } from './csv-export.ts';
import { completeRows, wholeRows } from './whole-rows.ts';

/** So many records that are not fully on this device are asked for before an export. More would take minutes. */
const ASKED = 50;

/** Downloads the rows of a list as a CSV file, with everything this device knows about their records. Says what it leaves out. */
export async function exportList(resource: Resource, rows: readonly Row[]): Promise<void> {
  const known = await wholeRows(resource, rows);
  const missing = countUnknown(resource, known);
  const whole = missing > 0 && missing <= ASKED ? await completeRows(resource, rows) : known;
  const unknown = countUnknown(resource, whole);
  const text = listCsv(resource, whole);
  if (unknown > 0)
    notify(
      t(
        '{count, plural, one {# record isn’t} other {# records aren’t}} fully on this device and missing in the file. Try again with a connection.',
        { count: unknown },
      ),
      { kind: 'error' },
    );
  download(new Blob([text], { type: 'text/csv;charset=utf-8' }), `${resource.name}.csv`);
}
