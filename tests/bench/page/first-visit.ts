import { alternate } from '../kit/alternate.ts';
import { atMostTimes } from '../kit/figure.ts';
import { SLOW_LINK } from '../kit/link.ts';
import type { Row } from '../kit/row.ts';
import type { Stage } from '../kit/stage.ts';
import type { Subject } from '../kit/subject.ts';

const RUNS = 5;

async function timeOfFirstVisit(stage: Stage, subject: Subject, rows: number): Promise<number> {
  const { device, link, visit } = await stage.newcomer(subject, rows);
  link.become(SLOW_LINK);
  const { time } = await visit();
  await device.close();
  return time;
}

/** Nothing is on the device. Everything comes over the slow link. */
export const firstVisit: Row = {
  name: 'first-visit',
  async measure(stage) {
    const times = await alternate(RUNS, {
      ours: () => timeOfFirstVisit(stage, stage.ours, 1000),
      bare: () => timeOfFirstVisit(stage, stage.bare, 1000),
      long: () => timeOfFirstVisit(stage, stage.ours, 10_000),
      bareLong: () => timeOfFirstVisit(stage, stage.bare, 10_000),
    });
    return [
      {
        what: '1,000 rows shown, first visit',
        unit: 'ms',
        ours: times.ours,
        against: { name: 'bare page', sample: times.bare },
        goal: atMostTimes(1.05),
      },
      {
        what: 'first of 10,000 rows shown, first visit',
        unit: 'ms',
        ours: times.long,
        against: { name: 'own 1,000 rows', sample: times.ours },
        goal: atMostTimes(1.2),
      },
      {
        what: 'first of 10,000 rows shown, first visit',
        unit: 'ms',
        ours: times.long,
        against: { name: 'bare page', sample: times.bareLong },
      },
    ];
  },
};
