import { sql } from 'kysely';
import { FOLLOWED } from '../sql/followed.ts';
import type { Database, Writing } from '../sql/tables.ts';
import { type AnyRow, type Column, type Counters, type Reference, ROWS_AT_ONCE, type Whole } from '../sql/whole.ts';
import { OWN_TABLES } from './own-tables.ts';

/** Access to a whole PostgreSQL database, to read or replace it. */
export function wholePostgres(db: Database): Whole {
  return {
    db,
    atOneMoment: (task) => atOneMoment(db, task),
    columns,
    references,
    rows: rowsOf,
    counters,
    setCounters,
    unnumbered,
  };
}

/** Reads a snapshot. It waits for no writer, and no writer waits for it. */
async function atOneMoment<T>(db: Database, task: (reading: Database) => Promise<T>): Promise<T> {
  return db.connection().execute(async (own) => {
    await sql`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`.execute(own);
    try {
      return await task(own);
    } finally {
      await sql`ROLLBACK`.execute(own).catch(() => undefined);
    }
  });
}

/** Lists columns without those of UNLOGGED tables, which hold transient data such as changes in flight. */
async function columns(reading: Database): Promise<readonly Column[]> {
  const { rows } = await sql<Column>`SELECT relname AS "table", attname AS "column"
    FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
    WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND relpersistence = 'p'
      AND attnum > 0 AND NOT attisdropped`.execute(reading);
  return rows.filter(({ table }) => !OWN_TABLES.includes(table));
}

async function references(reading: Database): Promise<readonly Reference[]> {
  const { rows } = await sql<Reference>`SELECT naming.relname AS "table", named.relname AS "of"
    FROM pg_constraint JOIN pg_class AS naming ON naming.oid = conrelid JOIN pg_class AS named ON named.oid = confrelid
    WHERE contype = 'f' AND connamespace = current_schema()::regnamespace`.execute(reading);
  return rows;
}

/** Reads rows through a cursor, which lives in the reader's transaction. */
async function* rowsOf(reading: Database, table: string): AsyncGenerator<readonly AnyRow[]> {
  await sql`DECLARE all_rows NO SCROLL CURSOR FOR SELECT * FROM ${sql.table(table)}`.execute(reading);
  try {
    for (;;) {
      const { rows: some } = await sql<AnyRow>`FETCH ${sql.lit(ROWS_AT_ONCE)} FROM all_rows`.execute(reading);
      if (some.length > 0) yield some;
      if (some.length < ROWS_AT_ONCE) return;
    }
  } finally {
    await sql`CLOSE all_rows`.execute(reading).catch(() => undefined);
  }
}

interface Counted {
  readonly name: string;
  readonly sequence: string;
}

async function countedTables(reading: Database): Promise<readonly Counted[]> {
  const { rows } = await sql<Counted>`SELECT relname AS name,
      pg_get_serial_sequence(quote_ident(relname), attname) AS sequence
    FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
    WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND attidentity <> ''`.execute(reading);
  return rows;
}

async function counters(reading: Database): Promise<Counters> {
  const last = new Map<string, number>();
  for (const { name, sequence } of await countedTables(reading)) {
    const { rows } = await sql<{ last: number }>`SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS last
      FROM ${sql.raw(sequence)}`.execute(reading);
    last.set(name, rows[0]?.last ?? 0);
  }
  return last;
}

async function setCounters(writing: Writing, to: Counters): Promise<void> {
  for (const { name, sequence } of await countedTables(writing)) {
    const last = to.get(name) ?? 0;
    await sql`SELECT setval(${sequence}::regclass, ${Math.max(last, 1)}, ${last > 0})`.execute(writing);
  }
}

async function unnumbered(writing: Writing, task: () => Promise<void>): Promise<void> {
  for (const { table } of FOLLOWED) await sql`ALTER TABLE ${sql.table(table)} DISABLE TRIGGER USER`.execute(writing);
  await task();
  for (const { table } of FOLLOWED) await sql`ALTER TABLE ${sql.table(table)} ENABLE TRIGGER USER`.execute(writing);
}
