import { matchPath } from 'react-router-dom';
import { photoField, routesOf } from '../../domain/resource.ts';
import { RESOURCES } from '../../domain/resources/index.ts';
import type { Find } from '../find/finds.ts';

/** Where a scanned code leads: to a screen of this app, or into Find with what it says. */
export type Lead = { readonly to: string } | { readonly query: string };

/** A link of this app opens its screen; a serial or model number that one record alone has opens that record. */
export function leadOf(text: string, origin: string, finds: readonly Find[]): Lead {
  const link = URL.canParse(text) ? new URL(text) : undefined;
  if (link?.origin === origin) return { to: link.pathname + link.search };
  const query = text.trim();
  const places = new Set(
    finds
      .filter(({ resource, text: told }) => resource !== undefined && told.includes(query.toLowerCase()))
      .map(({ to }) => to),
  );
  const [only] = places;
  return places.size === 1 && only !== undefined ? { to: only } : { query };
}

/** True for the address of a record that has a place for photos: shared ones can go into it. */
export function takesPhotos(address: string): boolean {
  const [path = ''] = address.split('?');
  return RESOURCES.some(
    (resource) => photoField(resource) !== undefined && matchPath(routesOf(resource).edit(':id'), path) !== null,
  );
}
