import type { ValueField } from '../../domain/fields.ts';
import { MAX_FILE_BYTES } from '../../domain/limits.ts';
import type { Resource } from '../../domain/resource.ts';
import { textOf } from '../../domain/resource.ts';
import { completeRows } from '../csv/whole-rows.ts';
import { hintsFor } from '../form/content.ts';
import { type SaveResult, saveChange } from '../form/save.ts';
import { bulkChanges, bulkDrafts, isWholeRow } from './bulk-edit.ts';
import type { Row } from './list-rules.ts';

/** A new value for one field of one record. */
export interface CellEdit {
  readonly resource: Resource;
  readonly row: Row;
  readonly field: ValueField;
  readonly value: string;
}

/** `unchanged`: the value is the same. `unknown`: this device does not have the whole record and cannot read it now. */
export type CellResult = SaveResult | { readonly kind: 'unchanged' } | { readonly kind: 'unknown' };

/** The reason the server would refuse a value, as far as this device can tell. */
export function hintFor({ field, value }: Pick<CellEdit, 'field' | 'value'>): string | undefined {
  const content = { values: { [field.name]: value }, files: [] };
  return hintsFor([field], content, { creating: false, maxFileBytes: MAX_FILE_BYTES })[field.name]?.[0];
}

/**
 * Saves the value as an edit on the version in the list, and follows the change for a moment. While `isOpen`, a refused value
 * returns to the editor and nothing stays queued.
 */
export async function saveCell(edit: CellEdit, administrator: string, isOpen: () => boolean): Promise<CellResult> {
  const { resource, row, field, value } = edit;
  const [whole] = await completeRows(resource, [row]);
  if (whole === undefined || !isWholeRow(resource, whole)) return { kind: 'unknown' };
  const changes = bulkChanges(resource, [whole], field.name, value);
  const [made] = bulkDrafts(resource, field.name, changes, { administrator });
  if (made === undefined || made.draft.op !== 'update') return { kind: 'unchanged' };
  const version = row['pending'] === undefined ? textOf(whole['version']) : '';
  const base = version === '' ? made.draft.base : { ...made.draft.base, version };
  return saveChange({ ...made.draft, base }, made.about, undefined, { onStored: () => undefined, isOpen });
}
