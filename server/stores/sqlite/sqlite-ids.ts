import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { firstText } from './sqlite.ts';

/** Ids that may have been given out since a backup where nobody can tell: a device may still hold a change for any of them. */
const MOST_SINCE = 1_000_000;

/**
 * Makes a restored database go on counting above every id that was ever given out, so that a delete which waited on a
 * device cannot meet another record. `given` are the last ids of the database that the backup replaces, where it is of the
 * same installation; else a wide gap is left.
 */
export function raiseIds(restored: DatabaseSync, given: ReadonlyMap<string, number> | undefined): void {
  const set = restored.prepare('INSERT INTO sqlite_sequence (seq, name) VALUES (?, ?)');
  const clear = restored.prepare('DELETE FROM sqlite_sequence WHERE name = ?');
  const before = sequencesOf(restored);
  for (const table of countedTables(restored)) {
    const last = before.get(table) ?? 0;
    clear.run(table);
    set.run(given === undefined ? last + MOST_SINCE : Math.max(last, given.get(table) ?? 0), table);
  }
}

/** The last id of every table of that database; undefined where it is missing, damaged or another installation's. */
export function idsGiven(path: string, installation: string): Map<string, number> | undefined {
  if (!existsSync(path)) return undefined;
  const database = new DatabaseSync(path);
  try {
    return installationOf(database) === installation ? sequencesOf(database) : undefined;
  } catch {
    return undefined;
  } finally {
    database.close();
  }
}

/** What tells one installation from another: a random value that was made at its first start. */
export function installationOf(database: DatabaseSync): string {
  return firstText(database, "SELECT value FROM secrets WHERE name = 'anti-forgery'");
}

function sequencesOf(database: DatabaseSync): Map<string, number> {
  const rows = database.prepare('SELECT name, seq FROM sqlite_sequence').all();
  return new Map(rows.map((row) => [String(row['name']), Number(row['seq'])]));
}

function countedTables(database: DatabaseSync): string[] {
  const rows = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'")
    .all();
  return rows.map((row) => String(row['name']));
}
