import type { Resource } from '../resource.ts';
import { aboutItems } from './about-items.ts';
import { certifications } from './certifications.ts';
import { generators } from './generators.ts';
import { gridTieInverters } from './grid-tie-inverters.ts';
import { partners } from './partners.ts';
import { projects } from './projects.ts';
import { sliders } from './sliders.ts';
import { solarPanels } from './solar-panels.ts';
import { streetLights } from './street-lights.ts';
import { ups } from './ups.ts';

const KINDS = [
  sliders,
  projects,
  generators,
  solarPanels,
  gridTieInverters,
  ups,
  streetLights,
  partners,
  certifications,
  aboutItems,
] as const;

/** The names of the kinds of record. */
export type ResourceName = (typeof KINDS)[number]['name'];

/** Every kind of record, in the sidebar's order. */
export const RESOURCES: readonly Resource[] = KINDS;

const byName = new Map<string, Resource>(RESOURCES.map((resource) => [resource.name, resource]));

/** The definition of that name. Throws for a name that no definition has: a stored name of a newer version, say. */
export function resourceOf(name: ResourceName): Resource {
  const resource = byName.get(name);
  if (resource === undefined) throw new Error(`There is no kind of record named "${name}".`);
  return resource;
}
