import { sql } from 'kysely';
import { RESOURCES } from '../../../src/domain/resources/index.ts';
import { siteMeta } from '../../../src/domain/resources/site-meta.ts';
import { type Database, tableOf } from './tables.ts';

/** The subject that the looked-up lists have in the feed, all together: they are short, and change by hand. */
export const LOOKUPS_SUBJECT = 'lookups';

/** A table whose rows are in the feed, and what is told of them there. */
interface Followed {
  readonly table: string;
  readonly subject: string;
  /** Absent: the whole table is one subject. */
  readonly idColumn?: 'id';
}

const FOLLOWED: readonly Followed[] = [
  ...RESOURCES.map((resource) => ({ table: tableOf(resource), subject: resource.name, idColumn: 'id' as const })),
  { table: 'site_meta', subject: siteMeta.name, idColumn: 'id' },
  { table: 'lookups', subject: LOOKUPS_SUBJECT },
];

/**
 * Lets the database number every change of every kind of record by itself: in the change's own transaction, whoever makes it. A kind
 * that is new to this database is numbered with the rows that it has. Nothing is written where all is as it should be.
 */
export async function numberChanges(db: Database): Promise<void> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM sqlite_schema WHERE type = 'trigger'`.execute(db);
  const known = new Set(rows.map(({ name }) => name));
  for (const followed of FOLLOWED) if (!known.has(triggerName(followed, 'insert'))) await follow(db, followed);
}

async function follow(db: Database, followed: Followed): Promise<void> {
  const { table, subject, idColumn } = followed;
  const rowId = idColumn === undefined ? sql`0` : sql.ref(idColumn);
  await db.transaction().execute(async (writing) => {
    await sql`INSERT OR IGNORE INTO feed (subject, record_id)
      SELECT DISTINCT ${sql.lit(subject)}, ${rowId} FROM ${sql.table(table)} ORDER BY 2`.execute(writing);
    await addTrigger(writing, followed, 'insert', 'NEW');
    await addTrigger(writing, followed, 'update', 'NEW');
    await addTrigger(writing, followed, 'delete', 'OLD');
  });
}

/** The row is made anew, so that it gets a number above all that were ever given. */
async function addTrigger(
  db: Database,
  followed: Followed,
  event: 'insert' | 'update' | 'delete',
  row: 'NEW' | 'OLD',
): Promise<void> {
  const { table, subject, idColumn } = followed;
  const recordId = sql.raw(idColumn === undefined ? '0' : `${row}.${idColumn}`);
  await sql`CREATE TRIGGER ${sql.id(triggerName(followed, event))} AFTER ${sql.raw(event)} ON ${sql.table(table)} BEGIN
    DELETE FROM feed WHERE subject = ${sql.lit(subject)} AND record_id = ${recordId};
    INSERT INTO feed (subject, record_id) VALUES (${sql.lit(subject)}, ${recordId});
  END`.execute(db);
}

function triggerName({ table }: Followed, event: string): string {
  return `feed_of_${table}_${event}`;
}
