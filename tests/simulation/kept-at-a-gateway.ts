import { type KeptCase, USUAL } from './kept-case.ts';

const PRESSED_TOO_SOON = {
  ...USUAL,
  seed: '201161',
  events: [
    { at: 30_951, what: 'save settings', seed: '201161/event/1' },
    { at: 72_160, what: 'create', seed: '201161/event/3' },
    { at: 72_409, what: 'create', seed: '201161/event/4' },
    { at: 73_524, what: 'send now', seed: '201161/event/6' },
  ],
  faultRate: 0.1,
  faultsEnd: 9,
  pages: 2,
  worker: false,
  keepsBlobs: false,
  backgroundSync: false,
  estimate: 'lying',
  workerOutlivesPages: 60_000,
  kinds: ['generators', 'ups', 'street-lights', 'projects', 'grid-tie-inverters'],
} as const satisfies KeptCase['schedule'];

/** Two people send the same large file, one after the other. */
export const SHARED_FILE = {
  ...USUAL,
  seed: 'shared file',
  sharesFiles: true,
  events: [
    ...[1, 2, 3].map((i) => ({ at: i * 10_000, what: 'create', seed: `shared/1/${i}` }) as const),
    { at: 300_000, what: 'switch user', seed: 'shared/switch' },
    ...[1, 2, 3].map((i) => ({ at: 310_000 + i * 10_000, what: 'create', seed: `shared/2/${i}` }) as const),
  ],
  faultRate: 0,
  faultsEnd: 0,
  pages: 1,
  kinds: ['generators'],
} as const satisfies KeptCase['schedule'];

/** What was found where a gateway stands in front of a back end, or by what is seen of it. */
export const AT_A_GATEWAY: readonly KeptCase[] = [
  {
    what: 'nobody is told that somebody else has sent the same file',
    server: 'gateway',
    schedule: SHARED_FILE,
  },
  {
    what: 'after two days of sleep changes that go together get a fresh anti-forgery cookie',
    server: 'gateway',
    schedule: {
      ...USUAL,
      seed: '200368',
      events: [
        { at: 23_273, what: 'frozen while sending', seed: '200368/event/2' },
        { at: 23_474, what: 'delete', seed: '200368/event/3' },
        { at: 23_639, what: 'kill worker', seed: '200368/event/4' },
        { at: 169_538, what: 'delete image', seed: '200368/event/7' },
        { at: 170_049, what: 'create', seed: '200368/event/8' },
        { at: 295_961, what: 'send now', seed: '200368/event/10' },
        { at: 313_599, what: 'sleep two days', seed: '200368/event/12' },
        { at: 320_111, what: 'create', seed: '200368/event/13' },
        { at: 333_661, what: 'radio off', seed: '200368/event/17' },
      ],
      faultRate: 0.2,
      faultsEnd: 9,
      pages: 2,
      backgroundSync: false,
      workerOutlivesPages: 60_000,
      kinds: ['generators', 'partners', 'about-items', 'projects', 'sliders'],
    },
  },
  {
    what: 'a create of many files whose rest is refused is taken back and made once',
    server: 'gateway',
    schedule: {
      ...USUAL,
      seed: '200233',
      events: [
        { at: 266_052, what: 'update', seed: '200233/event/10' },
        { at: 305_503, what: 'create with many files', seed: '200233/event/11' },
      ],
      faultRate: 0,
      faultsEnd: 0,
      pages: 1,
      keepsBlobs: false,
      kinds: ['generators', 'solar-panels', 'ups', 'projects', 'grid-tie-inverters'],
    },
  },
  {
    what: 'an edit that changes nothing is over when it can no longer come, and does not write over the next',
    server: 'gateway',
    schedule: {
      ...USUAL,
      seed: '300257',
      events: [
        { at: 19_435, what: 'create', seed: '300257/event/0' },
        { at: 96_427, what: 'update', seed: '300257/event/3' },
        { at: 148_267, what: 'update', seed: '300257/event/5' },
        { at: 148_515, what: 'update', seed: '300257/event/6' },
        { at: 215_431, what: 'update', seed: '300257/event/10' },
        { at: 290_181, what: 'create', seed: '300257/event/12' },
        { at: 290_780, what: 'update', seed: '300257/event/13' },
      ],
      faultRate: 0.1,
      faultsEnd: 33,
      pages: 1,
      worker: false,
      workerReadsCookies: false,
      kinds: ['generators', 'grid-tie-inverters', 'about-items', 'street-lights', 'ups'],
    },
  },
  {
    what: 'a refusal of something in between is not believed while the gateway carries the edit out',
    server: 'gateway',
    schedule: {
      ...USUAL,
      seed: '800277',
      events: [
        { at: 22_887, what: 'update', seed: '800277/event/0' },
        { at: 29_736, what: 'attend', seed: '800277/event/3' },
      ],
      faultRate: 0.3,
      faultsEnd: 9,
      pages: 1,
      workerReadsCookies: false,
      kinds: ['generators', 'grid-tie-inverters', 'about-items', 'projects', 'solar-panels'],
    },
  },
  { what: 'a press that waits for the storage ends waits late', server: 'gateway', schedule: PRESSED_TOO_SOON },
  {
    what: 'a press that waits for the storage ends waits late, without a gateway too',
    server: 'contract-only',
    schedule: PRESSED_TOO_SOON,
  },
  {
    what: 'of twins one that somebody edits before it is read back is taken for theirs',
    server: 'contract-only',
    schedule: {
      ...USUAL,
      seed: '204469',
      events: [
        { at: 1_124, what: 'frozen while sending', seed: '204469/event/0' },
        { at: 41_571, what: 'save settings', seed: '204469/event/2' },
        { at: 123_028, what: 'settings elsewhere', seed: '204469/event/3' },
        { at: 139_425, what: 'update', seed: '204469/event/4' },
        { at: 280_137, what: 'create', seed: '204469/event/6' },
        { at: 414_056, what: 'edit elsewhere', seed: '204469/event/11' },
      ],
      faultRate: 0.4,
      faultsEnd: 34,
      pages: 1,
      worker: false,
      kinds: ['generators', 'about-items', 'solar-panels', 'grid-tie-inverters', 'ups'],
    },
  },
];
