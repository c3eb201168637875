import { sql } from 'kysely';
import type { Database } from '../../sql/tables.ts';
import type { Clock } from './clock.ts';

/**
 * Short-lived state shared between servers. Every row expires at `until`. None of it survives a crash of the database, nor
 * has to: clients report or request it again.
 */
const TABLES: Readonly<Record<string, string>> = {
  tries: 'name TEXT COLLATE "C" PRIMARY KEY, made TIMESTAMPTZ[] NOT NULL',
  tickets: 'name TEXT COLLATE "C" PRIMARY KEY, kept JSONB NOT NULL',
  open_pages: `user_id BIGINT NOT NULL, page TEXT COLLATE "C" NOT NULL, name TEXT NOT NULL, record TEXT COLLATE "C" NOT NULL,
    is_typing BOOLEAN NOT NULL, PRIMARY KEY (user_id, page)`,
  waiting_keys: `user_id BIGINT NOT NULL, key TEXT COLLATE "C" NOT NULL, batch UUID NOT NULL, PRIMARY KEY (user_id, key, batch)`,
  live_seats: 'id UUID PRIMARY KEY, user_id BIGINT NOT NULL',
};

/** The most rows per table. Bounds what strangers can fill: rows that expire first are removed. */
const MOST_ROWS = 50_000;

/** Creates the tables; runs at every start. */
export async function prepareShared(db: Database): Promise<void> {
  for (const [table, columns] of Object.entries(TABLES)) {
    await sql`CREATE UNLOGGED TABLE IF NOT EXISTS ${sql.table(table)} (${sql.raw(columns)}, until TIMESTAMPTZ NOT NULL)`.execute(
      db,
    );
    await sql`CREATE INDEX IF NOT EXISTS ${sql.id(`${table}_until`)} ON ${sql.table(table)} (until)`.execute(db);
  }
}

/** Removes expired rows. Skips locked rows until the next run. */
export async function sweepShared(db: Database, clock: Clock): Promise<void> {
  for (const table of Object.keys(TABLES).map((name) => sql.table(name))) {
    await sql`DELETE FROM ${table} WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE until <= GREATEST(${clock()},
      (SELECT until FROM ${table} ORDER BY until DESC OFFSET ${MOST_ROWS} LIMIT 1)) FOR UPDATE SKIP LOCKED))`.execute(
      db,
    );
  }
}
