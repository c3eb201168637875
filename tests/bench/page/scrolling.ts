import type { CDPSession, Page } from '@playwright/test';
import { alternate } from '../kit/alternate.ts';
import type { Tab } from '../kit/device.ts';
import { atMost, atMostTimes } from '../kit/figure.ts';
import type { Row } from '../kit/row.ts';
import type { Stage } from '../kit/stage.ts';
import { quantile } from '../kit/statistics.ts';
import type { Subject } from '../kit/subject.ts';

const RUNS = 3;
/** Pixels, and pixels per second: a long flick. */
const DISTANCE = 12_000;
const SPEED = 3000;

/** Milliseconds: the 95th percentile of frame times, and the main thread's work per frame. */
interface Smoothness {
  readonly slow: number;
  readonly work: number;
}

/** Runs in the page. Records the time between frames. */
function watchFrames(): void {
  const frames: number[] = [];
  Object.assign(globalThis, { frames });
  let before = performance.now();
  const next = (now: number) => {
    frames.push(now - before);
    before = now;
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
}

/** CPU time of the main thread so far in milliseconds. Other work of the machine does not count. */
async function worked(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
}

async function scroll({ page, cdp }: Tab, at: { readonly x: number; readonly y: number }): Promise<Smoothness> {
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.evaluate(watchFrames);
  const before = await worked(cdp);
  await cdp.send('Input.synthesizeScrollGesture', { ...at, yDistance: -DISTANCE, speed: SPEED });
  const work = (await worked(cdp)) - before;
  const frames = await framesOf(page);
  return { slow: quantile(frames, 0.95), work: work / frames.length };
}

function framesOf(page: Page): Promise<number[]> {
  return page.evaluate(() => (globalThis as unknown as { frames: number[] }).frames);
}

async function list(stage: Stage, subject: Subject): Promise<Smoothness> {
  const { visit } = await stage.returning(subject, 10_000);
  const tab = await visit();
  await tab.page.waitForLoadState('networkidle');
  const box = await tab.page.locator(subject.selectors.row).nth(2).boundingBox();
  const smoothness = await scroll(tab, { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: box?.y ?? 0 });
  await tab.page.close();
  return smoothness;
}

/** The limit of the machine: an empty page as high as the list. */
async function empty(stage: Stage): Promise<Smoothness> {
  const { device } = await stage.returning(stage.bare, 10_000);
  const tab = await device.openPage('body');
  await tab.page.setContent('<body style="margin: 0; height: 560000px"></body>');
  const smoothness = await scroll(tab, { x: 640, y: 400 });
  await tab.page.close();
  return smoothness;
}

/** Frames while 10,000 rows scroll: the 95th percentile, and the page's own work per frame. */
export const scrolling: Row = {
  name: 'scrolling',
  async measure(stage) {
    const { ours, bare, machine } = await alternate<'ours' | 'bare' | 'machine', Smoothness>(RUNS, {
      ours: () => list(stage, stage.ours),
      bare: () => list(stage, stage.bare),
      machine: () => empty(stage),
    });
    const of = (name: string, sample: readonly Smoothness[]) => ({ name, sample: sample.map(({ slow }) => slow) });
    const slow = ours.map((one) => one.slow);
    const what = 'scrolling 10,000 rows';
    return [
      {
        what: `${what}, 95th percentile frame`,
        unit: 'ms',
        ours: slow,
        against: of('bare page', bare),
        goal: atMost(20),
      },
      { what: 'the same, beside what the machine can do', unit: 'ms', ours: slow, against: of('empty page', machine) },
      {
        what: `${what}, processor time of the page for each frame`,
        unit: 'ms',
        ours: ours.map(({ work }) => work),
        against: { name: 'bare page', sample: bare.map(({ work }) => work) },
        goal: atMostTimes(0.8),
      },
    ];
  },
};
