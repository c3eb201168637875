import type { Page } from '@playwright/test';
import { alternate } from '../kit/alternate.ts';
import { atMost, type Figure } from '../kit/figure.ts';
import type { Row } from '../kit/row.ts';
import type { Stage } from '../kit/stage.ts';
import type { Subject } from '../kit/subject.ts';
import { type Felt, feel, inputOf } from './interactions/feel.ts';
import { WALK } from './interactions/walk.ts';

const RUNS = 5;
const ROWS = 10_000;

type Act = (page: Page, selectors: Subject['selectors']) => Promise<void>;

/** Interactions that the bare page supports too. */
const ACTS: Readonly<Record<string, Act>> = {
  sort: (page, { sort }) => page.locator(sort).first().click(),
  search: async (page, { search }) => {
    await page.locator(search).first().focus();
    await page.keyboard.press('s');
  },
  select: (page, { select }) => page.locator(select).nth(2).click(),
};

async function atRest(stage: Stage, subject: Subject): Promise<Page> {
  const { visit } = await stage.returning(subject, ROWS);
  const { page } = await visit();
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(500);
  return page;
}

async function timeOf(act: Act, stage: Stage, subject: Subject): Promise<number> {
  const page = await atRest(stage, subject);
  const input = await inputOf(page, () => act(page, subject.selectors));
  await page.close();
  return input;
}

/** Performs every list interaction once in one visit. */
async function walk(stage: Stage): Promise<Readonly<Record<string, Felt>>> {
  const page = await atRest(stage, stage.illustrated);
  const felt: Record<string, Felt> = {};
  for (const { name, prepare, act } of WALK) {
    await prepare?.(page);
    felt[name] = await feel(page, () => act(page));
  }
  await page.close();
  return felt;
}

/** Measures the list's other interactions, such as its facets: each to the next paint, and until the result is painted. */
async function walked(stage: Stage): Promise<readonly Figure[]> {
  const { walks } = await alternate(RUNS, { walks: () => walk(stage) });
  return WALK.flatMap(({ name }): readonly Figure[] => {
    const felt = walks.map((one) => one[name]).filter((one) => one !== undefined);
    const what = `${name}, with facets and pictures`;
    return [
      { what, unit: 'ms', ours: felt.map(({ input }) => input), goal: atMost(100) },
      { what: `${what}: until it stands`, unit: 'ms', ours: felt.map(({ stands }) => stands) },
    ];
  });
}

/** Interactions with 10,000 rows: from the input to the next paint. */
export const interactions: Row = {
  name: 'interactions',
  async measure(stage) {
    const figures: Figure[] = [];
    for (const [name, act] of Object.entries(ACTS)) {
      const times = await alternate(RUNS, {
        ours: () => timeOf(act, stage, stage.illustrated),
        bare: () => timeOf(act, stage, stage.bare),
      });
      const against = { name: 'bare page', sample: times.bare };
      figures.push({ what: `${name} in 10,000 rows`, unit: 'ms', ours: times.ours, against, goal: atMost(100) });
    }
    return [...figures, ...(await walked(stage))];
  },
};
