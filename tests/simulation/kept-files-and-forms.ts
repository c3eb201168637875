import { type KeptCase, USUAL } from './kept-case.ts';
import type { Event } from './scenario/schedule.ts';

/** What happens in the world of seed 319. */
const EQUAL_PHOTOS: readonly Event[] = [
  { at: 45_766, what: 'delete', seed: '319/event/0' },
  { at: 53_154, what: 'update', seed: '319/event/1' },
  { at: 53_766, what: 'update', seed: '319/event/2' },
  { at: 141_086, what: 'settings elsewhere', seed: '319/event/3' },
  { at: 325_947, what: 'update', seed: '319/event/6' },
  { at: 413_341, what: 'save settings', seed: '319/event/7' },
  { at: 529_024, what: 'delete image', seed: '319/event/10' },
  { at: 529_763, what: 'create', seed: '319/event/11' },
  { at: 603_966, what: 'frozen while sending', seed: '319/event/12' },
  { at: 604_423, what: 'create', seed: '319/event/13' },
  { at: 692_592, what: 'update', seed: '319/event/17' },
  { at: 781_225, what: 'attend', seed: '319/event/18' },
  { at: 781_796, what: 'file rots', seed: '319/event/20' },
];

/** Cases of equal files, of removed ones, and of a form that waits: the simulation's own record of them was wrong. */
export const FILES_AND_FORMS: readonly KeptCase[] = [
  {
    what: 'of two equal photos that were lost on the device each is attached again',
    server: 'own',
    schedule: {
      ...USUAL,
      seed: '319',
      events: EQUAL_PHOTOS.filter(({ at }) => ![141_086, 603_966, 781_225].includes(at)),
      faultRate: 0.1,
      faultsEnd: 0,
      pages: 2,
      kinds: ['generators', 'solar-panels', 'projects', 'grid-tie-inverters', 'certifications'],
    },
  },
  {
    what: 'of two equal photos one is lost on the device and attached again as another',
    server: 'contract-only',
    schedule: {
      ...USUAL,
      seed: '319',
      events: EQUAL_PHOTOS.filter(({ at }) => at !== 692_592),
      faultRate: 0.1,
      faultsEnd: 19,
      pages: 2,
      kinds: ['generators', 'solar-panels', 'projects', 'grid-tie-inverters', 'certifications'],
    },
  },
  {
    what: 'a change is saved although the storage does not answer the form that waits for it',
    server: 'gateway',
    schedule: {
      ...USUAL,
      seed: '257',
      events: [
        { at: 104_133, what: 'delete', seed: '257/event/3' },
        { at: 105_103, what: 'update', seed: '257/event/4' },
        { at: 215_892, what: 'delete image', seed: '257/event/9' },
        { at: 216_930, what: 'delete', seed: '257/event/11' },
        { at: 260_166, what: 'moved by a file', seed: '257/event/13' },
        { at: 470_056, what: 'create', seed: '257/event/17' },
        { at: 503_699, what: 'delete image', seed: '257/event/18' },
        { at: 546_081, what: 'update', seed: '257/event/19' },
        { at: 577_223, what: 'save settings', seed: '257/event/20' },
        { at: 660_864, what: 'frozen while sending', seed: '257/event/22' },
        { at: 678_619, what: 'create', seed: '257/event/23' },
      ],
      faultRate: 0,
      faultsEnd: 0,
      pages: 2,
      backgroundSync: false,
      workerOutlivesPages: 60_000,
      kinds: ['generators', 'about-items', 'grid-tie-inverters', 'street-lights', 'solar-panels'],
    },
  },
  {
    what: 'an image that somebody removed before the lost answer was read back is sent once more, and stands last',
    server: 'contract-only',
    schedule: {
      ...USUAL,
      seed: '255',
      events: [
        { at: 1166, what: 'update', seed: '255/event/0' },
        { at: 28_000, what: 'kill page', seed: '255/event/1' },
        { at: 80_631, what: 'update', seed: '255/event/3' },
        { at: 218_102, what: 'delete image elsewhere', seed: '255/event/12' },
      ],
      faultRate: 0.4,
      faultsEnd: 44,
      pages: 1,
      keepsBlobs: false,
    },
  },
  {
    what: 'a queue is moved by a file while another tab holds the storage: that it does not answer is told',
    server: 'contract-only',
    schedule: {
      ...USUAL,
      seed: '3016',
      events: [
        { at: 112_516, what: 'transaction never ends', seed: '3016/held/0' },
        { at: 130_840, what: 'moved by a file', seed: '3016/event/2' },
      ],
      faultRate: 0,
      faultsEnd: 0,
      pages: 1,
      keepsBlobs: false,
      kinds: ['generators', 'street-lights', 'partners', 'sliders', 'projects'],
    },
  },
  {
    what: 'Send now is pressed while another tab holds the storage: that it does not answer is told',
    server: 'own',
    schedule: {
      ...USUAL,
      seed: '3136',
      events: [
        { at: 211_714, what: 'transaction never ends', seed: '3136/held/0' },
        { at: 224_310, what: 'send now', seed: '3136/event/9' },
      ],
      faultRate: 0,
      faultsEnd: 0,
      pages: 1,
      backgroundSync: false,
      workerOutlivesPages: 60_000,
      kinds: ['generators', 'certifications', 'sliders', 'about-items', 'ups'],
    },
  },
];
