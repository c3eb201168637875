import type { Resource } from '../resource.ts';
import * as kinds from './kinds.ts';

/** The names of the kinds of record. */
export type ResourceName = (typeof kinds)[keyof typeof kinds]['name'];

/** Every kind of record, in the sidebar's order. */
export const RESOURCES: readonly Resource[] = Object.values(kinds).toSorted((one, other) => one.place - other.place);

const byName = new Map<string, Resource>(RESOURCES.map((resource) => [resource.name, resource]));

/** The definition of that name. Throws for a name that no definition has: a stored name of a newer version, say. */
export function resourceOf(name: ResourceName): Resource {
  const resource = byName.get(name);
  if (resource === undefined) throw new Error(`There is no kind of record named "${name}".`);
  return resource;
}
