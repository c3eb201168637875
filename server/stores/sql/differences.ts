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

/** Parts of a table, by the first twelve bits of a row's digest. */
const PARTS = 4096;

/** Rows whose digests are held at once. */
const MOST_HELD = 200_000;

/** The number of rows in each part, and the exclusive or of their digests. */
interface Sums {
  readonly counts: Uint32Array;
  readonly digests: Buffer;
}

/**
 * Compares one table. First by sums of its parts, in the same memory whatever its size. Then row by row, only the parts that differ, some
 * at a time. Rows that match on both sides are dropped; the remaining ones differ.
 */
async function differencesIn(tables: Shape, table: string, one: Reading, other: Reading): Promise<string[]> {
  const columns = tables.get(table) ?? [];
  const [there, here] = [await sumsOf(one, table, columns), await sumsOf(other, table, columns)];
  const missing: Found = { count: 0, names: [] };
  const surplus: Found = { count: 0, names: [] };
  for (const parts of groupsOf(there, here)) {
    const left = new Map<string, string>();
    for await (const { digest, row } of rowsIn(parts, one, table, columns)) left.set(digest, nameOf(row));
    for await (const { digest, row } of rowsIn(parts, other, table, columns))
      if (!left.delete(digest)) note(surplus, nameOf(row));
    for (const name of left.values()) note(missing, name);
  }
  return [
    ...inWords(`${table}: not there, or otherwise`, missing),
    ...inWords(`${table}: too much, or otherwise`, surplus),
  ];
}

/** Rows that only one side has, and the names of the first. */
interface Found {
  count: number;
  readonly names: string[];
}

function note(found: Found, name: string): void {
  found.count += 1;
  if (name !== '' && found.names.length < MOST_NAMED) found.names.push(name);
}

async function sumsOf(from: Reading, table: string, columns: readonly string[]): Promise<Sums> {
  const sums = { counts: new Uint32Array(PARTS), digests: Buffer.alloc(PARTS * DIGEST) };
  for await (const row of rowsOf(from, table)) {
    const digest = digestOf(columns, row);
    const part = partOf(digest);
    sums.counts[part] = (sums.counts[part] ?? 0) + 1;
    for (let at = 0; at < DIGEST; at += 1)
      sums.digests.writeUInt8(sums.digests.readUInt8(part * DIGEST + at) ^ digest.readUInt8(at), part * DIGEST + at);
  }
  return sums;
}

/** Groups of parts that differ, with not too many rows each. */
function groupsOf(one: Sums, other: Sums): readonly ReadonlySet<number>[] {
  const groups: Set<number>[] = [];
  let held = Infinity;
  for (let part = 0; part < PARTS; part += 1) {
    const [from, to] = [part * DIGEST, (part + 1) * DIGEST];
    const isSame = one.digests.subarray(from, to).equals(other.digests.subarray(from, to));
    if (isSame && one.counts[part] === other.counts[part]) continue;
    const rows = one.counts[part] ?? 0;
    if (held + rows > MOST_HELD) {
      groups.push(new Set());
      held = 0;
    }
    groups.at(-1)?.add(part);
    held += rows;
  }
  return groups;
}

/** The rows of some parts. */
async function* rowsIn(parts: ReadonlySet<number>, from: Reading, table: string, columns: readonly string[]) {
  for await (const row of rowsOf(from, table)) {
    const digest = digestOf(columns, row);
    if (parts.has(partOf(digest))) yield { digest: digest.toString('base64url'), row };
  }
}

async function* rowsOf({ whole, reading }: Reading, table: string): AsyncGenerator<AnyRow> {
  for await (const rows of whole.rows(reading, table)) yield* rows;
}

/** Bytes of a digest. */
const DIGEST = 32;

function partOf(digest: Buffer): number {
  return digest.readUInt16BE() % PARTS;
}

function digestOf(columns: readonly string[], row: AnyRow): Buffer {
  const values = columns.map((column) => (row[column] instanceof Uint8Array ? [...row[column]] : row[column]));
  return createHash('sha256').update(JSON.stringify(values)).digest();
}

/** Names a row without revealing secrets. A row without an id is only counted. */
function nameOf(row: AnyRow): string {
  return typeof row['id'] === 'number' ? `id ${row['id']}` : '';
}

function inWords(what: string, { count, names }: Found): string[] {
  if (count === 0) return [];
  const named = names.length > 0 ? ` (${names.join(', ')}${count > names.length ? ', …' : ''})` : '';
  return [`${what}: ${count} ${count === 1 ? 'row' : 'rows'}${named}`];
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
