import type { AnyResource, Resource, SingleResource } from '../resource.ts';
import * as kinds from './kinds.ts';
import { siteMeta } from './site-meta.ts';

/** The names of the kinds of record. */
export type ResourceName = (typeof kinds)[keyof typeof kinds]['name'];

/** Those, and the kinds of which there is one record. */
export type AnyResourceName = ResourceName | SingleResource['name'];

/** Every kind of record, in the sidebar's order. */
export const RESOURCES: readonly Resource[] = Object.values(kinds).toSorted((one, other) => one.place - other.place);

const byName = new Map<string, AnyResource>([...RESOURCES, siteMeta].map((resource) => [resource.name, resource]));

/** The definition of that name. Throws for a name that no definition has: a stored name of a newer version, say. */
export function resourceOf(name: ResourceName): Resource;
export function resourceOf(name: AnyResourceName): AnyResource;
export function resourceOf(name: AnyResourceName): AnyResource {
  const resource = byName.get(name);
  if (resource === undefined) throw new Error(`No kind of record is named "${name}".`);
  return resource;
}
