import { StagingFolder, type StagingPlace } from '../staging/staging-folder.ts';
import type { UploadStore } from '../staging/upload-store.ts';
import { type Attempts, countAttempts } from './attempts.ts';
import { type Presence, PresenceHere } from './presence.ts';
import { type Seats, seatsHere } from './seats.ts';
import { type Tickets, ticketsHere } from './tickets.ts';
import { type WaitingKeys, waitingHere } from './waiting-keys.ts';

/** Short-lived state that all servers on one database share. */
export interface Shared {
  readonly attempts: Attempts;
  /** Tickets for one purpose. Their contents are plain JSON. */
  readonly tickets: <T>(purpose: string) => Tickets<T>;
  readonly presence: Presence;
  readonly waiting: WaitingKeys;
  readonly seats: Seats;
  /** Staged files. A single server keeps them in that folder, beside the stored files. */
  readonly uploadsIn: (place: Pick<StagingPlace, 'folder' | 'disk'>) => UploadStore;
}

/** Dependencies of the shared state. */
export interface SharedWorld {
  readonly randomBytes: (count: number) => Buffer;
  /** A test's clock, in epoch milliseconds. Defaults to the clock of this process or of the database. */
  readonly now?: () => number;
}

/** The state of a single server, in memory. */
export function sharedHere({ randomBytes, now }: SharedWorld): Shared {
  return {
    attempts: countAttempts(now),
    tickets: () => ticketsHere({ randomBytes, now }),
    presence: new PresenceHere(now),
    waiting: waitingHere(),
    seats: seatsHere(),
    uploadsIn: (place) => new StagingFolder({ ...place, now: now ?? Date.now }),
  };
}
