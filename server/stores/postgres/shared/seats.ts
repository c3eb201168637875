import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Seats } from '../../../shared/seats.ts';
import type { Database } from '../../sql/tables.ts';
import { type Clock, inTime } from './clock.ts';

/** How long a seat's lease lasts and how often a server renews it. Milliseconds. */
const LEASE = 60_000;
const RENEWED_EVERY = 20_000;

/** Seats across all servers, with a way to stop renewing them. */
export interface SharedSeats extends Seats {
  close(): void;
}

/** Counts each user's open connections across all servers. */
export function seatsAmong(db: Database, clock: Clock): SharedSeats {
  /** This server's seats and their user ids. */
  const taken = new Map<string, number>();
  const renew = () => keep(db, clock, taken).catch(() => undefined);
  const timer = setInterval(() => void renew(), RENEWED_EVERY).unref();
  const free = (id: string) => {
    taken.delete(id);
    // a leftover row expires
    sql`DELETE FROM live_seats WHERE id = ${id}`.execute(db).catch(() => undefined);
  };
  return {
    async take(userId, most) {
      const id = randomUUID();
      // insert first, then count: two concurrent connections cannot both take the last seat
      await keep(db, clock, new Map([[id, userId]]));
      const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM live_seats
        WHERE user_id = ${userId} AND until > ${clock()}`.execute(db);
      if ((rows[0]?.count ?? 0) > most) {
        free(id);
        return undefined;
      }
      taken.set(id, userId);
      return { free: () => free(id) };
    },
    close: () => clearInterval(timer),
  };
}

async function keep(db: Database, clock: Clock, seats: ReadonlyMap<string, number>): Promise<void> {
  if (seats.size === 0) return;
  await sql`INSERT INTO live_seats (id, user_id, until)
    SELECT id, user_id, ${inTime(clock, LEASE)} FROM unnest(${[...seats.keys()]}::uuid[], ${[...seats.values()]}::bigint[]) AS seat (id, user_id)
    ON CONFLICT (id) DO UPDATE SET until = excluded.until`.execute(db);
}
