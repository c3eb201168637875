import { sql } from 'kysely';
import { FOLLOWED, type Followed } from '../sql/followed.ts';
import type { Database } from '../sql/tables.ts';
import { WRITERS } from './dialect.ts';

/** The notification channel of all servers. */
export const CHANNEL = 'voltdesk_changes';

/**
 * Installs triggers that number every change of every kind of record within the change's own transaction, whoever makes it.
 * The trigger holds the writers' lock until commit, so a number never becomes visible before a lower one.
 */
export async function numberChanges(db: Database): Promise<void> {
  await db.transaction().execute(async (writing) => {
    await sql`CREATE OR REPLACE FUNCTION note_in_feed() RETURNS trigger LANGUAGE plpgsql AS ${sql.lit(NOTE)}`.execute(
      writing,
    );
    const { rows } = await sql<{
      name: string;
    }>`SELECT tgname AS name FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
      WHERE relnamespace = current_schema()::regnamespace`.execute(writing);
    const known = new Set(rows.map(({ name }) => name));
    for (const followed of FOLLOWED) if (!known.has(triggerName(followed))) await follow(writing, followed);
  });
}

/** Replaces the row, so that it gets a number above all earlier ones. */
const NOTE = `
DECLARE
  of_record bigint := 0;
BEGIN
  IF TG_ARGV[1] = 'rows' THEN
    IF TG_OP = 'DELETE' THEN of_record := OLD.id; ELSE of_record := NEW.id; END IF;
  END IF;
  PERFORM pg_advisory_xact_lock(${WRITERS});
  DELETE FROM feed WHERE subject = TG_ARGV[0] AND record_id = of_record;
  INSERT INTO feed (subject, record_id) VALUES (TG_ARGV[0], of_record);
  PERFORM pg_notify('${CHANNEL}', '');
  RETURN NULL;
END`;

async function follow(db: Database, followed: Followed): Promise<void> {
  const { table, subject, idColumn } = followed;
  const rowId = idColumn === undefined ? sql`0` : sql.ref(idColumn);
  await sql`INSERT INTO feed (subject, record_id)
    SELECT DISTINCT ${sql.lit(subject)}, ${rowId} FROM ${sql.table(table)} ORDER BY 2
    ON CONFLICT DO NOTHING`.execute(db);
  await sql`CREATE TRIGGER ${sql.id(triggerName(followed))} AFTER INSERT OR UPDATE OR DELETE ON ${sql.table(table)}
    FOR EACH ROW EXECUTE FUNCTION note_in_feed(${sql.lit(subject)}, ${sql.lit(idColumn === undefined ? 'whole' : 'rows')})`.execute(
    db,
  );
}

function triggerName({ table }: Followed): string {
  return `feed_of_${table}`;
}
