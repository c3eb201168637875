import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { SharedWorld } from '../../../shared/shared.ts';
import { LIFETIME, newTicket, type Tickets } from '../../../shared/tickets.ts';
import type { Database } from '../../sql/tables.ts';
import { type Clock, inTime } from './clock.ts';

interface World extends Pick<SharedWorld, 'randomBytes'> {
  readonly db: Database;
  readonly clock: Clock;
}

/** Tickets that any server accepts. The database holds only hashes, so reading it reveals no usable ticket. */
export function ticketsAmong<T>({ db, clock, randomBytes }: World, purpose: string): Tickets<T> {
  const nameOf = (ticket: string) => hash('sha256', `${purpose} ${ticket}`);
  const living = (ticket: string) => sql`name = ${nameOf(ticket)} AND until > ${clock()}`;
  return {
    async give(kept) {
      const ticket = newTicket(randomBytes);
      await sql`INSERT INTO tickets (name, kept, until)
        VALUES (${nameOf(ticket)}, ${JSON.stringify(kept)}, ${inTime(clock, LIFETIME)})`.execute(db);
      return ticket;
    },
    async look(ticket) {
      const { rows } = await sql<{ kept: T }>`SELECT kept FROM tickets WHERE ${living(ticket)}`.execute(db);
      return rows[0]?.kept;
    },
    async take(ticket) {
      const { rows } = await sql<{ kept: T }>`DELETE FROM tickets WHERE ${living(ticket)} RETURNING kept`.execute(db);
      return rows[0]?.kept;
    },
  };
}
