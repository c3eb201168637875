import { sql } from 'kysely';
import type { Database, Writing } from '../sql/tables.ts';
import { type AnyRow, type Column, type Counters, type Reference, ROWS_AT_ONCE, type Whole } from '../sql/whole.ts';

/** Reads or replaces an embedded database as a whole. */
export function wholeSqlite(db: Database): Whole {
  return {
    db,
    atOneMoment: (task) => db.transaction().execute(task),
    columns,
    references,
    rows: rowsOf,
    counters,
    setCounters,
    unnumbered,
  };
}

async function columns(reading: Database): Promise<readonly Column[]> {
  const { rows } = await sql<Column>`SELECT m.name AS "table", p.name AS "column"
    FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS p
    WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`.execute(reading);
  return rows;
}

async function references(reading: Database): Promise<readonly Reference[]> {
  const { rows } = await sql<Reference>`SELECT m.name AS "table", f."table" AS "of"
    FROM sqlite_schema AS m JOIN pragma_foreign_key_list(m.name) AS f WHERE m.type = 'table'`.execute(reading);
  return rows;
}

async function* rowsOf(reading: Database, table: string): AsyncGenerator<readonly AnyRow[]> {
  let last = -1;
  for (;;) {
    const { rows: some } = await sql<AnyRow & { row_number: number }>`SELECT rowid AS row_number, *
      FROM ${sql.table(table)} WHERE rowid > ${last} ORDER BY rowid LIMIT ${ROWS_AT_ONCE}`.execute(reading);
    if (some.length > 0) yield some;
    if (some.length < ROWS_AT_ONCE) return;
    last = some.at(-1)?.row_number ?? last;
  }
}

async function counters(reading: Database): Promise<Counters> {
  const { rows } = await sql<{ name: string; seq: number }>`SELECT name, seq FROM sqlite_sequence`.execute(reading);
  return new Map(rows.map(({ name, seq }) => [name, seq]));
}

async function setCounters(writing: Writing, to: Counters): Promise<void> {
  await sql`DELETE FROM sqlite_sequence`.execute(writing);
  for (const [name, seq] of to)
    await sql`INSERT INTO sqlite_sequence (name, seq) VALUES (${name}, ${seq})`.execute(writing);
}

/** Runs a task without feed triggers. SQLite cannot disable triggers, so they are dropped and created again in one transaction. */
async function unnumbered(writing: Writing, task: () => Promise<void>): Promise<void> {
  const { rows: triggers } = await sql<{ name: string; sql: string }>`SELECT name, sql FROM sqlite_schema
    WHERE type = 'trigger'`.execute(writing);
  for (const { name } of triggers) await sql`DROP TRIGGER ${sql.ref(name)}`.execute(writing);
  await task();
  for (const trigger of triggers) await sql.raw(trigger.sql).execute(writing);
}
