import { createHash } from 'node:crypto';
import type { Database } from './tables.ts';
import { type AnyRow, assertSameTables, type Shape, tablesOf, type Whole } from './whole.ts';

/** A database being read. */
export interface Reading {
  readonly whole: Whole;
  readonly reading: Database;
}

/** Maximum differences listed per table. The rest are counted. */
const MOST_NAMED = 10;

/** Compares all rows of two databases by their digests, and their id counters. Returns every difference in words. */
export async function differencesOf(one: Reading, other: Reading): Promise<string[]> {
  const tables = await tablesOf(one.whole, one.reading);
  assertSameTables(tables, await tablesOf(other.whole, other.reading));
  const found: string[] = [];
  for (const table of tables.keys()) found.push(...(await differencesIn(tables, table, one, other)));
  return [...found, ...(await countedOtherwise(one, other))];
}

/** Compares one table. Rows that match on both sides are dropped; the remaining ones differ. */
async function differencesIn(tables: Shape, table: string, one: Reading, other: Reading): Promise<string[]> {
  const columns = tables.get(table) ?? [];
  const there = new Map<string, string>();
  for await (const row of rowsOf(one, table)) there.set(digestOf(columns, row), nameOf(row));
  const surplus: string[] = [];
  for await (const row of rowsOf(other, table)) if (!there.delete(digestOf(columns, row))) surplus.push(nameOf(row));
  return [
    ...inWords(`${table}: not there, or otherwise`, [...there.values()]),
    ...inWords(`${table}: too much, or otherwise`, surplus),
  ];
}

async function* rowsOf({ whole, reading }: Reading, table: string): AsyncGenerator<AnyRow> {
  for await (const rows of whole.rows(reading, table)) yield* rows;
}

function digestOf(columns: readonly string[], row: AnyRow): string {
  const values = columns.map((column) => (row[column] instanceof Uint8Array ? [...row[column]] : row[column]));
  return createHash('sha256').update(JSON.stringify(values)).digest('base64url');
}

/** Names a row without revealing secrets. A row without an id is only counted. */
function nameOf(row: AnyRow): string {
  return typeof row['id'] === 'number' ? `id ${row['id']}` : '';
}

function inWords(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const named = names.filter((name) => name !== '').slice(0, MOST_NAMED);
  const count = `${names.length} ${names.length === 1 ? 'row' : 'rows'}`;
  return [
    `${what}: ${count}${named.length > 0 ? ` (${named.join(', ')}${names.length > named.length ? ', …' : ''})` : ''}`,
  ];
}

async function countedOtherwise(one: Reading, other: Reading): Promise<string[]> {
  const [there, here] = [await one.whole.counters(one.reading), await other.whole.counters(other.reading)];
  const tables = new Set([...there.keys(), ...here.keys()]);
  return [...tables]
    .filter((table) => (there.get(table) ?? 0) !== (here.get(table) ?? 0))
    .map(
      (table) => `${table}: the ids have come to ${there.get(table) ?? 0} there and to ${here.get(table) ?? 0} here`,
    );
}
