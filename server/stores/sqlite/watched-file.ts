import { randomInt } from 'node:crypto';
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { type QueryExecutorProvider, sql } from 'kysely';
import { damaged, DatabaseUnusable } from './sqlite.ts';

/** The file of an open database. */
export interface WatchedFile {
  /** Throws DatabaseUnusable if the file is no longer the one that was opened. Takes some microseconds. */
  assertInPlace(): void;
  /** Call after the database is closed. */
  unwatch(): void;
}

/** The header of a database (https://sqlite.org/fileformat.html#the_database_header): its first bytes, and those for the application. */
const MAGIC = Buffer.from('SQLite format 3\0');
const USER_VERSION_AT = 60;
const HEADER_BYTES = 100;

/** The largest number of 31 bits. */
const MOST = 2 ** 31 - 1;

/**
 * Watches the file of an open database. SQLite itself notices nothing when it is removed, replaced or overwritten: it goes on in its
 * memory and its log, and every change it takes is lost. A number that nobody else knows, in the header, tells this file from any copy
 * that was made before.
 */
export async function watchFile(db: QueryExecutorProvider, path: string): Promise<WatchedFile> {
  const mark = randomInt(1, MOST);
  await sql`PRAGMA user_version = ${sql.lit(mark)}`.execute(db);
  // from the log into the file
  await sql`PRAGMA wal_checkpoint(PASSIVE)`.execute(db);
  // Stays open: closing any handle of a database file releases SQLite's locks on it (https://sqlite.org/howtocorrupt.html, 2.2).
  const file = openSync(path, 'r');
  const { dev, ino } = statSync(path);
  const header = Buffer.alloc(HEADER_BYTES);
  const readMark = () => {
    const isWhole = readSync(file, header, 0, HEADER_BYTES, 0) === HEADER_BYTES;
    return isWhole && header.subarray(0, MAGIC.length).equals(MAGIC) ? header.readUInt32BE(USER_VERSION_AT) : undefined;
  };
  // a backup under way may keep the mark in the log for now
  const isMarked = readMark() === mark;
  return {
    assertInPlace() {
      const found = statSync(path, { throwIfNoEntry: false });
      if (found?.dev !== dev || found.ino !== ino) {
        const fate = found === undefined ? 'removed' : 'replaced';
        throw new DatabaseUnusable(`The database ${path} was ${fate} while the server runs. ${STOP_FIRST}`);
      }
      const seen = readMark();
      if (seen === undefined) throw damaged(path, 'it was overwritten while the server runs');
      if (isMarked && seen !== mark)
        throw new DatabaseUnusable(`The database ${path} was overwritten while the server runs. ${STOP_FIRST}`);
    },
    unwatch: () => closeSync(file),
  };
}

const STOP_FIRST = 'Stop the server before its database is exchanged, with npm run restore, and start it again.';
