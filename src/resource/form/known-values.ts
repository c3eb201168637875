import { isValue } from '../../domain/fields.ts';
import { type Resource, textOf, titleOf } from '../../domain/resource.ts';
import type { Values } from '../../domain/validate.ts';

/** A record of this kind as this device knows it: its listed fields, or all of them. */
export type KnownRecord = Readonly<Record<string, unknown>> & { readonly id: number };

/** Values to choose from while typing, by the field's name. */
export type Suggestions = Readonly<Record<string, readonly string[]>>;

/** More than these nobody looks through. */
const MOST = 40;

/** For each text that records share (a brand, an origin, an engine) the values that are there, the most frequent first. */
export function suggestionsOf(resource: Resource, records: readonly KnownRecord[]): Suggestions {
  const texts = resource.fields.filter((field) => field.kind === 'text' && field.format === undefined);
  return Object.fromEntries(texts.map(({ name }) => [name, sharedValues(records, name)]));
}

/** What tells a record from all others is not shared, and no help for the next. */
function sharedValues(records: readonly KnownRecord[], name: string): readonly string[] {
  const counts = new Map<string, number>();
  for (const record of records) {
    const value = textOf(record[name]).trim();
    if (value !== '') counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const shared = [...counts].filter(([, count]) => count > 1).toSorted(([, a], [, b]) => b - a);
  return shared.slice(0, MOST).map(([value]) => value);
}

/** The other record that goes by the same name (brand and model, say), whatever its capitals and spaces. */
export function twinOf(
  resource: Resource,
  records: readonly KnownRecord[],
  values: Values,
  ownId: string | undefined,
): { readonly id: number; readonly title: string } | undefined {
  const names = resource.title.filter((name) => resource.fields.some((field) => field.name === name && isValue(field)));
  const wanted = names.map((name) => comparable(values[name]));
  if (wanted.length === 0 || wanted.includes('')) return undefined;
  const found = records.find(
    (record) => String(record.id) !== ownId && names.every((name, at) => comparable(record[name]) === wanted[at]),
  );
  return found && { id: found.id, title: titleOf(resource, found) };
}

function comparable(value: unknown): string {
  return textOf(value).trim().replaceAll(/\s+/gu, ' ').toLowerCase();
}
