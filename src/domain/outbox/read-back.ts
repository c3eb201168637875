import type { ListRow, Resource, ServerRecord } from '../resource.ts';
import { isValue } from '../fields.ts';
import { textOf } from '../resource.ts';
import { sameText } from './conflict.ts';
import type { CreateChange } from './vocabulary.ts';

/** A contract-only server tells nothing about a create's fate but its list. These rules read it. */

/** Rows that were not there before the first attempt and that no other change of this device has made. */
export function newRowIds(
  rows: readonly ListRow[],
  knownIds: readonly number[],
  claimedIds: ReadonlySet<number>,
): number[] {
  const known = new Set(knownIds);
  return rows.map(({ id }) => id).filter((id) => !known.has(id) && !claimedIds.has(id));
}

/** True when the record holds what the create sent: its texts, and a file wherever one was sent. */
export function fitsCreate(resource: Resource, change: CreateChange, record: ServerRecord): boolean {
  const texts = resource.fields
    .filter(isValue)
    .every(({ name }) => sameText(change.values[name], textOf(record[name])));
  const images = change.files.filter(({ field }) => field === 'images').length;
  return texts && (record.images?.length ?? images) >= images;
}

/**
 * True when the record could be the created one with somebody else's edit on it: the texts that name it are the same, or all
 * but one of several.
 */
export function resemblesCreate(resource: Resource, change: CreateChange, record: ServerRecord): boolean {
  const same = (name: string) => sameText(change.values[name], textOf(record[name]));
  const names = resource.fields.filter(isValue).map(({ name }) => name);
  return resource.title.every(same) || (names.length > 2 && names.filter(same).length >= names.length - 1);
}

/** What the rows that fit say: none, send again; one, that is it; several, someone has to look. */
export type Finding =
  | { readonly found: 'none' }
  | { readonly found: 'one'; readonly id: number }
  | { readonly found: 'several'; readonly ids: readonly number[] };

/** Sums up which rows fit. */
export function finding(ids: readonly number[]): Finding {
  const [first, ...others] = ids;
  if (first === undefined) return { found: 'none' };
  return others.length === 0 ? { found: 'one', id: first } : { found: 'several', ids };
}
