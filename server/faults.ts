/** What Node tells by `code`, and SQLite by `errcode`. */
interface Fault {
  readonly code?: unknown;
  readonly errcode?: unknown;
}

const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;
const SQLITE_FULL = 13;

/** True when the disk, or the room that this user may have on it, is used up. */
export function isFull({ code, errcode }: Fault): boolean {
  return code === 'ENOSPC' || code === 'EDQUOT' || errcode === SQLITE_FULL;
}

/** True when this user may not write there. */
export function isReadOnly({ code, errcode }: Fault): boolean {
  return code === 'EROFS' || code === 'EACCES' || code === 'EPERM' || errcode === SQLITE_READONLY;
}

/** True when another process holds the database for longer than a statement waits. */
export function isBusy({ errcode }: Fault): boolean {
  return errcode === SQLITE_BUSY;
}
