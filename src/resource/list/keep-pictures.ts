import { savesData } from '../../api/prefetch.ts';
import { listCopy } from '../../api/sources.ts';
import { type ListRow, type Resource, textOf } from '../../domain/resource.ts';
import { RESOURCES } from '../../domain/resources/index.ts';
import { IMAGE_CACHE, MOST_IMAGES } from '../../offline/storage/file-caches.ts';
import { useServerAbilities } from '../../stores/server-abilities.ts';
import { useSession } from '../../stores/session.ts';
import { thumbnailAddress } from '../thumbnails.ts';
import { ROW_PHOTO } from './row-size.ts';

/** So many in a row that cannot be had: the link is not there for them now. */
const PATIENCE = 3;

/**
 * Has the worker keep the small pictures that lists show, the first rows of all lists before the second ones, for as long as there is
 * room beside what was seen. Nothing on a link that somebody wants to save, without a worker, and where the server has whole
 * pictures only. One at a time, behind all that somebody waits for.
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

/** What the worker has, whatever kind of picture the browser was given. */
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

/** The addresses of a list's pictures in the size that it shows, in its order. */
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

/** As an element asks for it: the server's answer depends on what kinds of picture the browser says it takes. */
async function load(address: string): Promise<boolean> {
  const picture = new Image();
  picture.fetchPriority = 'low';
  return new Promise((resolve) => {
    picture.addEventListener('load', () => resolve(true));
    picture.addEventListener('error', () => resolve(false));
    picture.src = address;
  });
}
