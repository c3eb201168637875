/** What Node and PostgreSQL tell by `code`, and SQLite by `errcode`. */
interface Fault {
  readonly code?: unknown;
  readonly errcode?: unknown;
}

const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;
const SQLITE_FULL = 13;

/** SQLSTATE: disk full. */
const POSTGRES_FULL = '53100';
/** SQLSTATE: a transaction that may only read, as on a server that waits to take over. */
const POSTGRES_READONLY = '25006';
/** SQLSTATE: a lock was not to be had, a statement took too long, transactions held each other up. */
const POSTGRES_BUSY: readonly unknown[] = ['55P03', '57014', '40P01'];

/** True when the disk, or the room that this user may have on it, is used up. */
export function isFull({ code, errcode }: Fault): boolean {
  return code === 'ENOSPC' || code === 'EDQUOT' || code === POSTGRES_FULL || errcode === SQLITE_FULL;
}

/** True when this user may not write there. */
export function isReadOnly({ code, errcode }: Fault): boolean {
  return code === 'EROFS' || code === 'EACCES' || code === 'EPERM' || errcode === SQLITE_READONLY;
}

/** True when another process holds the database for longer than a statement waits. */
export function isBusy({ code, errcode }: Fault): boolean {
  return errcode === SQLITE_BUSY || POSTGRES_BUSY.includes(code);
}

/** True when the database only gives answers and takes nothing: its server waits to take over from another. */
function isOnlyRead({ code }: Fault): boolean {
  return code === POSTGRES_READONLY;
}

/** True when the object storage that keeps the files cannot be used. */
function isWithoutFiles({ code }: Fault): boolean {
  return code === 'FILES_AWAY';
}

/** True when the database cannot be reached. What was asked of it last was done or not: nobody can tell. */
export function isAway({ code }: Fault): boolean {
  return code === 'DATABASE_AWAY';
}

/** What to tell when a database, or a storage of files, that is a server of its own is not there. The sender asks by its key what became of a change. */
export function databaseProblem(fault: Fault): string | undefined {
  if (isAway(fault)) return 'The database cannot be reached.';
  if (isWithoutFiles(fault)) return 'The storage of files cannot be reached.';
  return isOnlyRead(fault) ? 'The database takes no changes now.' : undefined;
}
