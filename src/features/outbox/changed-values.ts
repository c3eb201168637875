import { sameText } from '../../domain/outbox/conflict.ts';
import { isReadable } from '../../domain/outbox/scheduler.ts';
import type { OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import { fieldOf } from '../../domain/resource.ts';
import { resourceOf } from '../../domain/resources/index.ts';
import { formatSize } from '../../ui/format.ts';
import type { Field } from '../../domain/fields.ts';
import { valueWords } from '../../fields/value-words.ts';
import { say, t } from '../../language/t.ts';

/** One changed field, formatted for display. */
export interface ChangedValue {
  readonly field: string;
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

/**
 * The fields that an edit changes, in the form's order. Empty for creates and deletes, whose title says it all, and for entries
 * of a newer version.
 */
export function changedValues(entry: OutboxEntry): ChangedValue[] {
  const { change } = entry;
  if (!isReadable(entry) || change.op !== 'update') return [];
  const { resource, values, base } = change;
  return Object.keys(values)
    .map((field) => ({ field, before: base.values[field] ?? '', after: values[field] ?? '' }))
    .filter(({ before, after }) => !sameText(before, after))
    .map((found) => ({ ...found, ...inWords(fieldOf(resourceOf(resource), found.field), found) }));
}

function inWords(field: Field | undefined, { field: name, before, after }: Omit<ChangedValue, 'label'>) {
  return { label: say(field?.label ?? name), before: valueWords(field, before), after: valueWords(field, after) };
}

/** A longer common start is shortened, so that the difference stays visible. Characters. */
const KEPT_START = 24;

/** Two texts cut to start shortly before their first difference: "… of the mill" and "… of this mill". */
export function fromDifference(before: string, after: string): readonly [string, string] {
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  if (same <= KEPT_START) return [before, after];
  const start = before.lastIndexOf(' ', same - KEPT_START / 2) + 1;
  return start === 0 ? [before, after] : [`… ${before.slice(start)}`, `… ${after.slice(start)}`];
}

/** "3 files, 2.1 MB", or an empty string for a change without files. */
export function filesWords(change: OutboxEntry['change']): string {
  if (!('files' in change) || change.files.length === 0) return '';
  const bytes = change.files.reduce((sum, file) => sum + file.size, 0);
  return `${t('{count, plural, one {# file} other {# files}}', { count: change.files.length })}, ${formatSize(bytes)}`;
}
