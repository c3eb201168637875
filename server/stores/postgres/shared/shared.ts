import type { Shared, SharedWorld } from '../../../shared/shared.ts';
import type { Database } from '../../sql/tables.ts';
import { attemptsAmong } from './attempts.ts';
import { clockOf } from './clock.ts';
import { presenceAmong } from './presence.ts';
import { seatsAmong } from './seats.ts';
import { sweepShared } from './tables.ts';
import { ticketsAmong } from './tickets.ts';
import { uploadsAmong } from './uploads.ts';
import { waitingAmong } from './waiting-keys.ts';

/** In milliseconds. */
const SWEPT_EVERY = 60_000;

/** What servers know together, and the end of one's part in it. */
export interface SharedAmong {
  readonly shared: Shared;
  close(): void;
}

/** What the servers of a database know together for a while: in the database, and by its clock. */
export function sharedAmong(db: Database, { randomBytes, now }: SharedWorld): SharedAmong {
  const clock = clockOf(now);
  const seats = seatsAmong(db, clock);
  const timer = setInterval(() => void sweepShared(db, clock).catch(() => undefined), SWEPT_EVERY).unref();
  return {
    shared: {
      attempts: attemptsAmong(db, clock),
      tickets: (purpose) => ticketsAmong({ db, clock, randomBytes }, purpose),
      presence: presenceAmong(db, clock),
      waiting: waitingAmong(db, clock),
      seats,
      uploadsIn: ({ disk }) => uploadsAmong(db, clock, disk),
    },
    close() {
      clearInterval(timer);
      seats.close();
    },
  };
}
