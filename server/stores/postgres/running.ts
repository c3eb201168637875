import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { inFlight } from '../../errors/refusal.ts';
import type { Running, SendersKey } from '../sql/running.ts';
import type { Database } from '../sql/tables.ts';
import { type Clock, inTime } from './shared/clock.ts';

/** How long a lease lasts and how often a server renews it. Milliseconds. */
const LEASE = 30_000;
const RENEWED_EVERY = 10_000;

/**
 * Changes in flight on several servers: one row each, leased by the database's clock or a test's. Rows of a dead server
 * remain until their lease expires. Whoever finds an expired row removes it, after which its change can no longer commit: a
 * change that was reported as not in flight never takes effect later.
 */
export function runningAmong(db: Database, clock: Clock): Running {
  return {
    async alone(key, task) {
      const holder = await claim(db, clock, key);
      const timer = setInterval(() => void renew(db, clock, holder).catch(() => undefined), RENEWED_EVERY).unref();
      try {
        return await task(async (writing) => {
          if (!(await give(writing, holder))) throw inFlight();
        });
      } finally {
        clearInterval(timer);
        // A leftover row expires. The first attempt may get the connection that was lost with the change.
        await give(db, holder)
          .catch(() => give(db, holder))
          .catch(() => undefined);
      }
    },
    async requireFree({ userId, key }) {
      await sql`DELETE FROM changes_at_work WHERE user_id = ${userId} AND key = ${key} AND until <= ${clock()}`.execute(
        db,
      );
      const { rows } = await sql`SELECT 1 FROM changes_at_work WHERE user_id = ${userId} AND key = ${key}`.execute(db);
      if (rows.length > 0) throw inFlight();
    },
  };
}

/** Creates the table; runs at every start. It need not survive a crash of the database: no transaction does either. */
export async function prepareRunning(db: Database): Promise<void> {
  await sql`CREATE UNLOGGED TABLE IF NOT EXISTS changes_at_work (user_id BIGINT NOT NULL, key TEXT COLLATE "C" NOT NULL,
    holder TEXT NOT NULL UNIQUE, until TIMESTAMPTZ NOT NULL, PRIMARY KEY (user_id, key))`.execute(db);
}

async function claim(db: Database, clock: Clock, { userId, key }: SendersKey): Promise<string> {
  const holder = randomUUID();
  const { rows } = await sql`
    INSERT INTO changes_at_work AS present (user_id, key, holder, until) VALUES (${userId}, ${key}, ${holder}, ${inTime(clock, LEASE)})
    ON CONFLICT (user_id, key) DO UPDATE SET holder = excluded.holder, until = excluded.until
      WHERE present.until <= ${clock()}
    RETURNING 1`.execute(db);
  if (rows.length === 0) throw inFlight();
  return holder;
}

async function renew(db: Database, clock: Clock, holder: string): Promise<void> {
  await sql`UPDATE changes_at_work SET until = ${inTime(clock, LEASE)} WHERE holder = ${holder}`.execute(db);
}

/** Removes a holder's row. Returns false if it is gone. */
async function give(db: Database, holder: string): Promise<boolean> {
  const { rows } = await sql`DELETE FROM changes_at_work WHERE holder = ${holder} RETURNING 1`.execute(db);
  return rows.length > 0;
}
