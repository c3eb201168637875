import type { Page } from '@playwright/test';
import { alternate } from '../kit/alternate.ts';
import { atMost, type Figure } from '../kit/figure.ts';
import type { Row } from '../kit/row.ts';
import type { Stage } from '../kit/stage.ts';
import type { Subject } from '../kit/subject.ts';

const RUNS = 7;

type Act = (page: Page, selectors: Subject['selectors']) => Promise<void>;

const ACTS: Readonly<Record<string, Act>> = {
  sort: (page, { sort }) => page.locator(sort).first().click(),
  search: async (page, { search }) => {
    await page.locator(search).first().focus();
    await page.keyboard.press('s');
  },
  select: (page, { select }) => page.locator(select).nth(2).click(),
};

/** Runs in the page: keeps the longest time from an input until the frame after it was painted. */
function watchInteractions(): void {
  const longest = { time: 0 };
  Object.assign(globalThis, { longest });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longest.time = Math.max(longest.time, duration);
  }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
}

/** Longest input-to-paint time that was seen, in steps of 8 ms; 16 where every one was shorter. */
async function longestSeen(page: Page): Promise<number> {
  await page.waitForTimeout(600);
  return page.evaluate(() => Math.max(16, (globalThis as unknown as { longest: { time: number } }).longest.time));
}

async function timeOf(act: Act, stage: Stage, subject: Subject): Promise<number> {
  const { visit } = await stage.returning(subject, 10_000);
  const { page } = await visit();
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(500);
  await page.evaluate(watchInteractions);
  await act(page, subject.selectors);
  const time = await longestSeen(page);
  await page.close();
  return time;
}

/** Sorting, searching and selecting in 10,000 rows: from the input to the next paint. */
export const interactions: Row = {
  name: 'interactions',
  async measure(stage) {
    const figures: Figure[] = [];
    for (const [name, act] of Object.entries(ACTS)) {
      const times = await alternate(RUNS, {
        ours: () => timeOf(act, stage, stage.ours),
        bare: () => timeOf(act, stage, stage.bare),
      });
      const against = { name: 'bare page', sample: times.bare };
      figures.push({ what: `${name} in 10,000 rows`, unit: 'ms', ours: times.ours, against, goal: atMost(100) });
    }
    return figures;
  },
};
