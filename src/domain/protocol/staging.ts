/**
 * Uploads of files before their change, in pieces (docs/protocol.md, "Files travel first"). Followed by the file's
 * SHA-256, which identifies the upload. Each person has separate uploads.
 */
export const STAGING_PATH = '/api/staging';

/** Files of at least this many bytes are worth staging. */
export const STAGED_FROM_BYTES = 256 * 1024;

export const TUS_VERSION = '1.0.0';
/** The media type of a piece. */
export const PIECE_TYPE = 'application/offset+octet-stream';

/**
 * A header of a piece, `1`: the server skips the bytes it already has. If a kept-alive connection is cut, browsers repeat
 * the request from its beginning without being asked. The server may then hold a part of the piece and accepts the rest.
 */
export const MAY_OVERLAP = 'Upload-May-Overlap';

/** The form field that names the staged files, a JSON array of `NamedFile`. */
export const STAGED_FILES = 'staged_files';

/** The code of a 409: files that a change names are missing. `missing` lists their hashes, to be staged again. */
export const STAGE_AGAIN = 'stage-again';

/** A staged file that a change names instead of including it. */
export interface NamedFile {
  /** The field's name, without `[]`. */
  readonly field: string;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  readonly name: string;
  /** The device's media type. The server inspects the content. */
  readonly type: string;
  /** Position among all files of the change, from 0. Absent: after them. */
  readonly place?: number;
}
