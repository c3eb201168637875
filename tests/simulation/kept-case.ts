import type { ServerName } from './servers/server.ts';
import type { Schedule } from './scenario/schedule.ts';

/** A schedule in which a promise was once broken, cut down to what it took. */
export interface KeptCase {
  readonly what: string;
  readonly server: ServerName;
  readonly schedule: Schedule;
}

/** A browser with everything that the app likes to have; a case says what it lacks. */
export const USUAL = {
  spared: [],
  worker: true,
  locks: true,
  keepsBlobs: true,
  workerReadsCookies: true,
  backgroundSync: true,
  estimate: 'reported',
} as const satisfies Partial<Schedule>;
