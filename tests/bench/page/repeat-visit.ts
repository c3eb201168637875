import { alternate } from '../kit/alternate.ts';
import { atMostTimes, type Figure } from '../kit/figure.ts';
import { type Quality, SLOW_LINK } from '../kit/link.ts';
import type { Row } from '../kit/row.ts';
import type { Stage, Visitor } from '../kit/stage.ts';

const RUNS = 7;

async function timeOfVisit({ link, visit }: Visitor, quality: Quality | 'dead'): Promise<number> {
  link.become(quality);
  const { page, time } = await visit();
  await page.close();
  return time;
}

async function compare(stage: Stage, quality: Quality | 'dead', words: string): Promise<Figure> {
  const ours = await stage.returning(stage.ours, 1000);
  const bare = await stage.returning(stage.bare, 1000);
  const times = await alternate(RUNS, {
    ours: () => timeOfVisit(ours, quality),
    bare: () => timeOfVisit(bare, quality),
  });
  return {
    what: `1,000 rows shown, repeat visit, ${words}`,
    unit: 'ms',
    ours: times.ours,
    against: { name: 'bare page', sample: times.bare },
    goal: atMostTimes(1),
  };
}

/** A cached list is shown from the device, whatever the link. */
export const repeatVisit: Row = {
  name: 'repeat-visit',
  async measure(stage) {
    const alive = await compare(stage, SLOW_LINK, 'link alive');
    const dead = await compare(stage, 'dead', 'link dead');
    return [alive, dead];
  },
};
