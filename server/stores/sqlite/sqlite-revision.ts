import type { DatabaseSync } from 'node:sqlite';

/** The present state of a database, by name. */
export interface Revision {
  /** A name that every change changes. */
  now(): string;
  /** Call after each statement of this process that may write: what it changed is seen at once, also within its transaction. */
  written(): void;
}

/**
 * Names the present state of a database.
 *
 * `data_version` counts the commits of other processes, `total_changes` the rows changed by this one. Asked of SQLite directly,
 * since every request of a list or of the content begins with it, and once for all requests that arrived together: it locks
 * the file.
 */
export function revisionOf(database: DatabaseSync): Revision {
  const others = database.prepare('PRAGMA data_version');
  const own = database.prepare('SELECT total_changes() AS count');
  let known: string | undefined;
  const forget = () => (known = undefined);
  return {
    now: () => {
      if (known !== undefined) return known;
      // the phase of the event loop that follows the one in which requests arrive
      setImmediate(forget);
      known = `${String(others.get()?.['data_version'])}/${String(own.get()?.['count'])}`;
      return known;
    },
    written: forget,
  };
}
