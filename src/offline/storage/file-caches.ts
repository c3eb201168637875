/** The browser's caches that hold uploaded files. Each has a budget of its own: what fills one pushes nothing out of the other. */

/** Pictures that were seen, and small ones that lists show (sw/images.ts). */
export const IMAGE_CACHE = 'voltdesk-images';
/** So many pictures are kept: those that were seen last. */
export const MOST_IMAGES = 500;

/** Catalogues that somebody asked to keep (src/offline/cache/catalogues.ts). */
export const CATALOGUE_CACHE = 'voltdesk-catalogues';
