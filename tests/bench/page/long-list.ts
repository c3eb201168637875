import { alternate } from '../kit/alternate.ts';
import { heapOf } from '../kit/device.ts';
import { atMost, atMostTimes } from '../kit/figure.ts';
import { SLOW_LINK } from '../kit/link.ts';
import type { Row } from '../kit/row.ts';
import type { Stage, Visitor } from '../kit/stage.ts';
import type { Subject } from '../kit/subject.ts';

const RUNS = 7;
const HEAP_RUNS = 3;

async function timeOfVisit({ link, visit }: Visitor): Promise<number> {
  link.become(SLOW_LINK);
  const { page, time } = await visit();
  await page.close();
  return time;
}

async function nodesOf({ visit }: Visitor): Promise<number> {
  const { page } = await visit();
  const nodes = await page.evaluate(() => document.querySelectorAll('body *').length);
  await page.close();
  return nodes;
}

async function heapOfVisit({ link, visit }: Visitor): Promise<number> {
  link.become(SLOW_LINK);
  const tab = await visit();
  await tab.page.waitForLoadState('networkidle');
  const heap = await heapOf(tab);
  await tab.page.close();
  return heap;
}

/** Heap of 10,000 rows beyond that of 100. */
async function heapOver(stage: Stage, subject: Subject): Promise<number[]> {
  const long = await stage.returning(subject, 10_000);
  const short = await stage.returning(subject, 100);
  const heaps = await alternate(HEAP_RUNS, { long: () => heapOfVisit(long), short: () => heapOfVisit(short) });
  return heaps.long.map((heap, run) => heap - (heaps.short[run] ?? Number.NaN));
}

/** A list of 10,000 rows costs no more than its visible rows. */
export const longList: Row = {
  name: 'long-list',
  async measure(stage) {
    const long = await stage.returning(stage.ours, 10_000);
    const usual = await stage.returning(stage.ours, 1000);
    const bare = await stage.returning(stage.bare, 10_000);
    const times = await alternate(RUNS, {
      long: () => timeOfVisit(long),
      usual: () => timeOfVisit(usual),
      bare: () => timeOfVisit(bare),
    });
    const what = '10,000 rows shown, repeat visit';
    return [
      {
        what,
        unit: 'ms',
        ours: times.long,
        against: { name: 'own 1,000 rows', sample: times.usual },
        goal: atMostTimes(1.1),
      },
      { what, unit: 'ms', ours: times.long, against: { name: 'bare page', sample: times.bare } },
      {
        what: 'elements in the document, 10,000 rows',
        unit: 'nodes',
        ours: [await nodesOf(long)],
        against: { name: 'bare page', sample: [await nodesOf(bare)] },
        goal: atMost(500),
      },
      {
        what: 'heap of 10,000 rows over that of 100',
        unit: 'MB',
        ours: await heapOver(stage, stage.ours),
        against: { name: 'bare page', sample: await heapOver(stage, stage.bare) },
        goal: atMost(12),
      },
    ];
  },
};
