/** An error of Node or PostgreSQL (`code`) or of SQLite (`errcode`). */
interface Fault {
  readonly code?: unknown;
  readonly errcode?: unknown;
  readonly message?: unknown;
}

const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;
const SQLITE_FULL = 13;

/** SQLSTATE: disk full. */
const POSTGRES_FULL = '53100';
/** SQLSTATE: read-only transaction, as on a standby server. */
const POSTGRES_READONLY = '25006';
/** SQLSTATE: lock not available, statement timed out, deadlock. */
const POSTGRES_BUSY: readonly unknown[] = ['55P03', '57014', '40P01'];

/** SQLSTATE: a text with a character that PostgreSQL cannot store, which is NUL. */
const POSTGRES_UNREADABLE = '22021';

/** True if the disk, or this user's quota, is full. */
export function isFull({ code, errcode }: Fault): boolean {
  return code === 'ENOSPC' || code === 'EDQUOT' || code === POSTGRES_FULL || errcode === SQLITE_FULL;
}

/** True if this user may not write there. */
export function isReadOnly({ code, errcode }: Fault): boolean {
  return code === 'EROFS' || code === 'EACCES' || code === 'EPERM' || errcode === SQLITE_READONLY;
}

/** True if another process has locked the database for longer than a statement waits. */
export function isBusy({ code, errcode }: Fault): boolean {
  return errcode === SQLITE_BUSY || POSTGRES_BUSY.includes(code);
}

/** True if a text contains a character that the database cannot store. */
export function isUnreadable({ code }: Fault): boolean {
  return code === POSTGRES_UNREADABLE;
}

/** True if the database is a read-only standby. */
function isOnlyRead({ code }: Fault): boolean {
  return code === POSTGRES_READONLY;
}

/** True if the object storage cannot be used. */
function isWithoutFiles({ code }: Fault): boolean {
  return code === 'FILES_AWAY';
}

/** True if the database cannot be reached. The outcome of the last statement is unknown. */
export function isAway({ code }: Fault): boolean {
  return code === 'DATABASE_AWAY';
}

/** True if the database file is damaged, or was replaced while the server runs. */
function isUnusable({ code }: Fault): boolean {
  return code === 'DATABASE_UNUSABLE';
}

/** What happened to a database file that cannot be used, with its path, for the operator. Undefined if that is not the fault. */
export function unusableReason(fault: Fault): string | undefined {
  return isUnusable(fault) ? String(fault.message) : undefined;
}

/** The message for an unusable database or file storage. The sender looks its change up by key. */
export function databaseProblem(fault: Fault): string | undefined {
  if (isAway(fault)) return 'The database cannot be reached.';
  if (isWithoutFiles(fault)) return 'The storage of files cannot be reached.';
  if (isUnusable(fault)) return 'The database cannot be used.';
  return isOnlyRead(fault) ? 'The database takes no changes now.' : undefined;
}
