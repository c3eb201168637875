import { isValue } from './fields.ts';
import { type AnyResource, fieldOf } from './resource.ts';
import type { Values } from './validate.ts';

/** What has a history. */
export type HistoryOwner = Pick<AnyResource, 'name' | 'fields'>;

/** One field of a change, its values in words; null where there was none. Files go by the names that administrators gave them. */
export interface FieldChange {
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** What was done to a record at one time, as this repository's server tells it. */
export interface HistoryEntry {
  readonly id: number;
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** The name of who did it. */
  readonly administrator: string;
  readonly action: 'create' | 'update' | 'delete' | 'delete-image';
  readonly changes: readonly FieldChange[];
}

const ACTION_WORDS: Readonly<Record<HistoryEntry['action'], string>> = {
  create: 'Created by',
  update: 'Changed by',
  delete: 'Deleted by',
  'delete-image': 'Image removed by',
};

/** Where a record's history is asked for. */
export function historyPath(owner: Pick<HistoryOwner, 'name'>, id: number): string {
  return `/api/history/${owner.name}/${id}`;
}

/** What was done and by whom, as in "Changed by Nadia Rahman". */
export function actionWords(entry: HistoryEntry): string {
  return `${ACTION_WORDS[entry.action]} ${entry.administrator}`;
}

/** What to show of an entry: of a creation nothing, since all of it was new. */
export function shownChanges(owner: HistoryOwner, entry: HistoryEntry): (FieldChange & { readonly label: string })[] {
  if (entry.action === 'create') return [];
  return entry.changes.map((change) => ({ ...change, label: fieldOf(owner, change.field)?.label ?? change.field }));
}

/**
 * The texts that a record had right after an entry of its history: what it has now, with every later change taken back. Files are not
 * among them. `entries` are the newest first.
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
