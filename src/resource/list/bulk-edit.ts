import { isValue } from '../../domain/fields.ts';
import { baseOf } from '../../domain/outbox/base.ts';
import { sameText } from '../../domain/outbox/conflict.ts';
import { valuesOf } from '../../domain/outbox/optimistic-view.ts';
import { type Resource, textOf } from '../../domain/resource.ts';
import type { Values } from '../../domain/validate.ts';
import type { ChangeDraft, DraftAbout } from '../../api/outbox.ts';
import type { Row } from './list-rules.ts';
import { sayTitle } from '../say-title.ts';

/** One record of a bulk edit: the old and the new value of its field. */
export interface BulkChange {
  readonly row: Row;
  readonly title: string;
  readonly before: string;
  readonly after: string;
}

/** The records that a new value would change, each with its current value. */
export function bulkChanges(resource: Resource, rows: readonly Row[], field: string, after: string): BulkChange[] {
  return rows
    .map((row) => ({ row, title: sayTitle(resource, { ...row, id: row.recordId }), before: textOf(row[field]), after }))
    .filter(({ before }) => !sameText(before, after));
}

/** True if all values of a record are known here. Saving it otherwise would empty the unknown ones. */
export function isWholeRow(resource: Resource, row: Row): boolean {
  return resource.fields.filter(isValue).every(({ name }) => row[name] !== undefined);
}

/**
 * The edits as changes for the outbox, or, with `undoing`, the changes that revert them. A row combines a list and a record
 * that were read at different times, so no single version covers it: the sender compares the record with the values seen here.
 */
export function bulkDrafts(
  resource: Resource,
  field: string,
  changes: readonly BulkChange[],
  { administrator, undoing = false }: { administrator: string; undoing?: boolean },
): { draft: ChangeDraft; about: DraftAbout }[] {
  return changes.map(({ row, title, before, after }) => {
    const old: Values = { ...valuesOf(resource, row), [field]: before };
    const fresh: Values = { ...old, [field]: after };
    const [from, to] = undoing ? [fresh, old] : [old, fresh];
    const { version: _, ...seen } = baseOf(resource, row);
    const base = { ...seen, values: from };
    const { recordId } = row;
    return {
      draft: { op: 'update', resource: resource.name, recordId, values: to, files: [], base },
      about: { administrator, title },
    };
  });
}
