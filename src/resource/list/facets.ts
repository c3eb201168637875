import { fieldOf, type Resource, textOf } from '../../domain/resource.ts';
import { valueWords } from '../../fields/value-words.ts';
import type { Row } from './list-rules.ts';
import { msg, say, t } from '../../language/t.ts';

/** The values chosen, by facet; a row passes with any of those of each facet. */
export type Chosen = Readonly<Record<string, readonly string[]>>;

export interface FacetOption {
  readonly value: string;
  readonly label: string;
  /** Rows that have it. */
  readonly count: number;
}

/** One way to narrow a list. */
export interface FacetGroup {
  readonly name: string;
  readonly label: string;
  readonly options: readonly FacetOption[];
}

/** What a row says of the facets that are no field: undefined where its server does not tell. */
const OWN_FACETS: Readonly<Record<string, { label: string; valueOf: (row: Row) => string | undefined }>> = {
  photos: { label: msg('Photos'), valueOf: (row) => presence(row['photo'] ?? row['localImage'], 'photo' in row) },
  catalog: { label: msg('Catalog'), valueOf: (row) => presence(row['has_catalog'] === 1, 'has_catalog' in row) },
  waiting: { label: msg('Waiting to be sent'), valueOf: (row) => (row['pending'] === undefined ? undefined : 'yes') },
};

const WORDS: Readonly<Record<string, string>> = { with: msg('With'), without: msg('Without'), yes: msg('Waiting') };

/** The facets of a list with the values that its rows have, the most frequent first. One that divides nothing is left out. */
export function facetGroups(resource: Resource, rows: readonly Row[]): FacetGroup[] {
  const names = [...resource.facets, ...Object.keys(OWN_FACETS)];
  return names
    .map((name) => ({ name, label: facetLabel(resource, name), options: optionsOf(resource, name, rows) }))
    .filter(({ name, options }) => options.length > 1 || (name === 'waiting' && options.length > 0));
}

/** The name of a facet for people. */
export function facetLabel(resource: Resource, name: string): string {
  return say(OWN_FACETS[name]?.label ?? fieldOf(resource, name)?.label ?? name);
}

/** The name of one of its values for people. */
export function optionLabel(resource: Resource, name: string, value: string): string {
  if (name in OWN_FACETS) return say(WORDS[value] ?? value);
  return value === '' ? t('(empty)') : valueWords(fieldOf(resource, name), value);
}

/** True for a row that has one of the chosen values of every facet. */
export function passes(row: Row, chosen: Chosen): boolean {
  for (const name in chosen) {
    const value = valueOf(row, name);
    if (value === undefined || !chosen[name]?.includes(value)) return false;
  }
  return true;
}

/** The choice with one value added, or taken out where it was in. */
export function toggled(chosen: Chosen, name: string, value: string): Chosen {
  const { [name]: before = [], ...others } = chosen;
  const after = before.includes(value) ? before.filter((other) => other !== value) : [...before, value];
  return after.length === 0 ? others : { ...others, [name]: after };
}

/** True where a list can be narrowed by this. */
export function isFacet(resource: Resource, name: string): boolean {
  return name in OWN_FACETS || resource.facets.includes(name);
}

function optionsOf(resource: Resource, name: string, rows: readonly Row[]): FacetOption[] {
  return [...countsOf(name, rows)]
    .map(([value, count]) => ({ value, count, label: optionLabel(resource, name, value) }))
    .toSorted((one, other) => other.count - one.count || one.label.localeCompare(other.label));
}

const counted = new WeakMap<readonly Row[], Map<string, ReadonlyMap<string, number>>>();

/** How many rows have each value of a facet, kept for the next time. */
function countsOf(name: string, rows: readonly Row[]): ReadonlyMap<string, number> {
  const kept = counted.get(rows) ?? new Map<string, ReadonlyMap<string, number>>();
  counted.set(rows, kept);
  const counts = kept.get(name) ?? counting(name, rows);
  kept.set(name, counts);
  return counts;
}

function counting(name: string, rows: readonly Row[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const value = valueOf(row, name);
    if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}

function valueOf(row: Row, name: string): string | undefined {
  const own = OWN_FACETS[name];
  if (own !== undefined) return own.valueOf(row);
  return row[name] === undefined ? undefined : textOf(row[name]);
}

function presence(value: unknown, told: boolean): string | undefined {
  if (!told && !value) return undefined;
  return value ? 'with' : 'without';
}
