import { DatabaseSync } from 'node:sqlite';
import { RESOURCES } from '../../../src/domain/resources/index.ts';
import type { TellStep } from '../../ops/backup-steps.ts';
import type { Position } from '../sql/epochs.ts';
import { tableOf } from '../sql/tables.ts';
import { assertSound, DatabaseUnusable, firstText } from './sqlite.ts';
import { type BackupReport, checkFiles, openBackup } from './sqlite-backup.ts';

/** The content of a backup as it was read back from its file. */
export interface BackupContent extends BackupReport {
  /** Where the database's history stood when it was copied. */
  readonly position: Position;
  /** Records of all kinds. */
  readonly records: number;
}

/** Rows of every table that a verification restores, the newest. */
const SAMPLE = 100;

/**
 * Reads a backup back: SQLite's own check of every page, the hash of every file, and a restore of every table into memory with its newest
 * rows. Throws DatabaseUnusable if it could not be restored.
 */
export function readBackup(file: string, tell?: TellStep): BackupContent {
  return reading(file, (source) => ({
    ...checkFiles(source, tell),
    position: positionIn(source),
    records: recordsIn(source),
  }));
}

/** What identifies the things in a backup, and the state that each is in. */
export interface BackupInventory extends BackupReport {
  /** The version of each record, by its id and the name of its kind. */
  readonly records: ReadonlyMap<string, ReadonlyMap<number, string>>;
  /** The hash of each file, by its name. */
  readonly hashes: ReadonlyMap<string, string>;
  /** When each person was last changed, by their id. */
  readonly people: ReadonlyMap<number, string>;
  readonly migrations: readonly string[];
}

/** Reads a backup back, and lists what is in it. Throws like `readBackup`. */
export function inventoryOf(file: string, tell?: TellStep): BackupInventory {
  return reading(file, (source) => {
    const pairs = (sql: string) =>
      source
        .prepare(sql)
        .all()
        .map((row) => Object.values(row));
    const states = (table: string, column: string) =>
      new Map(pairs(`SELECT id, ${column} FROM ${table}`).map(([id, state]) => [Number(id), String(state)]));
    return {
      ...checkFiles(source, tell),
      records: new Map(RESOURCES.map((resource) => [resource.name, states(tableOf(resource), 'version')])),
      hashes: new Map(pairs('SELECT name, sha256 FROM files').map(([name, hash]) => [String(name), String(hash)])),
      people: states('users', 'updated_at'),
      migrations: pairs('SELECT name FROM kysely_migration').map(([name]) => String(name)),
    };
  });
}

function reading<T>(file: string, read: (source: DatabaseSync) => T): T {
  const source = openBackup(file);
  try {
    restoreSample(source, file);
    return read(source);
  } finally {
    source.close();
  }
}

/** The tables, in the order in which they were made. Those of a backup's files and SQLite's own are left out. */
const TABLES = `SELECT name, sql FROM sqlite_schema
  WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> 'backup_files' ORDER BY rowid`;

function restoreSample(source: DatabaseSync, file: string): void {
  // a sample lacks rows that others reference
  const scratch = new DatabaseSync(':memory:', { enableForeignKeyConstraints: false });
  try {
    for (const { name, sql } of source.prepare(TABLES).all()) {
      scratch.exec(String(sql));
      const rows = source.prepare(`SELECT * FROM "${name}" ORDER BY rowid DESC LIMIT ${SAMPLE}`).all();
      const columns = Object.keys(rows[0] ?? {});
      const insert = `INSERT INTO "${name}" (${columns.map((column) => `"${column}"`)}) VALUES (${columns.map(() => '?')})`;
      if (rows.length === 0) continue;
      const put = scratch.prepare(insert);
      for (const row of rows) put.run(...Object.values(row));
    }
    assertSound(scratch, file);
  } catch (cause) {
    throw new DatabaseUnusable(`The backup ${file} cannot be restored.`, { cause });
  } finally {
    scratch.close();
  }
}

function positionIn(source: DatabaseSync): Position {
  return {
    epoch: firstText(source, 'SELECT name FROM epochs ORDER BY id DESC LIMIT 1'),
    seq: Number(firstText(source, 'SELECT COALESCE(MAX(seq), 0) FROM feed')),
  };
}

function recordsIn(source: DatabaseSync): number {
  const counts = RESOURCES.map((resource) => firstText(source, `SELECT count(*) FROM ${tableOf(resource)}`));
  return counts.reduce((sum, count) => sum + Number(count), 0);
}
