import { isValue } from '../../domain/fields.ts';
import { leadingQuantity } from '../../domain/quantities.ts';
import { baseOf } from '../../domain/outbox/base.ts';
import { sameText } from '../../domain/outbox/conflict.ts';
import { valuesOf } from '../../domain/outbox/optimistic-view.ts';
import { fieldOf, type Resource, textOf } from '../../domain/resource.ts';
import type { Values } from '../../domain/validate.ts';
import { withScheme } from '../../domain/web-address.ts';
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
export function bulkChanges(resource: Resource, rows: readonly Row[], field: string, typed: string): BulkChange[] {
  const after = withScheme(fieldOf(resource, field), typed);
  return rows
    .map((row) => ({ row, title: sayTitle(resource, { ...row, id: row.recordId }), before: textOf(row[field]), after }))
    .filter(({ before }) => !sameText(before, after));
}

/** The values of records that are as many units as they are texts: a new one without a unit stands out. */
const MOSTLY = 0.5;

/** An example of how others write a quantity, if what was typed has no unit or another one. Undefined if it fits. */
export function unlikeOthers(rows: readonly Row[], field: string, typed: string): string | undefined {
  const texts = rows.map((row) => textOf(row[field]).trim()).filter((text) => text !== '');
  const quantities = texts.filter((text) => leadingQuantity(text) !== undefined);
  if (quantities.length <= texts.length * MOSTLY) return undefined;
  const unit = leadingQuantity(typed)?.unit;
  return quantities.some((text) => leadingQuantity(text)?.unit === unit) ? undefined : quantities[0];
}

/** The rows that keep their dependent values with a new one: an inverter's brand has to be one of its type. */
export function rowsAllowing(
  resource: Resource,
  rows: readonly Row[],
  field: string,
  allowed: readonly string[] | undefined,
): readonly Row[] {
  const dependent = resource.fields.find((one) => one.kind === 'lookup' && one.dependsOn === field);
  if (dependent === undefined || allowed === undefined) return rows;
  return rows.filter((row) => allowed.includes(textOf(row[dependent.name])));
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
