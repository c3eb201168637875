import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { OWN_ONLY } from '../../ops/data-folder.ts';

/** Older versions have a WAL bug that can lose a commit (https://sqlite.org/wal.html#walresetbug). */
const OLDEST_SQLITE = [3, 51, 3] as const;

/** How long a statement waits for another process, such as a backup, to finish writing. Milliseconds. */
const BUSY_TIMEOUT = 10_000;

/** Databases up to this size are checked whenever they are opened. Larger ones, which would delay a start, by every backup. Bytes. */
const CHECKED_AT_START = 256 * 1024 * 1024;

/** What the write-ahead log shrinks to after a reader has made it grow: its size between two checkpoints. */
const LOG_BYTES = 4 * 1024 * 1024;

/** What to do about a damaged file that no backup holds, by its name. */
const ADVICE: Readonly<Record<string, string>> = {
  'gateway.sqlite':
    'It is the journal of a gateway, and no backup of this server holds it: the records are in the back end. Move it aside with its -wal and -shm files, compare the last changes with the back end, and start again. A change that a device repeats is then sent once more.',
};

/** The database cannot be used. The message explains why to the operator. */
export class DatabaseUnusable extends Error {
  readonly code = 'DATABASE_UNUSABLE';
}

/**
 * Opens or creates the database file with a write-ahead log, full synchronous commits and foreign keys. Throws DatabaseUnusable
 * if the file is damaged or SQLite is too old.
 */
export function openSqlite(path: string): DatabaseSync {
  try {
    keepToOneself(path);
    const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT, enableForeignKeyConstraints: true });
    assertVersion(database);
    if (statSync(path).size <= CHECKED_AT_START) assertSound(database, path);
    database.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF; PRAGMA journal_size_limit = ${LOG_BYTES}`,
    );
    return database;
  } catch (error) {
    throw withPath(error, path);
  }
}

/** SQLite's error about a damaged file, which does not name it, as DatabaseUnusable. Any other error as it is. */
export function withPath(error: unknown, path: string): unknown {
  const { errcode, message } = error as { errcode?: number; message: string };
  return errcode === SQLITE_CORRUPT || errcode === SQLITE_NOTADB ? damaged(path, message) : error;
}

/** Throws DatabaseUnusable if a database is damaged. Reads all of it. */
export function assertSound(database: DatabaseSync, path: string): void {
  const verdict = firstText(database, 'PRAGMA integrity_check(1)');
  if (verdict !== 'ok') throw damaged(path, verdict);
}

/** True if a database file has tables. A damaged one had some. */
export function isFilled(path: string): boolean {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return database.prepare('SELECT 1 FROM sqlite_schema').get() !== undefined;
  } catch {
    return true;
  } finally {
    database.close();
  }
}

/** The first value of the first row of a PRAGMA or SELECT, as text. */
export function firstText(database: DatabaseSync, sql: string): string {
  return String(Object.values(database.prepare(sql).get() ?? {})[0] ?? '');
}

/** True for a version, such as `3.51.2`, that may lose a commit. */
export function isTooOld(version: string): boolean {
  const parts = version.split('.').map(Number);
  const at = OLDEST_SQLITE.findIndex((part, index) => part !== parts[index]);
  return at >= 0 && (parts[at] ?? 0) < (OLDEST_SQLITE[at] ?? 0);
}

/** Creates a database file for this user only, or restricts it. SQLite gives the log the same mode. */
export function keepToOneself(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'wx', OWN_ONLY));
  else if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, OWN_ONLY);
}

function assertVersion(database: DatabaseSync): void {
  const version = firstText(database, 'SELECT sqlite_version()');
  if (isTooOld(version)) {
    throw new DatabaseUnusable(`SQLite ${version} is too old; ${OLDEST_SQLITE.join('.')} or newer is needed.`);
  }
}

/** The error of a damaged database. `why` completes "is damaged". */
export function damaged(path: string, why: string): DatabaseUnusable {
  return new DatabaseUnusable(
    `The database ${path} is damaged (${why}). ${ADVICE[basename(path)] ?? 'Restore the last backup: npm run restore -- FILE'}`,
  );
}

const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;
