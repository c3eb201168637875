import { type Resource, fieldOf } from '../../domain/resource.ts';
import { isFacet } from './facets.ts';
import type { Look, Sort } from './list-rules.ts';

const QUERY = 'q';
const SORT = 'sort';

/** How a list is looked at, as the search part of its address: "?q=20kva&sort=-capacity&brand=Cummins". Empty for the plain list. */
export function addressOf({ query, chosen, sort }: Look): string {
  const parts = new URLSearchParams();
  if (query !== '') parts.set(QUERY, query);
  if (sort !== undefined) parts.set(SORT, (sort.direction === 'descending' ? '-' : '') + sort.field);
  for (const [name, values] of Object.entries(chosen)) for (const value of values) parts.append(name, value);
  return parts.size === 0 ? '' : `?${parts}`;
}

/** What an address asks for; undefined where it asks for nothing. What this list does not know is left out. */
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
