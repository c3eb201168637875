import { type KeptCase, USUAL } from './kept-case.ts';

/** Cases that were held against the app, and were the simulation's own fault. */
export const MISJUDGED: readonly KeptCase[] = [
  {
    what: 'a page that was frozen past its time limit gives up an answer that never ends',
    server: 'own',
    schedule: {
      ...USUAL,
      seed: '506896',
      events: [
        { at: 103_289, what: 'save settings', seed: '506896/event/2' },
        { at: 178_456, what: 'update', seed: '506896/event/3' },
        { at: 322_035, what: 'update', seed: '506896/event/5' },
        { at: 344_611, what: 'update', seed: '506896/event/6' },
        { at: 500_144, what: 'create', seed: '506896/event/11' },
        { at: 566_271, what: 'frozen while sending', seed: '506896/event/17' },
        { at: 566_363, what: 'attend', seed: '506896/event/18' },
      ],
      faultRate: 0.2,
      faultsEnd: 20,
      pages: 1,
      worker: false,
      workerReadsCookies: false,
      estimate: 'silent',
      kinds: ['generators', 'partners', 'street-lights', 'certifications', 'about-items'],
    },
  },
  {
    what: 'a repair that comes too late leaves what was saved meanwhile',
    server: 'gateway',
    schedule: {
      ...USUAL,
      seed: '500314',
      events: [
        { at: 22_220, what: 'update', seed: '500314/event/0' },
        { at: 101_560, what: 'transaction never ends', seed: '500314/held/0' },
        { at: 188_951, what: 'attend', seed: '500314/event/5' },
        { at: 189_658, what: 'update', seed: '500314/event/6' },
        { at: 190_667, what: 'attend', seed: '500314/event/8' },
      ],
      faultRate: 0.2,
      faultsEnd: 8,
      pages: 1,
      kinds: ['generators', 'partners', 'certifications', 'about-items', 'ups'],
    },
  },
  {
    what: 'a list that is looked at during a save need not show it yet',
    server: 'own',
    schedule: {
      ...USUAL,
      seed: '500105',
      events: [
        { at: 112_677, what: 'sleep two days', seed: '500105/event/4' },
        { at: 405_520, what: 'feed asked', seed: '500105/feed/1' },
        { at: 413_909, what: 'update', seed: '500105/event/14' },
        { at: 475_437, what: 'transaction never ends', seed: '500105/held/0' },
        { at: 492_969, what: 'update', seed: '500105/event/16' },
      ],
      faultRate: 0,
      faultsEnd: 0,
      pages: 2,
      keepsBlobs: false,
      backgroundSync: false,
      workerOutlivesPages: 60_000,
      kinds: ['generators', 'grid-tie-inverters', 'solar-panels', 'partners', 'sliders'],
    },
  },
];
