import { alternate } from '../kit/alternate.ts';
import { atMost } from '../kit/figure.ts';
import type { Row } from '../kit/row.ts';
import type { Stage } from '../kit/stage.ts';
import { quantile } from '../kit/statistics.ts';
import type { Subject } from '../kit/subject.ts';

const RUNS = 3;
/** Pixels, and pixels a second: a long flick of the finger. */
const DISTANCE = 12_000;
const SPEED = 3000;

/** Runs in the page: keeps the time between frames. */
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

async function slowFrame(stage: Stage, subject: Subject): Promise<number> {
  const { visit } = await stage.returning(subject, 10_000);
  const { page, cdp } = await visit();
  await page.waitForLoadState('networkidle');
  await page.evaluate(watchFrames);
  const box = await page.locator(subject.selectors.row).nth(2).boundingBox();
  const middle = { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: box?.y ?? 0 };
  await cdp.send('Input.synthesizeScrollGesture', { ...middle, yDistance: -DISTANCE, speed: SPEED });
  const frames = await page.evaluate(() => (globalThis as unknown as { frames: number[] }).frames);
  await page.close();
  return quantile(frames, 0.95);
}

/** Frames while 10,000 rows are scrolled: the one that 95 of 100 are faster than. */
export const scrolling: Row = {
  name: 'scrolling',
  async measure(stage) {
    const times = await alternate(RUNS, {
      ours: () => slowFrame(stage, stage.ours),
      bare: () => slowFrame(stage, stage.bare),
    });
    const against = { name: 'bare page', sample: times.bare };
    return [
      { what: 'scrolling 10,000 rows, 95th percentile frame', unit: 'ms', ours: times.ours, against, goal: atMost(20) },
    ];
  },
};
