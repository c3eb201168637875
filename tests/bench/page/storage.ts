import { alternate } from '../kit/alternate.ts';
import { atLeastTimes, atMostTimes } from '../kit/figure.ts';
import { openLab } from '../kit/lab.ts';
import type { Row } from '../kit/row.ts';

const RUNS = 9;

/** The cost of storage on the device: caching a long list, a save with photos, saves without files. */
export const storage: Row = {
  name: 'storage',
  async measure() {
    const lab = await openLab();
    const cache = await alternate(RUNS, {
      in: () => lab.run('list in'),
      plainIn: () => lab.run('one value in'),
      out: () => lab.run('list out'),
      plainOut: () => lab.run('one value out'),
    });
    const save = await alternate(RUNS, {
      ours: () => lab.run('save with photos'),
      plain: () => lab.run('one strict transaction'),
    });
    const enqueue = await alternate(RUNS, {
      ours: () => lab.run('enqueue rate'),
      plain: () => lab.run('strict add rate'),
    });
    await lab.close();
    return [
      {
        what: "10,000 rows into the device's copy",
        unit: 'ms',
        ours: cache.in,
        against: { name: 'one value', sample: cache.plainIn },
        goal: atMostTimes(2),
      },
      {
        what: "10,000 rows out of the device's copy",
        unit: 'ms',
        ours: cache.out,
        against: { name: 'one value', sample: cache.plainOut },
        goal: atMostTimes(2),
      },
      {
        what: 'Save to "saved on this device", three photos of 2 MB',
        unit: 'ms',
        ours: save.ours,
        against: { name: 'one strict transaction', sample: save.plain },
        goal: atMostTimes(2),
      },
      {
        what: 'changes without files into the outbox',
        unit: '/s',
        ours: enqueue.ours,
        against: { name: 'Dexie, strict', sample: enqueue.plain },
        goal: atLeastTimes(0.8),
      },
    ];
  },
};
