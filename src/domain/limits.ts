/** Largest catalogue file or photo, in bytes. A server's capabilities may override it. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;

/** Largest request, in bytes, unless capabilities override it: the limit of a stock PHP back end (`post_max_size` 12 MB). */
export const MAX_REQUEST_BYTES = 12 * 1024 * 1024;

/** PHP silently drops files beyond this number, catalogue included, and answers 200 (`max_file_uploads`). */
export const MAX_FILES_PER_REQUEST = 20;

/** How long a receipt is kept, in milliseconds. */
export const RECEIPTS_KEPT = 30 * 24 * 60 * 60_000;

/** The longest side of a stored photo, in pixels. Larger photos are scaled down. */
export const PHOTO_LONGEST_SIDE = 2560;

/** The number of rows requested first (`?first=`) and shown while the whole list loads. A screen holds fewer. */
export const FIRST_ROWS = 100;
