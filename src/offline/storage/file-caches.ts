/** The browser's caches that hold uploaded files. Each has a budget of its own: what fills one pushes nothing out of the other. */

/** Pictures that were seen, and small ones that lists show (sw/images.ts). */
export const IMAGE_CACHE = 'voltdesk-images';
/** So many pictures are kept: those that were seen last. */
export const MOST_IMAGES = 500;

/** Catalogues that somebody asked to keep (src/offline/cache/catalogues.ts). */
export const CATALOGUE_CACHE = 'voltdesk-catalogues';

/**
 * Removes a cache with all it holds; false where there is none. File by file: Chromium gives the room of a removed cache back only
 * when nobody holds it any more, which may be when the page is closed, and that of a removed file at once.
 */
export async function removeFileCache(name: string): Promise<boolean> {
  if (!(await caches.has(name))) return false;
  const cache = await caches.open(name);
  const files = await cache.keys();
  await Promise.all(files.map((file) => cache.delete(file)));
  return caches.delete(name);
}
