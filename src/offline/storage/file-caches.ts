/** Browser caches of uploaded files. Each has its own budget, so that one never evicts entries of the other. */

/** Viewed images, and thumbnails of lists (sw/images.ts). */
export const IMAGE_CACHE = 'voltdesk-images';
/** Maximum number of images. The most recently viewed ones stay. */
export const MOST_IMAGES = 500;

/** Catalogues that a user asked to keep (src/offline/cache/catalogues.ts). */
export const CATALOGUE_CACHE = 'voltdesk-catalogues';

/**
 * Deletes a cache and its content. Resolves to false if there is none. Deletes file by file: Chromium frees the space of a deleted
 * file at once, but that of a deleted cache only when no handle is left, which may be when the page closes.
 */
export async function removeFileCache(name: string): Promise<boolean> {
  if (!(await caches.has(name))) return false;
  const cache = await caches.open(name);
  const files = await cache.keys();
  await Promise.all(files.map((file) => cache.delete(file)));
  return caches.delete(name);
}
