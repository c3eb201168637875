import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { firstText } from './sqlite.ts';

/** How many ids to assume were used since a backup if that is unknown: devices may hold changes for any of them. */
const MOST_SINCE = 1_000_000;

/**
 * Raises the ids of a restored database above every id ever used, so that a delete waiting on a device cannot hit another record.
 * `given` are the last ids of the replaced database, if it belongs to the same installation; otherwise a wide gap is left.
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

/** The last id of every table. Undefined if the database is missing, damaged or from another installation. */
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

/** The random identity of an installation, created at its first start. */
export function installationOf(database: DatabaseSync): string {
  return firstText(database, "SELECT value FROM secrets WHERE name = 'anti-forgery'");
}

/** The random identity of the installation in a database file. */
export function installationAt(path: string): string {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return installationOf(database);
  } finally {
    database.close();
  }
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
