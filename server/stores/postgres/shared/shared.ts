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

/** Milliseconds. */
const SWEPT_EVERY = 60_000;

/** State shared between servers, with a way to leave. */
export interface SharedAmong {
  readonly shared: Shared;
  close(): void;
}

/** The short-lived state that servers of a database share, kept in it and timed by its clock. */
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
