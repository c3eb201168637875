import { buildPage } from '../kit/build-page.ts';
import { type FarEnd, gatewayEnd, ownEnd } from '../kit/far-end.ts';
import { atMost, atMostTimes, type Figure } from '../kit/figure.ts';
import { type Lab, openLabAt } from '../kit/lab.ts';
import { type Link, openLink, type Quality } from '../kit/link.ts';
import { recordNoise } from '../kit/noise.ts';
import type { Row } from '../kit/row.ts';

/** Rows on the server, for edits. */
const ROWS = 1_000;
/** 300 kbit/s, alive for 15 s at a time. */
const WEAK: Quality = { roundTrip: 150, bitsPerSecond: 300_000 };
const CUT_EVERY = 15_000;
/** How long the large file is in flight before small changes are saved. Milliseconds. */
const HEAD_START = 3_000;

type Device = Pick<Lab, 'run' | 'close'>;

/** Runs the work on a device with an empty queue and a link to a server of its own. */
async function between<T>(far: FarEnd, quality: Quality, work: (device: Device, link: Link) => Promise<T>) {
  recordNoise();
  const link = await openLink(far.origin);
  const device = await openLabAt(`${link.address}/#${far.token}`);
  try {
    await device.run('sign in');
    link.become(quality);
    return await work(device, link);
  } finally {
    await device.close();
    await link.close();
    await far.close();
  }
}

/** Runs the work while the link is cut repeatedly. */
async function whileCut<T>(link: Link, work: () => Promise<T>): Promise<T> {
  const cuts = setInterval(() => link.cut(), CUT_EVERY);
  try {
    return await work();
  } finally {
    clearInterval(cuts);
  }
}

/** The seconds that this many bytes need at the link's rate. */
function leastSeconds(bytes: number, { bitsPerSecond = Number.POSITIVE_INFINITY }: Quality): number {
  return (bytes * 8) / bitsPerSecond;
}

/** A catalogue that needs sixteen lifetimes of the link. */
function catalog(far: FarEnd): Promise<readonly Figure[]> {
  const bytes = 9_000_000;
  return between(far, WEAK, async (device, link) => {
    await device.run('save catalog', bytes);
    const before = link.carried();
    const time = await whileCut(link, () => device.run('sent but', 0));
    const what = `catalogue of 9 MB, 300 kbit/s, cut every 15 s${far.where}`;
    const alone = { name: 'its bytes at that rate', sample: [leastSeconds(bytes, WEAK)] };
    const carried = (link.carried() - before) / 1_000;
    return [
      { what, unit: 's', ours: [time / 1_000], against: alone, goal: atMostTimes(1.25) },
      {
        what: 'the same: bytes that arrived',
        unit: 'kB',
        ours: [carried],
        against: { name: 'its bytes', sample: [bytes / 1_000] },
        goal: atMostTimes(1.1),
      },
    ];
  });
}

/** Small changes saved while a large file is in flight. */
function small(far: FarEnd): Promise<readonly Figure[]> {
  const large = 2_000_000;
  return between(far, WEAK, (device, link) =>
    whileCut(link, async () => {
      await device.run('save catalog', large);
      const all = device.run('sent but', 0);
      await new Promise((resolve) => setTimeout(resolve, HEAD_START));
      await device.run('save logos', 3, 2_000);
      const time = await device.run('sent but', 1);
      const alone = { name: 'its bytes at that rate', sample: [leastSeconds(large, WEAK)] };
      return [
        {
          what: `three changes of 2 kB behind one of 2 MB${far.where}`,
          unit: 's',
          ours: [time / 1_000],
          goal: atMost(20),
        },
        { what: 'the one of 2 MB', unit: 's', ours: [(await all) / 1_000], against: alone },
      ];
    }),
  );
}

function edits(far: FarEnd): Promise<readonly Figure[]> {
  return between(far, { roundTrip: 300 }, async (device) => {
    await device.run('save edits', ROWS);
    const time = await device.run('sent but', 0);
    return [{ what: '1,000 edits without files at 300 ms', unit: 's', ours: [time / 1_000], goal: atMost(12) }];
  });
}

function mixed(far: FarEnd): Promise<readonly Figure[]> {
  const [texts, photos, bytes] = [160, 40, 100_000];
  const quality: Quality = { roundTrip: 300, bitsPerSecond: 1_600_000 };
  return between(far, quality, async (device) => {
    for (let group = 0; group < photos; group += 1) {
      await device.run('save edits', texts / photos, (group * texts) / photos);
      await device.run('save logos', 1, bytes);
    }
    const time = await device.run('sent but', 0);
    const least = leastSeconds(photos * bytes, quality);
    const what = '160 edits, 40 photos of 100 kB, 300 ms, 1.6 Mbit/s';
    const alone = { name: 'their bytes at that rate', sample: [least] };
    return [{ what, unit: 's', ours: [time / 1_000], against: alone, goal: atMost(Math.round(least * 1.2 + 5)) }];
  });
}

type Measure = (far: FarEnd) => Promise<readonly Figure[]>;

async function inTurn(open: (appDir: string) => Promise<FarEnd>, ...measures: readonly Measure[]) {
  const appDir = await buildPage('lab');
  const figures: Figure[] = [];
  for (const measure of measures) figures.push(...(await measure(await open(appDir))));
  return figures;
}

const own = (appDir: string) => ownEnd(appDir, ROWS);

/** Many changes on a link with a long round trip. A real server, one run of each. */
export const farAway: Row = { name: 'far-away', measure: () => inTurn(own, edits, mixed) };

/** Large files on a slow link that lives for seconds at a time. A real server, one run of each. */
export const badLink: Row = { name: 'bad-link', measure: () => inTurn(own, small, catalog) };

/** The same, with a gateway at the far end of the link. */
export const badLinkGateway: Row = { name: 'bad-link-gateway', measure: () => inTurn(gatewayEnd, small, catalog) };
