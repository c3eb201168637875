import { isValue } from '../../fields.ts';
import { sameText } from '../../outbox/conflict.ts';
import { type ListRow, type Resource, type ServerRecord, textOf } from '../../resource.ts';
import type { Values } from '../../validate.ts';

/** The part of a create that a row is compared with. */
interface Created {
  readonly values: Values;
  readonly files: readonly { readonly field: string }[];
}

/** Rules for recognizing a created row in the list, the only evidence of a create on a contract-only server. */

/** Ids of rows added since the first attempt and not known to come from another create. */
export function newRowIds(
  rows: readonly ListRow[],
  knownIds: readonly number[],
  isClaimed: (id: number) => boolean,
): number[] {
  const known = new Set(knownIds);
  return rows.map(({ id }) => id).filter((id) => !known.has(id) && !isClaimed(id));
}

/** True if a list row shows what the create sent, in the text columns that it has. */
export function showsCreate(resource: Resource, change: Created, row: ListRow): boolean {
  return resource.columns.every(
    ({ kind, field }) =>
      kind === 'image' || row[field] === undefined || sameText(change.values[field], textOf(row[field])),
  );
}

/** True if the record holds what the create sent: all texts, and at least as many images. */
export function fitsCreate(resource: Resource, change: Created, record: ServerRecord): boolean {
  const images = change.files.filter(({ field }) => field === 'images').length;
  return holdsTexts(resource, change, record) && (record.images?.length ?? images) >= images;
}

/** True if the record holds all texts that the create sent. */
function holdsTexts(resource: Resource, { values }: Pick<Created, 'values'>, record: ServerRecord): boolean {
  return resource.fields.filter(isValue).every(({ name }) => sameText(values[name], textOf(record[name])));
}

/**
 * True if the record could be the created one with someone else's edits: the title texts are the same; or all texts but
 * one; or half of them, including the first of the title. One question too many is better than a duplicate.
 */
export function resemblesCreate(resource: Resource, change: Created, record: ServerRecord): boolean {
  const same = (name: string) => sameText(change.values[name], textOf(record[name]));
  const names = saidFields(resource, change, record);
  const alike = names.filter(same).length;
  if (resource.title.every(same)) return true;
  if (names.length <= 2) return false;
  return alike >= names.length - 1 || (resource.title.slice(0, 1).every(same) && alike * 2 >= names.length);
}

/** True if enough is the same to compare pictures: someone may have renamed the created record since. */
export function isAkinToCreate(resource: Resource, change: Created, record: ServerRecord): boolean {
  const same = (name: string) => sameText(change.values[name], textOf(record[name]));
  const names = saidFields(resource, change, record);
  return (
    resource.title.some((name) => names.includes(name) && same(name)) || names.filter(same).length * 2 >= names.length
  );
}

/** The fields with a text on at least one side. Fields that are empty on both are no likeness. */
function saidFields(resource: Resource, { values }: Created, record: ServerRecord): string[] {
  const names = resource.fields.filter(isValue).map(({ name }) => name);
  return names.filter((name) => !sameText(values[name], '') || !sameText(textOf(record[name]), ''));
}
