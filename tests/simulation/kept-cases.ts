import { AT_A_GATEWAY } from './kept-at-a-gateway.ts';
import { type KeptCase, USUAL } from './kept-case.ts';
import { FILES_AND_FORMS } from './kept-files-and-forms.ts';
import { IN_DOUBT } from './kept-in-doubt.ts';
import { LATE_AND_CARRIED } from './kept-late-and-carried.ts';
import { MISJUDGED } from './kept-misjudged.ts';

/** Every bug that was found by playing seeds, as a regression test. */
export const KEPT_CASES: readonly KeptCase[] = [
  ...IN_DOUBT,
  ...LATE_AND_CARRIED,
  ...FILES_AND_FORMS,
  ...AT_A_GATEWAY,
  ...MISJUDGED,
  {
    what: 'an edit is discarded before a change of its record that only a newer version of the app can read',
    server: 'gateway',
    schedule: {
      ...USUAL,
      seed: '600847',
      events: [
        { at: 242_903, what: 'update', seed: '600847/event/8' },
        { at: 289_306, what: 'delete', seed: '600847/event/11' },
        { at: 289_888, what: 'update', seed: '600847/event/12' },
        { at: 550_707, what: 'newer app was here', seed: '600847/event/21' },
      ],
      faultRate: 0,
      faultsEnd: 0,
      pages: 1,
      backgroundSync: false,
      workerOutlivesPages: 60_000,
      kinds: ['generators', 'sliders', 'partners', 'street-lights', 'certifications'],
    },
  },
  {
    what: 'an edit from a form that was opened earlier keeps what was edited meanwhile',
    server: 'contract-only',
    schedule: {
      ...USUAL,
      seed: '96',
      events: [
        { at: 56_107, what: 'update', seed: '96/event/2' },
        { at: 56_177, what: 'radio off', seed: '96/event/3' },
        { at: 548_948, what: 'update', seed: '96/event/18' },
      ],
      faultRate: 0,
      faultsEnd: 0,
      pages: 2,
    },
  },
  {
    what: 'an edit under a confirmed local id merges with the one waiting under the server id',
    server: 'contract-only',
    schedule: {
      ...USUAL,
      seed: '24',
      events: [
        { at: 2_274, what: 'create', seed: '24/event/2' },
        { at: 149_437, what: 'create', seed: '24/event/7' },
        { at: 272_322, what: 'update', seed: '24/event/10' },
        { at: 319_556, what: 'update', seed: '24/event/12' },
      ],
      faultRate: 0.3,
      faultsEnd: 21,
      pages: 1,
      worker: false,
      keepsBlobs: false,
    },
  },
  {
    what: 'a device whose clock is two days slow does not wait two days for a Retry-After date',
    server: 'contract-only',
    schedule: {
      ...USUAL,
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
      pages: 1,
      keepsBlobs: false,
    },
  },
  {
    what: 'a refused change in several parts keeps the files of all of them when it is repaired',
    server: 'own',
    schedule: {
      ...USUAL,
      seed: '114',
      events: [{ at: 122_990, what: 'create with many files', seed: '114/event/1' }],
      faultRate: 0.4,
      faultsEnd: 2,
      pages: 2,
      keepsBlobs: false,
    },
  },
  {
    what: 'a save merged during a preflight check is not undone by the result of the check',
    server: 'contract-only',
    schedule: {
      ...USUAL,
      seed: '6107',
      events: [
        { at: 622, what: 'update', seed: '6107/event/0' },
        { at: 59_183, what: 'sleep two days', seed: '6107/event/6' },
        { at: 371_071, what: 'edit elsewhere', seed: '6107/event/13' },
        { at: 441_698, what: 'attend', seed: '6107/event/14' },
        { at: 442_374, what: 'wake together', seed: '6107/event/15' },
        { at: 655_698, what: 'update', seed: '6107/event/21' },
      ],
      faultRate: 0.4,
      faultsEnd: 4,
      pages: 1,
    },
  },
  {
    what: 'an image read back as an empty body is not sent again',
    server: 'contract-only',
    schedule: {
      ...USUAL,
      seed: '1214',
      events: [
        { at: 173_985, what: 'update', seed: '1214/event/2' },
        { at: 174_557, what: 'radio off', seed: '1214/event/3' },
        { at: 477_821, what: 'update', seed: '1214/event/8' },
        { at: 504_278, what: 'frozen while sending', seed: '1214/event/10' },
        { at: 530_363, what: 'radio on', seed: '1214/event/11' },
        { at: 542_906, what: 'create', seed: '1214/event/12' },
        { at: 780_346, what: 'delete image elsewhere', seed: '1214/event/20' },
      ],
      faultRate: 0.2,
      faultsEnd: 16,
      pages: 1,
    },
  },
  {
    what: 'a change is not merged into one that only a newer version of the app can read',
    server: 'own',
    schedule: {
      ...USUAL,
      seed: '51',
      events: [
        { at: 57_734, what: 'newer app was here', seed: '51/event/0' },
        { at: 102_745, what: 'update', seed: '51/event/10' },
        { at: 181_907, what: 'update', seed: '51/event/11' },
      ],
      faultRate: 0,
      faultsEnd: 0,
      pages: 1,
      keepsBlobs: false,
    },
  },
  {
    what: 'a create with unknown delivery whose row was edited in two places is a question, not created again',
    server: 'contract-only',
    schedule: {
      ...USUAL,
      seed: '2025',
      events: [
        { at: 133_788, what: 'create', seed: '2025/event/5' },
        { at: 135_663, what: 'switch user', seed: '2025/event/9' },
        { at: 199_880, what: 'look', seed: '2025/event/12' },
        { at: 224_227, what: 'delete image', seed: '2025/event/13' },
        { at: 224_686, what: 'update', seed: '2025/event/14' },
        { at: 595_554, what: 'update', seed: '2025/event/20' },
      ],
      faultRate: 0.4,
      faultsEnd: 5,
      pages: 2,
      worker: false,
      keepsBlobs: false,
    },
  },
];
