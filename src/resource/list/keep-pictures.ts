import { savesData } from '../../api/prefetch.ts';
import { listCopy } from '../../api/sources.ts';
import { type ListRow, type Resource, textOf } from '../../domain/resource.ts';
import { RESOURCES } from '../../domain/resources/index.ts';
import { IMAGE_CACHE, MOST_IMAGES } from '../../offline/storage/file-caches.ts';
import { useServerAbilities } from '../../stores/server-abilities.ts';
import { useSession } from '../../stores/session.ts';
import { thumbnailAddress } from '../thumbnails.ts';
import { ROW_PHOTO } from './row-size.ts';

/** This many failures in a row mean that the connection is gone. */
const PATIENCE = 3;

/**
 * Preloads the thumbnails of all lists into the worker's cache, up to its limit: the first row of every list before the second
 * rows. Does nothing with data saving on, without a worker, or if the server has no thumbnails. Loads one at a time with low
 * priority.
 */
export async function keepListPictures(): Promise<void> {
  const { token } = useSession.getState();
  if (savesData() || token === undefined || !navigator.serviceWorker?.controller) return;
  const kept = await keptAddresses();
  const missing = (await addresses()).filter((address) => !kept.has(new URL(address, location.href).href));
  let failed = 0;
  for (const address of missing.slice(0, Math.max(0, MOST_IMAGES - kept.size))) {
    if (useSession.getState().token !== token || failed === PATIENCE) return;
    failed = (await load(address)) ? 0 : failed + 1;
  }
}

/** The addresses in the worker's cache, in whatever image format they were served. */
async function keptAddresses(): Promise<ReadonlySet<string>> {
  const cache = await caches.open(IMAGE_CACHE);
  return new Set((await cache.keys()).map(({ url }) => url));
}

async function addresses(): Promise<readonly string[]> {
  const lists = await Promise.all(RESOURCES.map(picturesOf));
  const longest = Math.max(...lists.map(({ length }) => length));
  const byRow = Array.from({ length: longest }, (_, at) => lists.map((list) => list[at]));
  return [...new Set(byRow.flat())].filter((address) => address !== undefined);
}

/** The thumbnail addresses of a list, in its order and display size. */
async function picturesOf(resource: Resource): Promise<string[]> {
  const { imageSizes: sizes = [] } = useServerAbilities.getState();
  const { field, width } = shownPicture(resource);
  if (sizes.every((size) => size < width)) return [];
  const copy = listCopy(resource);
  await copy.load();
  const names = (copy.state().value ?? []).map((row: ListRow) => textOf(row[field]));
  return names.filter((name) => name !== '').map((name) => thumbnailAddress(sizes, name, width));
}

function shownPicture({ columns }: Resource): { readonly field: string; readonly width: number } {
  const column = columns.find(({ kind }) => kind === 'image');
  return column?.kind === 'image' ? column : { field: 'photo', width: ROW_PHOTO };
}

/** Loads through an image element: the server picks the format by the browser's Accept header for images. */
async function load(address: string): Promise<boolean> {
  const picture = new Image();
  picture.fetchPriority = 'low';
  return new Promise((resolve) => {
    picture.addEventListener('load', () => resolve(true));
    picture.addEventListener('error', () => resolve(false));
    picture.src = address;
  });
}
