import type { ServerName } from './servers/server.ts';
import type { Schedule } from './stage/schedule.ts';

/** A schedule in which a promise was once broken, cut down to what it took. */
export interface KeptCase {
  readonly what: string;
  readonly server: ServerName;
  readonly schedule: Schedule;
}

/** Every bug that was found by playing seeds, so that none comes back. */
export const KEPT_CASES: readonly KeptCase[] = [
  {
    what: 'an edit from a form that was opened earlier leaves what was edited meanwhile',
    server: 'contract-only',
    schedule: {
      seed: '96',
      events: [
        { at: 56_107, what: 'update', seed: '96/event/2' },
        { at: 56_177, what: 'radio off', seed: '96/event/3' },
        { at: 548_948, what: 'update', seed: '96/event/18' },
      ],
      faultRate: 0,
      faultsEnd: 0,
      spared: [],
      pages: 2,
      worker: true,
      locks: true,
      keepsBlobs: true,
    },
  },
  {
    what: 'an edit of a record whose local id the server has confirmed meets the one that waits under its number',
    server: 'contract-only',
    schedule: {
      seed: '24',
      events: [
        { at: 2_274, what: 'create', seed: '24/event/2' },
        { at: 149_437, what: 'create', seed: '24/event/7' },
        { at: 272_322, what: 'update', seed: '24/event/10' },
        { at: 319_556, what: 'update', seed: '24/event/12' },
      ],
      faultRate: 0.3,
      faultsEnd: 21,
      spared: [],
      pages: 1,
      worker: false,
      locks: true,
      keepsBlobs: false,
    },
  },
  {
    what: 'a device whose clock is two days slow does not wait two days for a Retry-After date',
    server: 'contract-only',
    schedule: {
      seed: '43',
      events: [
        { at: 127_676, what: 'update', seed: '43/event/4' },
        { at: 290_296, what: 'create', seed: '43/event/8' },
        { at: 290_701, what: 'update', seed: '43/event/9' },
        { at: 437_115, what: 'attend', seed: '43/event/15' },
        { at: 513_192, what: 'create', seed: '43/event/16' },
        { at: 570_809, what: 'create', seed: '43/event/18' },
        { at: 572_504, what: 'clock set back', seed: '43/event/20' },
      ],
      faultRate: 0.3,
      faultsEnd: 39,
      spared: [],
      pages: 1,
      worker: true,
      locks: true,
      keepsBlobs: false,
    },
  },
  {
    what: 'a refused change in several parts keeps the files of all of them when it is mended',
    server: 'own',
    schedule: {
      seed: '114',
      events: [{ at: 122_990, what: 'create with many files', seed: '114/event/1' }],
      faultRate: 0.4,
      faultsEnd: 2,
      spared: [],
      pages: 2,
      worker: true,
      locks: true,
      keepsBlobs: false,
    },
  },
];
