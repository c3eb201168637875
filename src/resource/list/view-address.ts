import { type Resource, fieldOf } from '../../domain/resource.ts';
import { isFacet } from './facets.ts';
import type { Look, Sort } from './list-rules.ts';

const QUERY = 'q';
const SORT = 'sort';

/** The view of a list as the query string of its address: "?q=20kva&sort=-capacity&brand=Cummins". Empty for the default view. */
export function addressOf({ query, chosen, sort }: Look): string {
  const parts = new URLSearchParams();
  if (query !== '') parts.set(QUERY, query);
  if (sort !== undefined) parts.set(SORT, (sort.direction === 'descending' ? '-' : '') + sort.field);
  for (const [name, values] of Object.entries(chosen)) for (const value of values) parts.append(name, value);
  return parts.size === 0 ? '' : `?${parts}`;
}

/** Parses the view from an address. Undefined if it has none. Ignores fields that the list does not have. */
export function lookIn(resource: Resource, search: string): Look | undefined {
  const parts = new URLSearchParams(search);
  const names = [...new Set(parts.keys())].filter((name) => isFacet(resource, name));
  const look: Look = {
    query: parts.get(QUERY) ?? '',
    sort: sortIn(resource, parts.get(SORT) ?? ''),
    chosen: Object.fromEntries(names.map((name) => [name, parts.getAll(name)])),
  };
  return addressOf(look) === '' ? undefined : look;
}

function sortIn(resource: Resource, text: string): Sort | undefined {
  const field = text.replace(/^-/, '');
  if (fieldOf(resource, field) === undefined) return undefined;
  return { field, direction: text.startsWith('-') ? 'descending' : 'ascending' };
}
