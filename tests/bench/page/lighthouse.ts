import lighthouse from 'lighthouse';
import { freePort } from '../../harness/ports.ts';
import { alternate } from '../kit/alternate.ts';
import { openDevice } from '../kit/device.ts';
import { atLeast } from '../kit/figure.ts';
import type { Row } from '../kit/row.ts';
import type { Subject } from '../kit/subject.ts';

const RUNS = 3;
const ROWS = 1000;

/** Performance score of a first visit to the list: Lighthouse's default phone and link, signed in, nothing cached. */
async function scoreOf(subject: Subject): Promise<number> {
  const address = await subject.serve(ROWS);
  const port = await freePort();
  const device = await openDevice(port);
  await subject.prepare(device, address, ROWS);
  const result = await lighthouse(address + subject.path, {
    port,
    onlyCategories: ['performance'],
    disableStorageReset: true,
    logLevel: 'error',
  });
  await device.close();
  return (result?.lhr.categories['performance']?.score ?? Number.NaN) * 100;
}

export const lighthouseScores: Row = {
  name: 'lighthouse',
  async measure({ ours, bare }) {
    const scores = await alternate(RUNS, { ours: () => scoreOf(ours), bare: () => scoreOf(bare) });
    const against = { name: 'bare page', sample: scores.bare };
    return [{ what: 'Lighthouse performance, mobile', unit: 'points', ours: scores.ours, against, goal: atLeast(95) }];
  },
};
