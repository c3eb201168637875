import { isValue } from '../../fields.ts';
import { sameText } from '../../outbox/conflict.ts';
import { type ListRow, type Resource, type ServerRecord, textOf } from '../../resource.ts';
import type { Values } from '../../validate.ts';

/** What a create sent, as far as a row can be like it. */
interface Created {
  readonly values: Values;
  readonly files: readonly { readonly field: string }[];
}

/** A contract-only server tells nothing about a create's fate but its list. These rules read it. */

/** Rows that were not there before the first attempt and that no other create is known to have made. */
export function newRowIds(
  rows: readonly ListRow[],
  knownIds: readonly number[],
  isClaimed: (id: number) => boolean,
): number[] {
  const known = new Set(knownIds);
  return rows.map(({ id }) => id).filter((id) => !known.has(id) && !isClaimed(id));
}

/** True when a list's row shows what the create sent, in those of its text columns that the row has. */
export function showsCreate(resource: Resource, change: Created, row: ListRow): boolean {
  return resource.columns.every(
    ({ kind, field }) =>
      kind === 'image' || row[field] === undefined || sameText(change.values[field], textOf(row[field])),
  );
}

/** True when the record holds what the create sent: its texts, and a file wherever one was sent. */
export function fitsCreate(resource: Resource, change: Created, record: ServerRecord): boolean {
  const images = change.files.filter(({ field }) => field === 'images').length;
  return holdsTexts(resource, change, record) && (record.images?.length ?? images) >= images;
}

/** True when the record holds every text that the create sent. */
export function holdsTexts(resource: Resource, { values }: Pick<Created, 'values'>, record: ServerRecord): boolean {
  return resource.fields.filter(isValue).every(({ name }) => sameText(values[name], textOf(record[name])));
}

/**
 * True when the record could be the created one with somebody else's edits on it: the texts that name it are the same; or all
 * texts but one; or half of them, the first of its name among them. To ask once too often is better than to make it twice.
 */
export function resemblesCreate(resource: Resource, change: Created, record: ServerRecord): boolean {
  const same = (name: string) => sameText(change.values[name], textOf(record[name]));
  const names = resource.fields.filter(isValue).map(({ name }) => name);
  const alike = names.filter(same).length;
  if (resource.title.every(same)) return true;
  if (names.length <= 2) return false;
  return alike >= names.length - 1 || (resource.title.slice(0, 1).every(same) && alike * 2 >= names.length);
}

/** True when so much is the same that its pictures are worth a look: somebody may have renamed the created record since. */
export function isAkinToCreate(resource: Resource, change: Created, record: ServerRecord): boolean {
  const same = (name: string) => sameText(change.values[name], textOf(record[name]));
  const names = resource.fields.filter(isValue).map(({ name }) => name);
  return resource.title.some(same) || names.filter(same).length * 2 >= names.length;
}
