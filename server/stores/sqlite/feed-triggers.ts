import { sql } from 'kysely';
import { FOLLOWED, type Followed } from '../sql/followed.ts';
import type { Writing } from '../sql/tables.ts';

/**
 * Installs triggers that number every change of every kind of record within the change's own transaction, whoever makes it. Numbers
 * existing rows of a new kind. Writes nothing if everything is in place. Runs in the caller's transaction.
 */
export async function numberChanges(db: Writing): Promise<void> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM sqlite_schema WHERE type = 'trigger'`.execute(db);
  const known = new Set(rows.map(({ name }) => name));
  for (const followed of FOLLOWED) if (!known.has(triggerName(followed, 'insert'))) await follow(db, followed);
}

async function follow(writing: Writing, followed: Followed): Promise<void> {
  const { table, subject, idColumn } = followed;
  const rowId = idColumn === undefined ? sql`0` : sql.ref(idColumn);
  await sql`INSERT OR IGNORE INTO feed (subject, record_id)
    SELECT DISTINCT ${sql.lit(subject)}, ${rowId} FROM ${sql.table(table)} ORDER BY 2`.execute(writing);
  await addTrigger(writing, followed, 'insert', 'NEW');
  await addTrigger(writing, followed, 'update', 'NEW');
  await addTrigger(writing, followed, 'delete', 'OLD');
}

/** Replaces the row, so that it gets a number above all earlier ones. */
async function addTrigger(
  writing: Writing,
  followed: Followed,
  event: 'insert' | 'update' | 'delete',
  row: 'NEW' | 'OLD',
): Promise<void> {
  const { table, subject, idColumn } = followed;
  const recordId = sql.raw(idColumn === undefined ? '0' : `${row}.${idColumn}`);
  await sql`CREATE TRIGGER ${sql.id(triggerName(followed, event))} AFTER ${sql.raw(event)} ON ${sql.table(table)} BEGIN
    DELETE FROM feed WHERE subject = ${sql.lit(subject)} AND record_id = ${recordId};
    INSERT INTO feed (subject, record_id) VALUES (${sql.lit(subject)}, ${recordId});
  END`.execute(writing);
}

function triggerName({ table }: Followed, event: string): string {
  return `feed_of_${table}_${event}`;
}
