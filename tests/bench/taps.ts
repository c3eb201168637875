import { chromium, type Browser } from '@playwright/test';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { Api } from '../harness/api.ts';
import { App } from '../harness/app.ts';
import { launchWithCamera } from '../harness/pretended-camera.ts';
import { storeRecord } from '../harness/seed.ts';
import { startFilledServer } from './kit/filled-server.ts';
import { type Effort, Hand } from './taps/hand.ts';
import { type Task, TASKS } from './taps/tasks.ts';

/**
 * `npm run bench:taps`: the cost of a day's work in taps, keys and seconds, in a real browser on a phone and at a desk: form
 * by form, and with the shortcuts of lists and forms. Seconds are the time of the app and this machine, without any thinking
 * or searching. A task that exceeds its limit of taps fails. `npm run bench:taps -- inverter` runs the tasks whose name
 * matches.
 */
const INVERTERS = 1685;
const PANELS = 12;

const PLACES = [
  { name: 'phone, 390 px, fingers', touch: true, viewport: { width: 390, height: 844 } },
  { name: 'desk, 1280 px, mouse and keys', touch: false, viewport: { width: 1280, height: 800 } },
];

async function seeded() {
  const server = await startFilledServer(INVERTERS);
  const api = await Api.signIn(server.origin);
  for (let seed = 1; seed <= PANELS; seed += 1) {
    await storeRecord(api, resourceOf('solar-panels'), seed, { brand: `Panel ${seed}`, capacity: '350 W' });
  }
  await storeRecord(api, resourceOf('partners'), 1);
  return server;
}

async function workDone(
  browser: Browser,
  origin: string,
  { touch, viewport }: (typeof PLACES)[number],
  work: Task['offered'],
) {
  const scene = { viewport, baseURL: origin, isMobile: touch, hasTouch: touch, reducedMotion: 'reduce' } as const;
  const context = await browser.newContext(scene);
  const page = await context.newPage();
  const app = new App(page, origin);
  await app.signIn();
  await app.workerReady();
  const hand = new Hand(page, touch);
  await work(hand);
  const effort = hand.end();
  await context.close();
  return effort;
}

function words({ taps, keys, seconds }: Effort, times = 1): string {
  return `${taps * times} taps, ${keys * times} keys, ${(seconds * times).toFixed(1)} s`;
}

const only = process.argv[2] ?? '';
const browser = await chromium.launch(launchWithCamera());
const lines = ['| Task | Where | One by one | As offered |', '|---|---|---|---|'];
try {
  for (const place of PLACES) {
    // Each place starts with the same records.
    const server = await seeded();
    try {
      for (const task of TASKS.filter(({ name }) => name.includes(only))) {
        const before = await workDone(browser, server.origin, place, task.oneByOne);
        const after = await workDone(browser, server.origin, place, task.offered);
        lines.push(`| ${task.name} | ${place.name} | ${words(before, task.times)} | ${words(after)} |`);
        console.error(lines.at(-1));
        if (after.taps > (task.most ?? after.taps)) process.exitCode = 1;
      }
    } finally {
      await server.remove();
    }
  }
} finally {
  await browser.close();
}
console.log(lines.join('\n'));
