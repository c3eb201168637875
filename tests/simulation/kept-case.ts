import type { ServerName } from './servers/server.ts';
import type { Schedule } from './scenario/schedule.ts';

/** A schedule that once broke a promise, reduced to the essential. */
export interface KeptCase {
  readonly what: string;
  readonly server: ServerName;
  readonly schedule: Schedule;
}

/** A browser that supports everything the app uses. A case overrides what its browser lacks. */
export const USUAL = {
  spared: [],
  worker: true,
  locks: true,
  keepsBlobs: true,
  workerReadsCookies: true,
  backgroundSync: true,
  estimate: 'reported',
} as const satisfies Partial<Schedule>;
