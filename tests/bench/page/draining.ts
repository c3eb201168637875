import { alternate } from '../kit/alternate.ts';
import { atLeastTimes, atMost, type Figure, type Goal } from '../kit/figure.ts';
import { openLab } from '../kit/lab.ts';
import type { Row } from '../kit/row.ts';

const RUNS = 5;
const CHANGES = 50;
const TEXTS = 100;
const CHANGES_OVER_LINK = 10;
const ROUND_TRIP = 150;

/** Changes of 200 kB over the loopback: the cost of the sender itself. */
async function rates(): Promise<readonly Figure[]> {
  const lab = await openLab();
  await lab.run('sign in');
  const times = await alternate(RUNS, {
    ours: () => lab.run('drain ours', CHANGES),
    plain: () => lab.run('drain plain store', CHANGES),
    workbox: () => lab.run('drain workbox', CHANGES),
    post: () => lab.run('post only', CHANGES),
  });
  const texts = await alternate(RUNS, {
    ours: () => lab.run('drain our texts', TEXTS),
    plain: () => lab.run('drain plain texts', TEXTS),
    workbox: () => lab.run('drain workbox texts', TEXTS),
  });
  await lab.close();
  const ours = aSecond(times.ours);
  const what = 'draining changes of 200 kB, no latency';
  return [
    ...against(what, times, atLeastTimes(1)),
    { what, unit: '/s', ours, against: { name: 'fetch alone', sample: aSecond(times.post) } },
    ...against('draining changes without files, no latency', texts, atLeastTimes(5)),
  ];
}

type Times = Record<'ours' | 'plain' | 'workbox', readonly number[]>;

/** Compares with two other queues: a plain store and Workbox. */
function against(what: string, times: Times, goal: Goal): readonly Figure[] {
  const ours = aSecond(times.ours);
  return [
    { what, unit: '/s', ours, against: { name: "Workbox's queue", sample: aSecond(times.workbox) }, goal },
    { what, unit: '/s', ours, against: { name: 'bare loop from IndexedDB', sample: aSecond(times.plain) }, goal },
  ];
}

function aSecond(sample: readonly number[]): readonly number[] {
  return sample.map((time) => 1000 / time);
}

/** The time per change beyond the link's round trip. */
async function overLink(): Promise<Figure> {
  const lab = await openLab({ overLink: true });
  await lab.run('sign in');
  lab.link.become({ roundTrip: ROUND_TRIP });
  const times = await alternate(RUNS, {
    ours: () => lab.run('drain ours', CHANGES_OVER_LINK),
    plain: () => lab.run('drain plain store', CHANGES_OVER_LINK),
  });
  await lab.close();
  return {
    what: `draining changes of 200 kB at ${ROUND_TRIP} ms a round trip, each`,
    unit: 'ms',
    ours: times.ours,
    against: { name: 'bare loop from IndexedDB', sample: times.plain },
    goal: atMost(ROUND_TRIP + 8),
  };
}

/** The queue drains at the speed of the link. */
export const draining: Row = {
  name: 'draining',
  async measure() {
    return [...(await rates()), await overLink()];
  },
};
