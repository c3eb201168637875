import { matchPath } from 'react-router-dom';
import { photoField, routesOf } from '../../domain/resource.ts';
import { RESOURCES } from '../../domain/resources/index.ts';
import type { Find } from '../find/finds.ts';

/** The target of a scanned code: a screen of this app, or a Find query. */
export type Lead = { readonly to: string } | { readonly query: string };

/** Returns the target of a code: the screen of a link to this app, or the only record with that serial or model number. */
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

/** True for the address of a record with a photo field, which can receive shared photos. */
export function takesPhotos(address: string): boolean {
  const [path = ''] = address.split('?');
  return RESOURCES.some(
    (resource) => photoField(resource) !== undefined && matchPath(routesOf(resource).edit(':id'), path) !== null,
  );
}
