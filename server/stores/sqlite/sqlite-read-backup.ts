import { DatabaseSync } from 'node:sqlite';
import { RESOURCES } from '../../../src/domain/resources/index.ts';
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
export function readBackup(file: string): BackupContent {
  const source = openBackup(file);
  try {
    restoreSample(source, file);
    return { ...checkFiles(source), position: positionIn(source), records: recordsIn(source) };
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
