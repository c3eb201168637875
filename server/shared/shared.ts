import { StagingFolder, type StagingPlace } from '../staging/staging-folder.ts';
import type { UploadStore } from '../staging/upload-store.ts';
import { type Attempts, countAttempts } from './attempts.ts';
import { type Presence, PresenceHere } from './presence.ts';
import { type Seats, seatsHere } from './seats.ts';
import { type Tickets, ticketsHere } from './tickets.ts';
import { type WaitingKeys, waitingHere } from './waiting-keys.ts';

/** What servers know only for a while, and all that work on one database have to know together. */
export interface Shared {
  readonly attempts: Attempts;
  /** Tickets for one purpose. What they keep is plain JSON. */
  readonly tickets: <T>(purpose: string) => Tickets<T>;
  readonly presence: Presence;
  readonly waiting: WaitingKeys;
  readonly seats: Seats;
  /** Uploads ahead of their changes; in that folder, beside the stored files, where one server has them alone. */
  readonly uploadsIn: (place: Pick<StagingPlace, 'folder' | 'disk'>) => UploadStore;
}

/** What the shared knowledge needs from outside. */
export interface SharedWorld {
  readonly randomBytes: (count: number) => Buffer;
  /** Epoch milliseconds. A test's; without it, what is known together goes by one clock: this process's, or the database's. */
  readonly now?: () => number;
}

/** Of the only server on its database, which needs nobody to know it too. */
export function sharedHere({ randomBytes, now = Date.now }: SharedWorld): Shared {
  return {
    attempts: countAttempts(now),
    tickets: () => ticketsHere({ randomBytes, now }),
    presence: new PresenceHere(now),
    waiting: waitingHere(),
    seats: seatsHere(),
    uploadsIn: (place) => new StagingFolder({ ...place, now }),
  };
}
