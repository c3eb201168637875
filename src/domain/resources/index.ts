import type { AnyResource, Resource, SingleResource } from '../resource.ts';
import * as kinds from './kinds.ts';
import { siteMeta } from './site-meta.ts';

/** The names of the kinds of record. */
export type ResourceName = (typeof kinds)[keyof typeof kinds]['name'];

/** The names of all kinds, including those with a single record. */
export type AnyResourceName = ResourceName | SingleResource['name'];

/** Every kind of record, in the sidebar's order. */
export const RESOURCES: readonly Resource[] = Object.values(kinds).toSorted((one, other) => one.place - other.place);

const byName = new Map<string, AnyResource>([...RESOURCES, siteMeta].map((resource) => [resource.name, resource]));

/** True if this version of the app has a definition of that kind. A newer version may have stored, or a newer server sent, others. */
export function isKnownKind(name: string): name is AnyResourceName {
  return byName.has(name);
}

/** Looks up a definition by name. Throws for an unknown name: ask `isKnownKind` where a newer version may have written it. */
export function resourceOf(name: ResourceName): Resource;
export function resourceOf(name: AnyResourceName): AnyResource;
export function resourceOf(name: AnyResourceName): AnyResource {
  const resource = byName.get(name);
  if (resource === undefined) throw new Error(`There is no kind "${name}".`);
  return resource;
}
