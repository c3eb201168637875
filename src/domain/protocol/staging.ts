/**
 * Uploads that come before their change, in pieces (docs/protocol.md, "Files travel first"). Followed by the file's SHA-256: the
 * address of an upload is its hash, for each person by themselves.
 */
export const STAGING_PATH = '/api/staging';

/** Files of so many bytes and more are worth an upload of their own. */
export const STAGED_FROM_BYTES = 256 * 1024;

export const TUS_VERSION = '1.0.0';
/** The type of a piece. */
export const PIECE_TYPE = 'application/offset+octet-stream';

/**
 * A header of a piece, `1`: what is there of it already is to be passed over. Browsers send a request whose kept-alive connection was
 * cut once more by themselves, from its beginning; the server then has a part of it, and takes the rest.
 */
export const MAY_OVERLAP = 'Upload-May-Overlap';

/** The text of a form that names its staged files, a JSON array of `NamedFile`. */
export const STAGED_FILES = 'staged_files';

/** The code of a 409: files that a change names are not there, and `missing` has their hashes. They are staged again. */
export const STAGE_AGAIN = 'stage-again';

/** A file that a change names instead of bringing it. */
export interface NamedFile {
  /** The field's name, without `[]`. */
  readonly field: string;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  readonly name: string;
  /** What the device takes it for; the server looks at the content. */
  readonly type: string;
  /** Its place among all files of the change, from 0; absent: behind them. */
  readonly place?: number;
}
