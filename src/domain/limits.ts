/** Largest catalogue file or photo, in bytes. A server may say otherwise in its capabilities. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;

/** Largest request, in bytes: that of a stock PHP back end (`post_max_size` 12 MB), where no capabilities say otherwise. */
export const MAX_REQUEST_BYTES = 12 * 1024 * 1024;

/** PHP drops the files past this many in silence and answers 200 (`max_file_uploads`), the catalogue counted. */
export const MAX_FILES_PER_REQUEST = 20;

/** Photos are made smaller before they are stored: the longest side, in pixels. */
export const PHOTO_LONGEST_SIDE = 2560;

/** So many rows of a list are asked for (`?first=`) to be shown while the whole list is on its way. A screen holds fewer. */
export const FIRST_ROWS = 100;
