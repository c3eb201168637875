import { fieldOf, type Resource, textOf } from '../../domain/resource.ts';
import { valueWords } from '../../fields/value-words.ts';
import type { Row } from './list-rules.ts';
import { msg, say, t } from '../../language/t.ts';

/** The chosen values by facet. A row passes if it has one of the chosen values of every facet. */
export type Chosen = Readonly<Record<string, readonly string[]>>;

export interface FacetOption {
  readonly value: string;
  readonly label: string;
  /** The number of rows with this value. */
  readonly count: number;
}

/** A facet with its values. */
export interface FacetGroup {
  readonly name: string;
  readonly label: string;
  readonly options: readonly FacetOption[];
}

/** A facet that is not a field. */
interface OwnFacet {
  readonly label: string;
  /** Returns undefined if the server does not provide the fact. */
  readonly valueOf: (row: Row) => string | undefined;
}

// Maps: names and values come from addresses, and an object would also have `constructor`.
const OWN_FACETS: ReadonlyMap<string, OwnFacet> = new Map([
  ['photos', { label: msg('Photos'), valueOf: (row) => presence(row['photo'] ?? row['localImage'], 'photo' in row) }],
  ['catalog', { label: msg('Catalog'), valueOf: (row) => presence(row['has_catalog'] === 1, 'has_catalog' in row) }],
  [
    'waiting',
    { label: msg('Waiting to be sent'), valueOf: (row) => (row['pending'] === undefined ? undefined : 'yes') },
  ],
]);

const WORDS: ReadonlyMap<string, string> = new Map([
  ['with', msg('With')],
  ['without', msg('Without')],
  ['yes', msg('Waiting')],
]);

/** The facets of a list with the values of its rows, most frequent first. Omits facets that would not narrow the list. */
export function facetGroups(resource: Resource, rows: readonly Row[]): FacetGroup[] {
  const names = [...resource.facets, ...OWN_FACETS.keys()];
  return names
    .map((name) => ({ name, label: facetLabel(resource, name), options: optionsOf(resource, name, rows) }))
    .filter(({ name, options }) => options.length > 1 || (name === 'waiting' && options.length > 0));
}

/** The display name of a facet. */
export function facetLabel(resource: Resource, name: string): string {
  return say(OWN_FACETS.get(name)?.label ?? fieldOf(resource, name)?.label ?? name);
}

/** The display name of a facet's value. */
export function optionLabel(resource: Resource, name: string, value: string): string {
  if (OWN_FACETS.has(name)) return say(WORDS.get(value) ?? value);
  return value === '' ? t('(empty)') : valueWords(fieldOf(resource, name), value);
}

/** True if a row has one of the chosen values of every facet. */
export function passes(row: Row, chosen: Chosen): boolean {
  for (const name in chosen) {
    const value = valueOf(row, name);
    if (value === undefined) return false;
    const key = keyOf(value);
    if (!chosen[name]?.some((one) => one === value || keyOf(one) === key)) return false;
  }
  return true;
}

/** The choice with one value toggled. */
export function toggled(chosen: Chosen, name: string, value: string): Chosen {
  const { [name]: before = [], ...others } = chosen;
  const after = before.includes(value) ? before.filter((other) => other !== value) : [...before, value];
  return after.length === 0 ? others : { ...others, [name]: after };
}

/** True if a list has this facet. */
export function isFacet(resource: Resource, name: string): boolean {
  return OWN_FACETS.has(name) || resource.facets.includes(name);
}

function optionsOf(resource: Resource, name: string, rows: readonly Row[]): FacetOption[] {
  return [...countsOf(name, rows)]
    .map(([value, count]) => ({ value, count, label: optionLabel(resource, name, value) }))
    .toSorted((one, other) => other.count - one.count || one.label.localeCompare(other.label));
}

const counted = new WeakMap<readonly Row[], Map<string, ReadonlyMap<string, number>>>();

/** Counts the rows per value of a facet. Memoised per list. */
function countsOf(name: string, rows: readonly Row[]): ReadonlyMap<string, number> {
  const kept = counted.get(rows) ?? new Map<string, ReadonlyMap<string, number>>();
  counted.set(rows, kept);
  const counts = kept.get(name) ?? counting(name, rows);
  kept.set(name, counts);
  return counts;
}

function counting(name: string, rows: readonly Row[]): ReadonlyMap<string, number> {
  const spellings = new Map<string, Map<string, number>>();
  for (const row of rows) {
    const value = valueOf(row, name);
    if (value === undefined) continue;
    const key = keyOf(value);
    const counts = spellings.get(key) ?? new Map<string, number>();
    spellings.set(key, counts.set(value, (counts.get(value) ?? 0) + 1));
  }
  return new Map([...spellings.values()].map(together));
}

/** One value for all its spellings: the most frequent one, or the first of those. */
function together(counts: ReadonlyMap<string, number>): readonly [value: string, count: number] {
  const [[value] = ['']] = [...counts].toSorted(([, one], [, other]) => other - one);
  return [value.trim(), [...counts.values()].reduce((sum, count) => sum + count, 0)];
}

/** "Perkins", "perkins" and "Perkins " are one brand. */
function keyOf(value: string): string {
  return value.trim().toLowerCase();
}

function valueOf(row: Row, name: string): string | undefined {
  const own = OWN_FACETS.get(name);
  if (own !== undefined) return own.valueOf(row);
  return row[name] === undefined ? undefined : textOf(row[name]);
}

function presence(value: unknown, told: boolean): string | undefined {
  if (!told && !value) return undefined;
  return value ? 'with' : 'without';
}
