import type { DatabaseSync } from 'node:sqlite';

/**
 * Returns a name for the present state of a database, which every change changes.
 *
 * `data_version` counts the commits of other processes, `total_changes` the rows changed by this one, also within a transaction
 * that has not ended. Asked of SQLite directly, since every request of a list or of the content begins with it. The first has
 * to lock the file, so requests that arrived together share it.
 */
export function revisionOf(database: DatabaseSync): () => string {
  const others = database.prepare('PRAGMA data_version');
  const own = database.prepare('SELECT total_changes() AS count');
  let version: string | undefined;
  // the phase of the event loop that follows the one in which requests arrive
  const forget = () => (version = undefined);
  return () => {
    if (version === undefined) setImmediate(forget);
    version ??= String(others.get()?.['data_version']);
    return `${version}/${String(own.get()?.['count'])}`;
  };
}
