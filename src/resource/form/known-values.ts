import { isValue } from '../../domain/fields.ts';
import { type Resource, textOf } from '../../domain/resource.ts';
import type { Values } from '../../domain/validate.ts';
import { sayTitle } from '../say-title.ts';

/** A record as this device knows it: its list fields or all of them. One that was created here has a local id in `recordId`. */
export type KnownRecord = Readonly<Record<string, unknown>> & { readonly id?: number; readonly recordId?: string };

/** Suggested values by field name. */
export type Suggestions = Readonly<Record<string, readonly string[]>>;

/** Maximum number of suggestions per field. */
const MOST = 40;

/** Existing values of each text field that records share (brand, origin, engine), most frequent first. */
export function suggestionsOf(resource: Resource, records: readonly KnownRecord[]): Suggestions {
  const texts = resource.fields.filter((field) => field.kind === 'text' && field.format === undefined);
  return Object.fromEntries(texts.map(({ name }) => [name, sharedValues(records, name)]));
}

/** Values used by more than one record. Unique values do not help with the next record. */
function sharedValues(records: readonly KnownRecord[], name: string): readonly string[] {
  const counts = new Map<string, number>();
  for (const record of records) {
    const value = textOf(record[name]).trim();
    if (value !== '') counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const shared = [...counts].filter(([, count]) => count > 1).toSorted(([, a], [, b]) => b - a);
  return shared.slice(0, MOST).map(([value]) => value);
}

/** Another record with the same title fields (such as brand and model), ignoring case and spacing. */
export function twinOf(
  resource: Resource,
  records: readonly KnownRecord[],
  values: Values,
  ownId: string | undefined,
): { readonly id: number | string; readonly title: string } | undefined {
  const names = resource.title.filter((name) => resource.fields.some((field) => field.name === name && isValue(field)));
  const wanted = names.map((name) => sameName(values[name]));
  if (wanted.length === 0 || wanted.includes('')) return undefined;
  const found = records.find(
    (record) => idOf(record) !== ownId && names.every((name, at) => sameName(record[name]) === wanted[at]),
  );
  return found && { id: found.id ?? idOf(found), title: sayTitle(resource, found) };
}

function idOf({ id, recordId }: KnownRecord): string {
  return recordId ?? String(id);
}

/** An accent makes another name, but how it is encoded does not. */
function sameName(value: unknown): string {
  return textOf(value).normalize('NFKC').trim().replaceAll(/\s+/gu, ' ').toLowerCase();
}
