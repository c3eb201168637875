import { sql } from 'kysely';
import type { Database } from './tables.ts';

/**
 * Epochs make a database that has forgotten changes recognizable. Every start of a server, every reconnection to the
 * database and every day begins one, with a random name, after the last number of the feed. A copy of the database that is put
 * back has none of the epochs begun since it was made, and begins another one where it stands.
 */

/** A place in a database's history. */
export interface Position {
  readonly epoch: string;
  /** A number of the feed. */
  readonly seq: number;
}

/** Epochs kept: ten thousand starts. A position in an older one is as good as unknown. */
const KEPT = 10_000;

interface World {
  readonly db: Database;
  readonly randomBytes: (count: number) => Buffer;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** The highest number of the feed ever committed, for use in a statement. Its row is only replaced by one with a higher number. */
const lastNumber = sql<number>`(SELECT COALESCE(MAX(seq), 0) FROM feed)`;

/** Begins an epoch. Returns its name. */
export async function beginEpoch({ db, randomBytes, now }: World): Promise<string> {
  const name = randomBytes(9).toString('base64url');
  const at = new Date(now()).toISOString();
  await db.transaction().execute(async (writing) => {
    await sql`INSERT INTO epochs (name, begins_after, begun_at) VALUES (${name}, ${lastNumber}, ${at})`.execute(
      writing,
    );
    await sql`DELETE FROM epochs WHERE id <= (SELECT MAX(id) FROM epochs) - ${sql.lit(KEPT)}`.execute(writing);
  });
  return name;
}

/** The end of the history. */
export async function positionNow(db: Database): Promise<Position> {
  const { rows } = await sql<Position>`SELECT (SELECT name FROM epochs ORDER BY id DESC LIMIT 1) AS epoch,
    ${lastNumber} AS seq`.execute(db);
  return rows[0] ?? { epoch: '', seq: 0 };
}

/** The highest number of the feed ever committed. */
export async function lastSeq(db: Database): Promise<number> {
  const { rows } = await sql<{ seq: number }>`SELECT ${lastNumber} AS seq`.execute(db);
  return rows[0]?.seq ?? 0;
}

/** The position of a number: the epoch in which it was given. It is the same on every server, and after every start and move. */
export async function positionOf(db: Database, seq: number): Promise<Position> {
  const { rows } = await sql<{ epoch: string }>`SELECT COALESCE(
    (SELECT name FROM epochs WHERE begins_after < ${seq} ORDER BY id DESC LIMIT 1),
    (SELECT name FROM epochs ORDER BY id LIMIT 1)) AS epoch`.execute(db);
  return { epoch: rows[0]?.epoch ?? '', seq };
}

/**
 * True if this database's history contains the position: it has the epoch, and the epoch reached the number before the next
 * one began. Otherwise the database has forgotten something, or belongs to another installation.
 */
export async function isKnown(db: Database, { epoch, seq }: Position): Promise<boolean> {
  const { rows } = await sql<{ last: number }>`SELECT COALESCE(
      (SELECT MIN(later.begins_after) FROM epochs AS later WHERE later.id > epochs.id), ${lastNumber}) AS last
    FROM epochs WHERE epochs.name = ${epoch}`.execute(db);
  return rows.some(({ last }) => seq <= last);
}
