import { sql } from 'kysely';
import type { Database, Writing } from './tables.ts';

/** One row of any table, by its columns. */
export type AnyRow = Readonly<Record<string, unknown>>;

/** A column of a table. */
export interface Column {
  readonly table: string;
  readonly column: string;
}

/** A table whose rows reference another one. */
export interface Reference {
  readonly table: string;
  readonly of: string;
}

/** The last id ever issued, by table. */
export type Counters = ReadonlyMap<string, number>;

/** An engine's own ways to read or replace a whole database. */
export interface Whole {
  readonly db: Database;
  /** Reads a snapshot of the database, which may stay in use meanwhile. */
  atOneMoment<T>(task: (reading: Database) => Promise<T>): Promise<T>;
  /** Columns of every durable table, without those that store files. */
  columns(reading: Database): Promise<readonly Column[]>;
  references(reading: Database): Promise<readonly Reference[]>;
  /** All rows of a table, some hundreds at a time, in no particular order. */
  rows(reading: Database, table: string): AsyncIterable<readonly AnyRow[]>;
  counters(reading: Database): Promise<Counters>;
  setCounters(writing: Writing, counters: Counters): Promise<void>;
  /** Writes without the triggers that number changes. */
  unnumbered(writing: Writing, task: () => Promise<void>): Promise<void>;
}

/** Rows read or written at once. */
export const ROWS_AT_ONCE = 500;

/** Tables with their columns, in an order for writing: referenced tables first. */
export type Shape = ReadonlyMap<string, readonly string[]>;

/** The tables of a database, without the migration bookkeeping. */
export async function tablesOf(whole: Whole, reading: Database): Promise<Shape> {
  const columns = (await whole.columns(reading)).filter(({ table }) => !table.startsWith('kysely_'));
  const grouped = Map.groupBy(columns, ({ table }) => table);
  const names = inOrder([...grouped.keys()].toSorted(), await whole.references(reading));
  return new Map(names.map((name) => [name, (grouped.get(name) ?? []).map(({ column }) => column).toSorted()]));
}

function inOrder(tables: readonly string[], references: readonly Reference[]): string[] {
  const done = new Set<string>();
  const add = (table: string) => {
    if (done.has(table)) return;
    for (const { of } of references.filter((one) => one.table === table && one.of !== table)) add(of);
    done.add(table);
  };
  for (const table of tables) add(table);
  return [...done];
}

/** Throws a readable error if two databases have different tables: data that only one of them has would be lost. */
export function assertSameTables(from: Shape, to: Shape): void {
  const names = (tables: Shape) =>
    [...tables].flatMap(([table, columns]) => columns.map((column) => `${table}.${column}`));
  const [there, here] = [new Set(names(from)), new Set(names(to))];
  const single = [...there].filter((one) => !here.has(one)).concat([...here].filter((one) => !there.has(one)));
  if (single.length > 0) throw new Error(`Only one of the two databases has ${single.join(', ')}.`);
}

/**
 * Replaces the contents of a database with those of another: unchanged rows with their ids, versions and feed numbers, and
 * the id counters. One transaction, all or nothing.
 */
export async function copyRows(from: Whole, reading: Database, to: Whole, writing: Writing): Promise<number> {
  const [source, target] = [await tablesOf(from, reading), await tablesOf(to, writing)];
  assertSameTables(source, target);
  let copied = 0;
  await to.unnumbered(writing, async () => {
    for (const table of [...target.keys()].toReversed()) await sql`DELETE FROM ${sql.table(table)}`.execute(writing);
    for (const [table, columns] of target) {
      for await (const rows of from.rows(reading, table)) {
        await insert(writing, table, columns, rows);
        copied += rows.length;
      }
    }
  });
  await to.setCounters(writing, await from.counters(reading));
  return copied;
}

/** Throws a readable error for a text that not every database can store. */
function assertStorable(table: string, row: AnyRow): void {
  for (const [column, value] of Object.entries(row)) {
    if (typeof value !== 'string' || !value.includes('\0')) continue;
    const { id, name } = row;
    const which = typeof id === 'number' ? `id ${id}` : `name ${JSON.stringify(name ?? '')}`;
    throw new Error(
      `${table}, ${which}: ${column} has a NUL character, an invalid byte sequence for PostgreSQL. Change it and try again.`,
    );
  }
}

async function insert(
  writing: Writing,
  table: string,
  columns: readonly string[],
  rows: readonly AnyRow[],
): Promise<void> {
  if (rows.length === 0) return;
  for (const row of rows) assertStorable(table, row);
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
  const names = sql.join(columns.map((column) => sql.ref(column)));
  await sql`INSERT INTO ${sql.table(table)} (${names}) VALUES ${sql.join(values)}`.execute(writing);
}
