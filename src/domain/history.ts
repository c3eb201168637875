import { isValue } from './fields.ts';
import { type AnyResource, fieldOf } from './resource.ts';
import type { Values } from './validate.ts';

/** A kind of record with a history. */
export type HistoryOwner = Pick<AnyResource, 'name' | 'fields'>;

/** One field of a change, with its values as text; null for none. Files have the names that administrators gave them. */
export interface FieldChange {
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** A file that a record had after an operation and has no more, but that is still kept. */
export interface KeptFile {
  /** The field's name. */
  readonly field: string;
  /** The stored name, by which the trash serves it. */
  readonly file: string;
  /** The administrator's name for it. */
  readonly name: string;
}

/** One operation on a record, as reported by this repository's server. */
export interface HistoryEntry {
  readonly id: number;
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** The administrator's name. */
  readonly administrator: string;
  readonly action: 'create' | 'update' | 'delete' | 'delete-image' | 'restore';
  /** The device that has sent it again after a backup was restored. Absent for any other change. */
  readonly sentAgainFrom?: string;
  readonly changes: readonly FieldChange[];
  /** The files of that version that the record has no more and that can be restored. Absent if there are none. */
  readonly files?: readonly KeptFile[];
}

const ACTION_WORDS: Readonly<Record<HistoryEntry['action'], string>> = {
  create: 'Created by',
  update: 'Changed by',
  delete: 'Deleted by',
  'delete-image': 'Image removed by',
  restore: 'Restored from the trash by',
};

/** The address of a page of a record's history: what happened before an entry, or the newest. */
export function historyPath(owner: Pick<HistoryOwner, 'name'>, id: number, before?: number): string {
  return `/api/history/${owner.name}/${id}${before === undefined ? '' : `?before=${before}`}`;
}

/** True if there may be a page before these entries: every record begins with its creation, unless sample data made it. */
export function mayBeMore(entries: readonly HistoryEntry[]): boolean {
  return entries.length > 0 && entries.at(-1)?.action !== 'create';
}

/** The action and its author, as in "Changed by Nadia Rahman". */
export function actionWords(entry: HistoryEntry): string {
  return `${ACTION_WORDS[entry.action]} ${entry.administrator}`;
}

/** The names of those who last changed each field. `entries` are sorted newest first. */
export function lastAuthors(entries: readonly HistoryEntry[]): Readonly<Record<string, string>> {
  const named = entries.flatMap(({ administrator, changes }) =>
    changes.map(({ field }) => [field, administrator] as const),
  );
  return Object.fromEntries(named.toReversed());
}

/** The changes to show for an entry. A creation and a deletion show none, because they are about every field. */
export function shownChanges(owner: HistoryOwner, entry: HistoryEntry): (FieldChange & { readonly label: string })[] {
  if (entry.action === 'create' || entry.action === 'delete') return [];
  return entry.changes.map((change) => ({ ...change, label: fieldOf(owner, change.field)?.label ?? change.field }));
}

/**
 * The texts of a record right after a history entry: the current texts with every later change reverted, without files.
 * `entries` are sorted newest first.
 */
export function valuesAfter(
  { fields }: HistoryOwner,
  entries: readonly HistoryEntry[],
  entry: HistoryEntry,
  now: Values,
): Values {
  const texts = new Set(fields.filter(isValue).map(({ name }) => name));
  const values: Record<string, string> = { ...now };
  for (const { changes } of entries.slice(0, entries.indexOf(entry)))
    for (const { field, before } of changes) if (texts.has(field)) values[field] = before ?? '';
  return values;
}
